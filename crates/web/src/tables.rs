//! All tables of a server, found by name. There is room for so many; the one that nobody has looked
//! at for longest makes room for another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use engine::Library;

use crate::backend::Backend;
use crate::limits::Limits;
use crate::table::{Shared, Table, lock};

/// All tables of a server.
pub struct Tables {
    by_name: Mutex<HashMap<String, Shared>>,
    library: Arc<Library>,
    backend: Arc<dyn Backend>,
    limits: Limits,
}

impl Tables {
    /// No tables yet.
    pub fn new(library: Arc<Library>, backend: Arc<dyn Backend>, limits: Limits) -> Tables {
        Tables { by_name: Mutex::default(), library, backend, limits }
    }

    /// The table of this name if it is still there, else a new one; none if there is somebody at every
    /// table. A name that could be a table's stays: pages that knew it, from before the server was
    /// started, meet there again and can bring their game back.
    pub fn table(&self, name: Option<&str>) -> Option<Shared> {
        let mut tables = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = name.and_then(|name| tables.get(name)) {
            return Some(Arc::clone(table));
        }
        let now = Instant::now();
        tables.retain(|_, table| {
            let (watchers, used) = lock(table).attention();
            watchers > 0 || now - used < self.limits.idle
        });
        if tables.len() >= self.limits.boards {
            let unused = tables.iter().filter_map(|(name, table)| {
                let (watchers, used) = lock(table).attention();
                (watchers == 0).then(|| (used, name.clone()))
            });
            let (_, oldest) = unused.min()?;
            tables.remove(&oldest);
        }
        let name = match name.filter(|name| is_name(name)) {
            Some(name) => name.to_owned(),
            None => random_name()?,
        };
        let (library, backend) = (Arc::clone(&self.library), Arc::clone(&self.backend));
        let table = Table::new(name.clone(), library, backend, self.limits.clone());
        let table = Arc::new(Mutex::new(table));
        tables.insert(name, Arc::clone(&table));
        Some(table)
    }
}

/// A name that nobody guesses: whoever knows it has the board.
fn random_name() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether a table may have such a name.
fn is_name(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_room(boards: usize) -> Tables {
        let library = Library::new(|_, _| unreachable!("nobody thinks here"));
        Tables::new(
            Arc::new(library),
            Arc::new(crate::backend::EmptyBackend),
            Limits { boards, ..Limits::default() },
        )
    }

    fn id(table: &Shared) -> String {
        lock(table).id().to_owned()
    }

    #[test]
    fn tables_are_found_again_by_name_only() {
        let tables = with_room(3);
        let first = tables.table(None).unwrap();
        assert!(Arc::ptr_eq(&first, &tables.table(Some(&id(&first))).unwrap()));
        let other = tables.table(Some("no such name")).unwrap();
        assert_ne!(id(&other), "no such name");
        assert_eq!(tables.by_name.lock().unwrap().len(), 2);
        // A table that is gone, or of a server that was started anew, is empty and keeps its name.
        let name = "0123456789abcdef".repeat(2);
        let again = tables.table(Some(&name)).unwrap();
        assert_eq!(id(&again), name);
        assert!(Arc::ptr_eq(&again, &tables.table(Some(&name)).unwrap()));
        assert!(!is_name(&name.to_uppercase()) && !is_name(&name[1..]));
    }

    #[test]
    fn the_longest_unused_makes_room_and_attended_ones_stay() {
        let tables = with_room(2);
        let (first, second) = (tables.table(None).unwrap(), tables.table(None).unwrap());
        let _view = lock(&first).attend();
        let third = tables.table(None).unwrap();
        assert_eq!(tables.by_name.lock().unwrap().len(), 2);
        assert!(Arc::ptr_eq(&first, &tables.table(Some(&id(&first))).unwrap()));
        assert_ne!(id(&tables.table(Some(&id(&third))).unwrap()), id(&second));
        let _others = lock(&third).attend();
        assert!(tables.table(None).is_none());
    }
}
