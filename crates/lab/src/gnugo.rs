//! Where GNU Go is and how it is told to play by the rules of a match.

use std::path::{Path, PathBuf};

use goban::{Ko, Rules, Scoring};

/// GNU Go is not on this machine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "GNU Go is not installed: there is no 'gnugo' in PATH or /usr/games (apt-get install gnugo)"
)]
pub struct NoGnuGo;

/// Where Debian puts games, which is not in everybody's PATH.
const GAMES: &str = "/usr/games";

/// The command line for a level. Dead stones are taken off before it passes, as other programs want
/// it, and `{seed}` becomes the seed of each game.
pub fn command(level: u8, rules: &Rules) -> Result<String, NoGnuGo> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.push(GAMES.into());
    let program = folders.iter().map(|folder| folder.join("gnugo")).find(|file| file.is_file());
    Ok(line(&program.ok_or(NoGnuGo)?, level, rules))
}

fn line(program: &Path, level: u8, rules: &Rules) -> String {
    let counting = match rules.scoring {
        Scoring::Area => "--chinese-rules --capture-all-dead",
        Scoring::Territory => "--japanese-rules",
    };
    let ko = match rules.ko {
        Ko::Simple => "--simple-ko",
        Ko::Positional => "--positional-superko",
        Ko::Situational => "--situational-superko",
    };
    let suicide = if rules.suicide { " --allow-suicide" } else { "" };
    let program = program.display();
    format!("'{program}' --mode gtp {counting} {ko}{suicide} --level {level} --seed {{seed}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_the_rules() {
        let line = |rules| line(Path::new("gnugo"), 10, &rules);
        assert_eq!(
            line(Rules::CGOS),
            "'gnugo' --mode gtp --chinese-rules --capture-all-dead --positional-superko --level 10 \
             --seed {seed}"
        );
        assert!(line(Rules::CHINESE).contains("--simple-ko"));
        assert!(line(Rules::JAPANESE).contains("--japanese-rules --simple-ko"));
        assert!(line(Rules::NEW_ZEALAND).contains("--situational-superko --allow-suicide"));
    }
}
