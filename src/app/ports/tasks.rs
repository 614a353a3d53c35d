//! What staff have to do, and what that needs of the store.

use async_trait::async_trait;

use super::{AuditEntry, Counted, Millis, Stored};
use domain::program::Program;
use domain::status::Stage;
use domain::task::TaskKind;

/// Something for staff to do or to know.
#[derive(Debug, Clone)]
pub struct Task {
    pub id: String,
    pub kind: TaskKind,
    /// `application:ID`
    pub subject: String,
    /// What else has to be known, as a JSON object.
    pub detail: serde_json::Value,
    pub created_at: Millis,
    pub due_at: Option<Millis>,
}

/// Whose tasks are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TasksOf<'a> {
    Staff(&'a str),
    Nobody,
    Everybody,
}

/// A place in the list of tasks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskPlace {
    /// When it is to be done by, or since when it waits.
    pub moment: Millis,
    pub id: String,
}

/// What tasks are asked for, the most pressing first.
#[derive(Debug, Clone)]
pub struct TaskQuery<'a> {
    pub of: TasksOf<'a>,
    pub kinds: &'a [TaskKind],
    /// Those behind this one.
    pub after: Option<&'a TaskPlace>,
    /// None of this application.
    pub except: Option<&'a str>,
    pub limit: i64,
}

/// A task with what it is about.
#[derive(Debug, Clone)]
pub struct ListedTask {
    pub task: Task,
    pub application_id: String,
    pub first_name: String,
    pub last_name: String,
    pub reference: Option<String>,
    pub program: Program,
    pub stage: Stage,
    /// The id and name of whom it is given to.
    pub owner: Option<(String, String)>,
}

impl TaskPlace {
    /// As it stands in addresses.
    pub fn to_text(&self) -> String {
        format!("{}.{}", self.moment, self.id)
    }

    pub fn parse(text: &str) -> Option<TaskPlace> {
        let (moment, id) = text.split_once('.')?;
        let is_id = id.len() <= 100 && !id.contains('\0');
        Some(TaskPlace { moment: moment.parse().ok()?, id: id.to_owned() }).filter(|_| is_id)
    }
}

impl Task {
    pub fn place(&self) -> TaskPlace {
        TaskPlace { moment: self.due_at.unwrap_or(self.created_at), id: self.id.clone() }
    }
}

impl ListedTask {
    /// For roles that may not know whose it is: called by its reference.
    #[must_use]
    pub fn without_person(self) -> ListedTask {
        let last_name = self.reference.clone().unwrap_or_default();
        ListedTask { first_name: String::new(), last_name, ..self }
    }
}

#[async_trait]
pub trait Tasks: Send + Sync {
    /// Whether there is an open task of this kind about the subject.
    async fn has_task(&self, subject: &str, kind: TaskKind) -> Stored<bool>;
    /// Those of an application that are open, oldest first.
    async fn open_tasks(&self, application_id: &str) -> Stored<Vec<Task>>;
    /// Closes the tasks of a kind about the subject. There was none: false.
    async fn finish_tasks(&self, subject: &str, kind: TaskKind, audit: &AuditEntry) -> Stored<bool>;
    /// Closes one of an application, by somebody who has looked at it. Closed already: false.
    async fn tick_off(
        &self,
        application_id: &str,
        task_id: &str,
        by: &str,
        note: &str,
        audit: &AuditEntry,
    ) -> Stored<bool>;
    /// Opens one again that `by` has ticked off. It was closed otherwise, the stage has changed since, or the same is open
    /// meanwhile: false.
    async fn untick(&self, application_id: &str, task_id: &str, by: &str, audit: &AuditEntry) -> Stored<bool>;
    /// Closes up to `limit` open tasks, in the order of their ids behind `after`, that a later change of stage should have closed;
    /// the id of the last one that was looked at, `None` at the end.
    async fn close_overtaken_tasks(&self, after: &str, limit: i64, now: Millis) -> Stored<Option<String>>;
    /// Open tasks of all applications.
    async fn tasks(&self, query: &TaskQuery<'_>) -> Stored<Vec<ListedTask>>;
    /// How many of each kind are open.
    async fn count_tasks(&self, of: TasksOf<'_>, kinds: &[TaskKind]) -> Stored<Vec<(TaskKind, Counted)>>;
    /// Gives an open task from somebody to somebody. It is somebody else's meanwhile, or closed: false.
    async fn give_task(&self, task_id: &str, from: Option<&str>, to: Option<&str>, audit: &AuditEntry) -> Stored<bool>;
}
