//! Staff's tasks across all applications.

use serde_json::json;

use crate::App;
use crate::error::{Error, Refusal};
use domain::input::FieldError;
use domain::listing::{Counted, MAX_COUNTED};
use domain::moments::Millis;
use domain::permission::Permission;
use domain::program::Program;
use domain::role::Role;
use domain::settings::{Owners, WorkRules};
use domain::staff::{Staff, StaffSession};
use domain::task::{ListedTask, Task, TaskKind, TaskPlace, Whose};
use store::{Stored, TaskQuery, TasksOf};

/// Tasks per page.
const A_PAGE: usize = 50;
/// Attempts to take the next task while colleagues keep taking the same ones.
const TRIES: usize = 5;
/// Number of colleagues whose load is shown.
const MAX_SHOWN_LOADS: usize = 30;

/// Filter and cursor for the list of tasks.
#[derive(Debug, Clone, Default)]
pub struct WorkView {
    pub whose: Whose,
    /// Without one, all that the role can do.
    pub kind: Option<TaskKind>,
    pub after: Option<TaskPlace>,
}

impl WorkView {
    /// Parses URL parameters; empty ones count as absent. Invalid ones are skipped and reported.
    pub fn parse<'a>(query: impl IntoIterator<Item = (&'a str, &'a str)>) -> (WorkView, Vec<FieldError>) {
        let (mut view, mut errors) = (WorkView::default(), Vec::new());
        for (name, value) in query.into_iter().filter(|(_, value)| !value.is_empty()) {
            let known = match name {
                "whose" => Whose::parse(value).map(|whose| view.whose = whose),
                "task" => TaskKind::parse(value).map(|kind| view.kind = Some(kind)),
                "after" => TaskPlace::parse(value).map(|place| view.after = Some(place)),
                _ => Some(()),
            };
            if known.is_none() {
                errors.push(FieldError::new(name, format!("{name}.invalid"), "This is none of what can be asked for."));
            }
        }
        (view, errors)
    }

    /// The parameters that it can be parsed from.
    pub fn to_query(&self) -> Vec<(&'static str, String)> {
        let whose = Some(self.whose.as_str().to_owned()).filter(|_| self.whose != Whose::default());
        let kind = self.kind.map(|kind| kind.as_str().to_owned());
        let after = self.after.as_ref().map(TaskPlace::to_text);
        let all = [("whose", whose), ("task", kind), ("after", after)];
        all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

/// A page of tasks, with the counts of the other lists.
#[derive(Debug, Clone)]
pub struct Work {
    pub tasks: Vec<ListedTask>,
    pub has_more: bool,
    pub tabs: Vec<(Whose, Counted)>,
    /// Kinds that occur in this tab.
    pub kinds: Vec<(TaskKind, Counted)>,
    /// Number of tasks per colleague, highest first; only filled for the whole team's tasks.
    pub load: Vec<(String, Counted)>,
    /// Number of payments not matched to an application, for staff who can place them.
    pub unplaced: i64,
}

impl App {
    /// The tasks that this role can do, most urgent first.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn work(&self, who: &StaffSession, view: &WorkView) -> Result<Work, Error> {
        who.staff.permit(Permission::Applications)?;
        let kinds: Vec<TaskKind> = TaskKind::of_role(who.staff.role).collect();
        let wanted: Vec<TaskKind> =
            kinds.iter().copied().filter(|kind| view.kind.is_none_or(|wanted| wanted == *kind)).collect();
        let query = TaskQuery {
            of: of(view.whose, &who.staff),
            kinds: &wanted,
            after: view.after.as_ref(),
            except: None,
            limit: A_PAGE as i64 + 1,
        };
        let mut tasks = self.listed_tasks(who, &query).await?;
        let has_more = tasks.len() > A_PAGE;
        tasks.truncate(A_PAGE);
        let (mut tabs, mut shown) = (Vec::new(), Vec::new());
        for whose in Whose::ALL {
            let counts = self.store.count_tasks(of(whose, &who.staff), &kinds).await?;
            tabs.push((whose, sum(&counts)));
            if whose == view.whose {
                shown = counts;
            }
        }
        let load = if view.whose == Whose::Everybody { self.load(&kinds).await? } else { Vec::new() };
        let unplaced = match who.staff.role.may(Permission::ManageFinance) {
            true => self.store.unmatched_payments().await?,
            false => 0,
        };
        Ok(Work { tasks, has_more, tabs, kinds: shown, load, unplaced })
    }

    async fn load(&self, kinds: &[TaskKind]) -> Result<Vec<(String, Counted)>, Error> {
        let mut load = Vec::new();
        for staff in self.store.all_staff().await?.into_iter().take(MAX_SHOWN_LOADS) {
            let counted = sum(&self.store.count_tasks(TasksOf::Staff(&staff.id), kinds).await?);
            if counted.number > 0 {
                load.push((staff.called().to_owned(), counted));
            }
        }
        load.sort_by_key(|(_, counted)| std::cmp::Reverse(counted.number));
        Ok(load)
    }

    /// The tasks as far as the role may see them.
    async fn listed_tasks(&self, who: &StaffSession, query: &TaskQuery<'_>) -> Stored<Vec<ListedTask>> {
        let tasks = self.store.tasks(query).await?;
        let may_know = who.staff.role.may(Permission::PersonalData);
        Ok(if may_know { tasks } else { tasks.into_iter().map(ListedTask::without_person).collect() })
    }

    /// The number of tasks assigned to a member of staff.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn own_tasks(&self, staff: &Staff) -> Result<Counted, Error> {
        let kinds: Vec<TaskKind> = TaskKind::of_role(staff.role).collect();
        Ok(sum(&self.store.count_tasks(TasksOf::Staff(&staff.id), &kinds).await?))
    }

    /// Assigns an unassigned task to the caller.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::TaskNotFound`], [`Refusal::TaskTaken`]
    pub async fn take_task(&self, who: &StaffSession, application_id: &str, task_id: &str) -> Result<(), Error> {
        let me = who.staff.id.as_str();
        self.give(who, application_id, task_id, (None, Some(me)), "task.taken").await
    }

    /// Unassigns one of the caller's own tasks.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::TaskNotFound`], [`Refusal::TaskTaken`] if it is not the caller's own
    pub async fn put_task_back(&self, who: &StaffSession, application_id: &str, task_id: &str) -> Result<(), Error> {
        let me = who.staff.id.as_str();
        self.give(who, application_id, task_id, (Some(me), None), "task.put_back").await
    }

    async fn give(
        &self,
        who: &StaffSession,
        application_id: &str,
        task_id: &str,
        (from, to): (Option<&str>, Option<&str>),
        action: &'static str,
    ) -> Result<(), Error> {
        who.staff.permit(Permission::Applications)?;
        let open = self.store.open_tasks(application_id).await?;
        let task = open.iter().find(|task| task.id == task_id).ok_or(Refusal::TaskNotFound)?;
        who.staff.permit(task.kind.permission())?;
        // The reader is chosen by the person who asks.
        if task.kind == TaskKind::Reading {
            return Err(Refusal::TaskPersonal.into());
        }
        let detail = json!({ "task": task.id, "kind": task.kind.as_str() });
        let audit = self.about_application(who, application_id, action, detail);
        if self.store.give_task(task_id, from, to, &audit).await? { Ok(()) } else { Err(Refusal::TaskTaken.into()) }
    }

    /// The next task after those of the application that the caller comes from: the caller's own next one, or else the
    /// most urgent unassigned one, which is then assigned to them, or else the first of their own.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn next_task(&self, who: &StaffSession, from: Option<&str>) -> Result<Option<ListedTask>, Error> {
        who.staff.permit(Permission::Applications)?;
        let kinds: Vec<TaskKind> = TaskKind::of_role(who.staff.role).collect();
        let here = match from {
            Some(from) => self.store.open_tasks(from).await?,
            None => Vec::new(),
        };
        let here = here.iter().filter(|task| kinds.contains(&task.kind)).map(Task::place).min();
        let query = |of, after| TaskQuery { of, kinds: &kinds, after, except: from, limit: 1 };
        let own = TasksOf::Staff(&who.staff.id);
        if let Some(next) = self.listed_tasks(who, &query(own, here.as_ref())).await?.into_iter().next() {
            return Ok(Some(next));
        }
        for _ in 0..TRIES {
            let Some(next) = self.listed_tasks(who, &query(TasksOf::Nobody, None)).await?.into_iter().next() else {
                break;
            };
            match self.take_task(who, &next.application_id, &next.task.id).await {
                Ok(()) => return Ok(Some(next)),
                // A colleague was faster.
                Err(Error::Refused(Refusal::TaskTaken | Refusal::TaskNotFound)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.listed_tasks(who, &query(own, None)).await?.into_iter().next())
    }

    /// The owner for an application to this program that is being submitted now.
    pub(crate) async fn owner_by_rule(&self, rules: &WorkRules, program: Program) -> Stored<Option<String>> {
        if rules.owners == Owners::Nobody {
            return Ok(None);
        }
        let mut first: Option<(Millis, String)> = None;
        for staff in self.store.all_staff().await? {
            let reviews = staff.suspended_at.is_none() && staff.role == Role::Reviewer;
            if !reviews || !rules.gives_to(program, &staff.email) {
                continue;
            }
            // The lowest rank wins: the longest time since the last assignment, or the fewest tasks.
            let rank = match rules.owners {
                Owners::ByLoad => sum(&self.store.count_tasks(TasksOf::Staff(&staff.id), &TaskKind::ALL).await?).number,
                Owners::InTurn | Owners::Nobody => self.store.last_given(&staff.id).await?.unwrap_or_default(),
            };
            if first.as_ref().is_none_or(|(least, _)| rank < *least) {
                first = Some((rank, staff.id));
            }
        }
        Ok(first.map(|(_, id)| id))
    }
}

fn of(whose: Whose, staff: &Staff) -> TasksOf<'_> {
    match whose {
        Whose::Mine => TasksOf::Staff(&staff.id),
        Whose::Unassigned => TasksOf::Nobody,
        Whose::Everybody => TasksOf::Everybody,
    }
}

fn sum(counts: &[(TaskKind, Counted)]) -> Counted {
    let number: i64 = counts.iter().map(|(_, counted)| counted.number).sum();
    let is_all = number <= MAX_COUNTED && counts.iter().all(|(_, counted)| counted.is_all);
    Counted { number: number.min(MAX_COUNTED), is_all }
}
