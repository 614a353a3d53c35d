//! The job that works on an import, some rows at a time. A row is checked when its columns are mapped, and again when it
//! is imported, since the world may have changed; it is imported, or undone, in a transaction of its own, so that a
//! process that dies leaves none half done.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::App;
use crate::applications::acts::{Actor, Command, Preconditions, Unable};
use crate::error::{Error, Refusal};
use crate::jobs::Ran;
use domain::account::{Applicant, ImportedPerson, Profile};
use domain::application::{Application, ApplicationKey, Release};
use domain::clocks;
use domain::import::{Fields, Import, Mapping, Problem, Row, RowOutline, RowState, State};
use domain::moments::Millis;
use domain::role::Role;
use domain::status::{Act, Facts, Stage};
use jiff::civil::Date;
use store::{BroughtIn, CheckedRow, Claimed, ImportedRow, Job, KnownAccount, StoreError, Transition};

/// Rows that are loaded at a time.
const ROWS_AT_ONCE: i64 = 100;
/// How long a turn of the job may take; then others get theirs.
const TURN: Duration = Duration::from_secs(5);

/// A row that can be imported, and the account of its address if there is one.
struct Importable {
    outline: RowOutline,
    account: Option<Applicant>,
    has_active: bool,
}

/// Who a row of a table is about.
struct Somebody {
    row: i64,
    first_name: String,
    last_name: String,
    born: Date,
}

impl Somebody {
    fn of(row: i64, person: &ImportedPerson) -> Somebody {
        let ImportedPerson { first_name, last_name, date_of_birth, .. } = person;
        Somebody { row, first_name: first_name.clone(), last_name: last_name.clone(), born: *date_of_birth }
    }

    fn is_other_than(&self, person: &ImportedPerson) -> bool {
        !is_same(&self.first_name, &self.last_name, self.born, person)
    }
}

/// Whether name or date of birth are the same: either can have a typing error. Families and agencies share addresses.
fn is_same(first_name: &str, last_name: &str, born: Date, person: &ImportedPerson) -> bool {
    let alike = |one: &str, other: &str| one.to_lowercase() == other.to_lowercase();
    let is_named = alike(first_name, &person.first_name) && alike(last_name, &person.last_name);
    is_named || born == person.date_of_birth
}

impl App {
    /// [`jobs::IMPORT`](crate::jobs::IMPORT)
    pub(crate) async fn work_on_import(&self, job: &Job) -> Result<Ran, Error> {
        let id = job.subject.strip_prefix("import:").unwrap_or(&job.subject);
        let Some(import) = self.store.import(id).await? else { return Ok(Ran::Done) };
        let detail = |name: &str| job.detail[name].as_str().unwrap_or_default();
        let actor = Actor::of_staff(detail("staff"), Role::parse(detail("role")).unwrap_or(Role::Viewer));
        let (is_done, next) = match import.state {
            State::Checking => (self.check_some(&import).await?, State::Checked),
            State::Running => (self.import_some(&import, &actor).await?, State::Done),
            State::Undoing => (self.undo_some(&import, &actor).await?, State::Undone),
            _ => return Ok(Ran::Done),
        };
        let now = self.clock.now();
        if !is_done {
            return Ok(Ran::AgainAt(now));
        }
        self.store.move_import(id, (import.state, next), None, None, now).await?;
        Ok(Ran::Done)
    }

    /// Checks the next rows. Returns whether those were the last.
    async fn check_some(&self, import: &Import) -> Result<bool, Error> {
        let begun = Instant::now();
        let rows = self.store.rows_in_state(&import.id, RowState::Unchecked, ROWS_AT_ONCE).await?;
        let fields = self.import_columns().await?;
        let Claimed { emails, references } = self.store.claimed_by_rows(&import.id).await?;
        let (mut emails, mut references): (HashMap<_, _>, HashMap<_, _>) =
            (emails.into_iter().collect(), references.into_iter().collect());
        let mut people: HashMap<String, Somebody> = HashMap::new();
        let mut checked = Vec::with_capacity(rows.len());
        for row in &rows {
            if begun.elapsed() > TURN {
                break;
            }
            let (mut problems, importable) = self.check_row(row, &import.mapping, &fields).await?;
            let (mut email, mut reference) = (None, None);
            if let Some(Importable { outline, .. }) = &importable {
                email = outline.outcome.is_active().then(|| outline.person.email.key());
                reference = outline.former_reference.clone();
                let person = &outline.person;
                let before = people.entry(person.email.key()).or_insert_with(|| Somebody::of(row.number, person));
                if before.is_other_than(person) {
                    let sentence = format!("Row {} has this address for somebody else. Check both.", before.row);
                    problems.push(Problem::wrong("email", "other_person", sentence));
                }
                if let Some(other) = email.as_ref().and_then(|email| emails.get(email)) {
                    let sentence = format!("Row {other} has an application of this address already that is not over.");
                    problems.push(Problem::wrong("email", "repeated", sentence));
                }
                if let Some(other) = reference.as_ref().and_then(|reference| references.get(reference)) {
                    let sentence = format!("Row {other} has the same former reference.");
                    problems.push(Problem::wrong("formerReference", "repeated", sentence));
                }
            }
            let state = state_of(&problems);
            if state == RowState::Wrong {
                (email, reference) = (None, None);
            }
            emails.extend(email.clone().map(|email| (email, row.number)));
            references.extend(reference.clone().map(|reference| (reference, row.number)));
            let (active_email_key, former_reference) = (email, reference);
            checked.push(CheckedRow { number: row.number, state, problems, active_email_key, former_reference });
        }
        self.store.save_checks(&import.id, &checked).await?;
        Ok(rows.is_empty())
    }

    /// Checks a row on its own, and against what is there.
    async fn check_row(
        &self,
        row: &Row,
        mapping: &Mapping,
        fields: &Fields,
    ) -> Result<(Vec<Problem>, Option<Importable>), Error> {
        let cells = row.cells.as_deref().unwrap_or_default();
        let checked = fields.check(cells, mapping, self.today());
        let mut problems = checked.problems;
        let Some(outline) = checked.outline else { return Ok((problems, None)) };
        let account = self.store.account_of_address(&outline.person.email.key()).await?;
        let has_active = account.as_ref().is_some_and(|account| account.has_active);
        if let Some(account) = &account {
            problems.push(about_account(account, &outline));
        }
        if let Some(reference) = &outline.former_reference
            && let Some((name, number)) = self.store.imported_reference(reference).await?
        {
            let sentence = format!("It was imported already: row {number} of “{name}”.");
            problems.push(Problem::wrong("formerReference", "imported", sentence));
        }
        let is_right = state_of(&problems) != RowState::Wrong;
        let account = account.map(|account| account.applicant);
        Ok((problems, is_right.then_some(Importable { outline, account, has_active })))
    }

    /// Imports the next rows. Returns whether those were the last.
    async fn import_some(&self, import: &Import, actor: &Actor) -> Result<bool, Error> {
        let begun = Instant::now();
        let rows = self.store.importable_rows(&import.id, ROWS_AT_ONCE).await?;
        if rows.is_empty() {
            return Ok(true);
        }
        let fields = self.import_columns().await?;
        // Nobody knows this password: applicants set one by mail.
        let password_hash = self.passwords.hash(self.random.secret()).await?;
        for row in rows.iter().take_while(|_| begun.elapsed() < TURN) {
            let mut tried = self.try_row(import, row, &fields, actor, &password_hash).await;
            // Somebody registered or applied a moment ago: the row means something else now.
            if let Err(Error::Refused(Refusal::EmailTaken | Refusal::ApplicationActive)) = tried {
                tried = self.try_row(import, row, &fields, actor, &password_hash).await;
            }
            let problems = match tried {
                Ok(None) => continue,
                Ok(Some(problems)) => problems,
                Err(error @ Error::Unavailable(_)) => return Err(error),
                // Another import brought it in a moment ago.
                Err(Error::Internal(StoreError::Taken("former_reference"))) => {
                    let sentence = "Another import has just brought in this former reference.";
                    vec![Problem::wrong("formerReference", "imported", sentence)]
                }
                // One row does not stop the others.
                Err(error) => {
                    let (import, row) = (&import.id, row.number);
                    tracing::warn!(
                        import,
                        row,
                        error = &error as &dyn std::error::Error,
                        "a row could not be imported"
                    );
                    vec![Problem::wrong("", "refused", error.sentence().to_string())]
                }
            };
            let wrong = CheckedRow {
                number: row.number,
                state: RowState::Wrong,
                problems,
                active_email_key: None,
                former_reference: None,
            };
            self.store.save_checks(&import.id, &[wrong]).await?;
        }
        Ok(false)
    }

    /// Imports a row, or returns what is wrong with it.
    async fn try_row(
        &self,
        import: &Import,
        row: &Row,
        fields: &Fields,
        actor: &Actor,
        password_hash: &str,
    ) -> Result<Option<Vec<Problem>>, Error> {
        let (problems, importable) = self.check_row(row, &import.mapping, fields).await?;
        let Some(importable) = importable else { return Ok(Some(problems)) };
        self.bring_in(import, row.number, importable, actor, password_hash).await?;
        Ok(None)
    }

    async fn bring_in(
        &self,
        import: &Import,
        number: i64,
        importable: Importable,
        actor: &Actor,
        password_hash: &str,
    ) -> Result<Application, Error> {
        let Importable { outline, account, has_active } = importable;
        let now = self.clock.now();
        let is_new = account.is_none();
        let applicant = account.unwrap_or_else(|| self.imported_applicant(&outline, now, password_hash));
        let application = self.application_from(&outline, &applicant.id, now);
        let detail = json!({ "import": import.id, "row": number });
        let about_account = is_new.then(|| {
            let subject = format!("applicant:{}", applicant.id);
            self.audit_entry(actor.name().to_owned(), subject, "applicant.imported", detail.clone())
        });
        let brought_in = BroughtIn {
            applicant: is_new.then(|| applicant.clone()),
            application: application.clone(),
            import_id: import.id.clone(),
            row_number: number,
            former_reference: outline.former_reference.clone(),
            intake: outline.intake.filter(|_| !outline.outcome.is_active()),
            tag: import.mapping.tag.clone(),
            at: now,
            audit: about_account,
        };
        let tell = import.mapping.tell;
        let reached = outline.outcome.reached();
        let command = Command {
            act: outline.outcome.act(),
            actor: actor.clone(),
            applicant: &applicant,
            facts: &|_| Facts { no_other_active: !has_active, ..Facts::default() },
            detail,
            also: &|_, transition: &mut Transition| {
                transition.brings_in = Some(Box::new(brought_in.clone()));
                transition.former = reached;
                // It says how to get into a new account.
                if !tell || !is_new {
                    transition.mails.clear();
                }
            },
            conditions: Preconditions::default(),
        };
        Ok(self.act(application, command).await?)
    }

    fn imported_applicant(&self, outline: &RowOutline, now: Millis, password_hash: &str) -> Applicant {
        let person = &outline.person;
        Applicant {
            id: self.random.id(),
            email: person.email.as_str().to_owned(),
            profile: Profile {
                first_name: person.first_name.clone(),
                last_name: person.last_name.clone(),
                date_of_birth: person.date_of_birth,
                phone_number: person.phone_number.clone(),
                country: person.country.clone(),
                state: person.state.clone(),
                time_zone: String::new(),
                reminders: true,
                language: person.language.unwrap_or_default(),
            },
            password_hash: password_hash.to_owned(),
            code_seed: None,
            passkeys: 0,
            disabled_at: None,
            created_at: now,
            email_confirmed_at: None,
        }
    }

    /// The application as it comes in, before the act that says at which stage.
    fn application_from(&self, outline: &RowOutline, applicant_id: &str, now: Millis) -> Application {
        let zone = clocks::zone(&self.settings.time_zone);
        let noon = |day: Date| clocks::moment(day.at(12, 0, 0, 0), &zone).map(|at| at.min(now));
        let is_past = !outline.outcome.is_active();
        let ended_at = outline.decided_on.and_then(noon).filter(|_| is_past);
        let is_submitted = outline.outcome.act() != Act::ImportDraft;
        let submitted_at = is_submitted.then(|| outline.submitted_on.and_then(noon).or(ended_at).unwrap_or(now));
        let ended_at = is_past.then(|| ended_at.or(submitted_at).unwrap_or(now));
        Application {
            id: self.random.id(),
            applicant_id: applicant_id.to_owned(),
            program: outline.program,
            stage: Stage::None,
            answers: outline.answers.clone(),
            revision: 1,
            reference: None,
            created_at: submitted_at.unwrap_or(now),
            updated_at: now,
            submitted_at,
            archived_at: ended_at,
            // Without both days, nobody knows how long the decision took.
            released: outline
                .submitted_on
                .and(outline.decided_on)
                .and(ended_at)
                .filter(|_| outline.outcome.is_decided())
                .map(|at| Release { at, from: Stage::Submitted }),
        }
    }

    /// Undoes the next rows. Returns whether those were the last.
    async fn undo_some(&self, import: &Import, actor: &Actor) -> Result<bool, Error> {
        let begun = Instant::now();
        let rows = self.store.imported_rows(&import.id, ROWS_AT_ONCE).await?;
        for ImportedRow { number, application_id } in rows.iter().take_while(|_| begun.elapsed() < TURN) {
            let found = self.store.application(ApplicationKey::Id(application_id)).await?;
            let is_untouched = self.store.is_only_imported(application_id).await?;
            let undone = match found {
                Some((applicant, application)) if is_untouched => {
                    self.take_back(import, *number, (&applicant, application), actor).await?
                }
                _ => false,
            };
            if !undone {
                self.store.keep_row(&import.id, *number).await?;
            }
        }
        Ok(rows.is_empty())
    }

    /// Returns whether the application is gone; not, if somebody has just worked on it.
    async fn take_back(
        &self,
        import: &Import,
        number: i64,
        (applicant, application): (&Applicant, Application),
        actor: &Actor,
    ) -> Result<bool, Error> {
        let command = Command {
            act: Act::UndoImport,
            actor: actor.clone(),
            applicant,
            facts: &|_| Facts { only_imported: true, ..Facts::default() },
            detail: json!({ "import": import.id, "row": number }),
            also: &|_, _| {},
            conditions: Preconditions { expected: Some(application.revision), key: None },
        };
        match self.act(application, command).await {
            Ok(_) => Ok(true),
            // Somebody works on it at this moment.
            Err(Unable::NotAllowed(..) | Unable::Otherwise(Error::Stale(_) | Error::Unavailable(None))) => Ok(false),
            Err(Unable::Otherwise(Error::Internal(error))) => {
                let import = &import.id;
                tracing::warn!(import, number, error = &error as &dyn std::error::Error, "a row could not be undone");
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// What to know about the account of a row's address.
fn about_account(account: &KnownAccount, outline: &RowOutline) -> Problem {
    let KnownAccount { applicant, has_active, is_imported } = account;
    let Profile { first_name, last_name, date_of_birth, .. } = &applicant.profile;
    let wrong = |rule: &str, sentence: &str| Problem::wrong("email", rule, sentence);
    // Whoever registered an address need not be the one who reads its mail.
    if applicant.email_confirmed_at.is_none() && !is_imported {
        return wrong("unconfirmed", "Somebody has registered this address and not confirmed it. Ask them to.");
    }
    if applicant.disabled_at.is_some() {
        return wrong("disabled", "The account with this address is locked.");
    }
    if !is_same(first_name, last_name, *date_of_birth, &outline.person) {
        return wrong(
            "other_person",
            "The account with this address is somebody else’s: name and date of birth differ.",
        );
    }
    if *has_active && outline.outcome.is_active() {
        let sentence = "An application of this address is not over. Import this one as past, or withdraw that one.";
        return wrong("active", sentence);
    }
    let sentence = "There is an account with this address. Its own details stay as they are.";
    Problem::warning("email", "email.known", sentence)
}

fn state_of(problems: &[Problem]) -> RowState {
    match problems {
        [] => RowState::Ready,
        some if some.iter().all(|problem| problem.warning) => RowState::Warned,
        _ => RowState::Wrong,
    }
}
