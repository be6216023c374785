//! Files that commands write: looked at before the work begins, written whole or not at all, and never
//! over what is read.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tempfile::NamedTempFile;

/// A file next to another, named after it.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Whether a file can be written at the end of work that begins now: its folder is there and takes
/// files, it is no folder itself, and it is none of the files and folders that are read.
///
/// # Errors
/// Why not.
pub fn check(path: &Path, read: &[impl AsRef<Path>]) -> Result<()> {
    let shown = path.display();
    if path.is_dir() {
        bail!("{shown} cannot be written: it is a folder; name a file");
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("{shown} cannot be written: there is no folder {}", folder.display());
    }
    if read.iter().any(|input| is_read(path, input.as_ref())) {
        bail!("{shown} cannot be written: it is one of the files that are read; name another one");
    }
    if let Some(path) = replaceable(path) {
        part_of(&path).with_context(|| format!("{shown} cannot be written"))?;
    }
    Ok(())
}

/// [`check`] for several files, which must not be the same.
///
/// # Errors
/// Why one cannot be written.
pub fn check_all(paths: &[Option<&PathBuf>], read: &[impl AsRef<Path>]) -> Result<()> {
    let paths: Vec<&PathBuf> = paths.iter().copied().flatten().collect();
    for (i, path) in paths.iter().enumerate() {
        check(path, read)?;
        if paths[..i].iter().any(|before| is_same(before, path)) {
            bail!("{} cannot be written twice; name another file", path.display());
        }
    }
    Ok(())
}

/// Files of a match, in folders that are read for them.
const KEPT: [&str; 2] = ["match.json", "games.jsonl"];

/// Whether a file is one that is read, or a record or part of a match in a folder that is.
fn is_read(path: &Path, input: &Path) -> bool {
    if is_same(path, input) && replaceable(path).is_some() {
        return true;
    }
    let in_folder = |path: &Path| {
        let kept = path.file_name().is_some_and(|name| KEPT.iter().any(|kept| name == *kept));
        path.starts_with(whole(input)) && (kept || kifu::is_record(path))
    };
    input.is_dir() && path.exists() && (in_folder(&whole(path)) || in_folder(&place(path)))
}

/// Whether two names are of one file, which need not be there yet.
fn is_same(a: &Path, b: &Path) -> bool {
    whole(a) == whole(b)
}

/// The file that a name leads to, over links.
fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| place(&replaceable(path).unwrap_or(path.to_owned())))
}

/// Where a name stands, whatever it leads to.
fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match (folder.unwrap_or(Path::new(".")).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Writes a file whole or not at all: what was there before stays until then.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let Some(path) = replaceable(path) else {
            return std::fs::File::options().append(true).open(path)?.write_all(bytes);
        };
        let mut part = part_of(&path)?;
        part.write_all(bytes)?;
        // Whoever takes something away after this may rely on it, even if the power fails.
        part.as_file().sync_all()?;
        if let Ok(before) = std::fs::metadata(&path) {
            std::fs::set_permissions(part.path(), before.permissions())?;
        }
        part.persist(&path)?;
        Ok(())
    };
    write().with_context(|| format!("{} cannot be written", path.display()))
}

/// The file that another may take the place of: not a terminal, a pipe or what the system keeps for a
/// process, which are written to as they are. A link goes on pointing where it does.
fn replaceable(path: &Path) -> Option<PathBuf> {
    if path.exists() && (!path.is_file() || path.starts_with("/dev") || path.starts_with("/proc")) {
        return None;
    }
    let mut path = path.to_owned();
    // No system follows more links than this.
    for _ in 0..40 {
        let Ok(target) = std::fs::read_link(&path) else { break };
        path = path.parent().map_or(target.clone(), |folder| folder.join(&target));
    }
    Some(path)
}

/// A new file beside another, under a name that nobody has, gone if it does not take its place.
fn part_of(path: &Path) -> std::io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&name).suffix(".part");
    #[cfg(unix)]
    {
        // As for any new file; the system takes away what the user does not want.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let part = builder.tempfile_in(folder.unwrap_or(Path::new(".")));
    // Its name would only puzzle.
    part.map_err(|error| error.kind().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: &[&Path] = &[];

    #[test]
    fn files_of_the_user_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
        std::fs::write(path("a.model.part"), "mine").unwrap();
        check(&path("a.model"), NONE).unwrap();
        write(&path("a.model"), b"whole").unwrap();
        assert_eq!((read("a.model").as_str(), read("a.model.part").as_str()), ("whole", "mine"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::{PermissionsExt, symlink};
            std::fs::set_permissions(path("a.model"), PermissionsExt::from_mode(0o640)).unwrap();
            symlink(path("a.model"), path("link")).unwrap();
            check(&path("link"), NONE).unwrap();
            write(&path("link"), b"through the link").unwrap();
            assert!(path("link").is_symlink());
            assert_eq!(read("a.model"), "through the link");
            symlink("later", path("link to come")).unwrap();
            write(&path("link to come"), b"now").unwrap();
            assert!(path("link to come").is_symlink());
            assert_eq!(read("later"), "now");
            let mode = std::fs::metadata(path("a.model")).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o640);
        }
        let nowhere = path("nowhere").join("x.model");
        let error = format!("{:#}", write(&nowhere, b"").unwrap_err());
        assert!(
            error.contains("x.model cannot be written: ") && !error.contains(".part"),
            "{error}"
        );
        let names = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, if cfg!(unix) { 5 } else { 2 }, "nothing is left over");
    }

    #[test]
    fn what_is_read_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["game.sgf", "page.html", "games.jsonl"] {
            std::fs::write(path(name), "kept").unwrap();
        }
        let game = path("game.sgf");
        let why = |wanted: &Path, read: &Path| {
            check(wanted, &[read]).err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert!(why(&game, &game).contains("one of the files that are read"));
        assert!(why(&path("./game.sgf"), &game).contains("name another one"));
        assert!(why(&game, folder.path()).contains("one of the files that are read"));
        assert!(why(&path("games.jsonl"), folder.path()).contains("that are read"));
        // Neither is read: the folder's other files, and what is not there yet.
        assert_eq!(why(&path("page.html"), folder.path()), "");
        assert_eq!(why(&path("new.sgf"), folder.path()), "");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&game, path("link.sgf")).unwrap();
            assert!(why(&path("link.sgf"), &game).contains("one of the files that are read"));
            let other = tempfile::tempdir().unwrap();
            std::os::unix::fs::symlink(&game, other.path().join("far.sgf")).unwrap();
            assert!(why(&other.path().join("far.sgf"), other.path()).contains("that are read"));
            assert_eq!(why(Path::new("/dev/null"), Path::new("/dev/null")), "");
        }
        let (a, b) = (path("a"), path("b"));
        assert!(check_all(&[Some(&a), None, Some(&b)], NONE).is_ok());
        let twice = check_all(&[Some(&a), None, Some(&a)], NONE).unwrap_err().to_string();
        assert!(twice.contains("twice"), "{twice}");
        let dotted = path(".").join("a");
        assert!(check_all(&[Some(&a), Some(&dotted)], NONE).is_err());
    }
}
