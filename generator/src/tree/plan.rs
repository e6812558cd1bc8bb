//! The steps that make a folder the same as a tree.

use super::disk::{NEW, beside, cannot, incomplete, remove_empty_folders, replace, stage};
use super::list::{List, MANIFEST, ROOT, STOP};
use super::{Difference, Tree};
use std::path::Path;
use std::{fs, io};

/// The ending of the hidden name of [`STOP`].
const STOPPED: &str = "kapigen-stop";

/// All endings of hidden names.
pub(super) const ENDINGS: [&str; 2] = [NEW, STOPPED];

/// The steps that make a folder equal to a tree. If a run ends between any two of them, the crate
/// cannot compile by accident:
///
/// 1. The list of files claims the files that will be written, so that a later run may replace
///    them.
/// 2. All contents are written beside their destinations. This is where a disk is full, or may not
///    be written.
/// 3. The root of the crate is replaced by an error, unless all is done by one rename anyway.
/// 4. All other files are moved to their destinations, and files that are no longer generated are
///    removed.
/// 5. The root is moved to its destination, and after it the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The list before the first step, if there is one.
    list: Option<String>,
    /// The steps that leave the crate as it is: claiming and staging.
    prepare: Vec<PlanStep>,
    /// The steps that change it.
    replace: Vec<PlanStep>,
}

/// A change of one file. Paths are relative to the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanStep {
    /// Writes a file that is not part of the crate.
    Stage {
        /// Its path.
        path: String,
        /// Its content.
        text: String,
    },
    /// Moves such a file to its destination.
    Place {
        /// Its staged path.
        from: String,
        /// Its final path.
        path: String,
    },
    /// Removes a file, and the folders that are empty without it.
    Remove {
        /// The file. It need not be there.
        path: String,
    },
}

impl Plan {
    /// `list` are the files that belong to kapigen at the end, `owned` the ones that belong to it
    /// already, and `left` the ones that it wrote beside them and left there.
    pub(super) fn new(
        tree: &Tree,
        list: &List,
        differences: &[Difference],
        owned: &List,
        left: Vec<String>,
    ) -> Self {
        let mut plan = Self::default();
        let changes = differences.iter().filter(|difference| difference.path != MANIFEST);
        let is_crate = owned.has(ROOT) || tree.files.contains_key(ROOT);
        let stops = is_crate && changes.clone().count() > 1;
        let old_list = differences.iter().find(|difference| difference.path == MANIFEST);
        plan.list = old_list.map_or_else(|| Some(list.text()), |difference| difference.old.clone());
        let claims = owned.clone().and(list.clone()).text();
        let list = list.text();
        if plan.list.as_ref() != Some(&claims) {
            plan.prepare.extend(stage_and_place(MANIFEST, &claims));
        }
        plan.prepare.extend(Self::only_removing(left).prepare);
        for Difference { path, new, .. } in
            changes.filter(|difference| !stops || difference.path != ROOT)
        {
            match new {
                Some(text) => plan.put(path, text),
                None => plan.replace.push(PlanStep::Remove { path: path.clone() }),
            }
        }
        if stops {
            plan.stop(tree.files.get(ROOT));
        }
        if list != claims {
            plan.put(MANIFEST, &list);
        }
        plan
    }

    pub(super) fn only_removing(paths: Vec<String>) -> Self {
        let prepare = paths.into_iter().map(|path| PlanStep::Remove { path }).collect();
        Self { prepare, ..Self::default() }
    }

    /// Writes a file beside its place now, and puts it there later.
    fn put(&mut self, path: &str, text: &str) {
        let [stage, place] = stage_and_place(path, text);
        self.prepare.push(stage);
        self.replace.push(place);
    }

    /// Prevents compilation from the first replacement to the last.
    fn stop(&mut self, root: Option<&String>) {
        let from = beside(ROOT, STOPPED);
        self.prepare.push(PlanStep::Stage { path: from.clone(), text: STOP.to_owned() });
        self.replace.insert(0, PlanStep::Place { from, path: ROOT.to_owned() });
        match root {
            Some(text) => self.put(ROOT, text),
            None => self.replace.push(PlanStep::Remove { path: ROOT.to_owned() }),
        }
    }

    /// All steps, in their order.
    pub fn steps(&self) -> impl Iterator<Item = &PlanStep> {
        self.prepare.iter().chain(&self.replace)
    }

    /// Carries out all steps.
    ///
    /// # Errors
    /// When the disk fails. If it does before anything was replaced, all is as it was.
    pub fn carry_out(&self, folder: &Path) -> io::Result<()> {
        for (done, step) in self.prepare.iter().enumerate() {
            step.carry_out(folder).inspect_err(|_| self.undo(&self.prepare[..done], folder))?;
        }
        let replaced = self.replace.iter().try_for_each(|step| step.carry_out(folder));
        replaced.map_err(|error| incomplete("the crate", &error))
    }

    /// Errors are ignored: the first one is reported.
    fn undo(&self, done: &[PlanStep], folder: &Path) {
        for step in done {
            if let PlanStep::Stage { path, .. } = step {
                let _ = PlanStep::Remove { path: path.clone() }.carry_out(folder);
            }
        }
        let _ = match &self.list {
            Some(list) => replace(&folder.join(MANIFEST), list),
            None => PlanStep::Remove { path: MANIFEST.to_owned() }.carry_out(folder),
        };
    }
}

fn stage_and_place(path: &str, text: &str) -> [PlanStep; 2] {
    let from = beside(path, NEW);
    [
        PlanStep::Stage { path: from.clone(), text: text.to_owned() },
        PlanStep::Place { from, path: path.to_owned() },
    ]
}

impl PlanStep {
    /// # Errors
    /// When the disk fails. Half of a file that was to be staged is removed.
    pub fn carry_out(&self, folder: &Path) -> io::Result<()> {
        match self {
            PlanStep::Stage { path, text } => {
                let file = folder.join(path);
                stage(&file, text).map_err(|error| {
                    remove_empty_folders(folder, path);
                    cannot("write", &file, &error)
                })
            }
            PlanStep::Place { from, path } => {
                let path = folder.join(path);
                fs::rename(folder.join(from), &path)
                    .map_err(|error| cannot("replace", &path, &error))
            }
            PlanStep::Remove { path } => {
                let file = folder.join(path);
                match fs::remove_file(&file) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => {
                        return Err(cannot("remove", &file, &error));
                    }
                    _ => {}
                }
                remove_empty_folders(folder, path);
                Ok(())
            }
        }
    }
}
