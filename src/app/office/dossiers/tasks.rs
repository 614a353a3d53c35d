//! Tasks about an application.

use serde_json::json;

use crate::App;
use crate::error::{Error, Refusal};
use domain::input::{FieldError, Input, several_lines};
use domain::permission::Permission;
use domain::staff::StaffSession;
use domain::task::Task;

/// Maximum number of characters in a note.
const MAX_NOTE: usize = 500;
/// Open tasks per batch.
const AT_ONCE: i64 = 200;

/// An optional note on a ticked-off task.
#[derive(Debug, Clone)]
pub struct TaskNote(String);

impl TaskNote {
    /// Parses the field at `path`.
    ///
    /// # Errors
    /// `PATH.type`, `PATH.too_long`, `PATH.invalid`.
    pub fn parse(path: &str, input: Option<&Input>) -> Result<TaskNote, FieldError> {
        Ok(TaskNote(several_lines(path, "The note", input, MAX_NOTE)?.unwrap_or_default()))
    }
}

impl App {
    /// The open tasks about an application, oldest first.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn tasks_of(&self, who: &StaffSession, application_id: &str) -> Result<Vec<Task>, Error> {
        who.staff.permit(Permission::Applications)?;
        Ok(self.store.open_tasks(application_id).await?)
    }

    /// Closes a task that does not close by itself, with an optional note.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::TaskNotFound`], [`Refusal::TaskClosesItself`]
    pub async fn tick_off(
        &self,
        who: &StaffSession,
        application_id: &str,
        task_id: &str,
        note: &TaskNote,
    ) -> Result<(), Error> {
        who.staff.permit(Permission::Applications)?;
        let open = self.store.open_tasks(application_id).await?;
        let task = open.iter().find(|task| task.id == task_id).ok_or(Refusal::TaskNotFound)?;
        if !task.kind.is_ticked_off() {
            return Err(Refusal::TaskClosesItself.into());
        }
        if !task.kind.may_be_ticked_off_by(who.staff.role) {
            return Err(Refusal::RoleForbidden.into());
        }
        let by = format!("staff:{}", who.staff.id);
        let detail = json!({ "task": task.id, "kind": task.kind.as_str() });
        let audit = self.about_application(who, application_id, "task.closed", detail);
        if self.store.tick_off(application_id, task_id, &by, &note.0, &audit).await? {
            Ok(())
        } else {
            Err(Refusal::TaskNotFound.into())
        }
    }

    /// Reopens a task that the caller has ticked off.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::TaskNotFound`] if somebody else closed it, or nothing is left to do about
    /// it.
    pub async fn untick(&self, who: &StaffSession, application_id: &str, task_id: &str) -> Result<(), Error> {
        who.staff.permit(Permission::Applications)?;
        let by = format!("staff:{}", who.staff.id);
        let audit = self.about_application(who, application_id, "task.reopened", json!({ "task": task_id }));
        let is_open = self.store.untick(application_id, task_id, &by, &audit).await?;
        if is_open { Ok(()) } else { Err(Refusal::TaskNotFound.into()) }
    }

    /// Closes tasks made obsolete by changes of stage, if that was missed.
    pub(crate) async fn close_overtaken_tasks(&self) -> Result<(), Error> {
        let mut after = String::new();
        while let Some(last) = self.store.close_overtaken_tasks(&after, AT_ONCE, self.clock.now()).await? {
            after = last;
        }
        Ok(())
    }
}
