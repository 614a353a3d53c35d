//! `matricula decide …`: turns what is typed into an order to the use cases.

use super::{BootError, open_app};
use crate::config::{Config, DecideCommand, Drafting, Which};
use app::applications::changes::ChangesRequest;
use app::decisions::command_line::{Order, Ordered};
use app::decisions::drafting::StaffReason;
use domain::input::{FieldError, Input};
use domain::intake::Intake;

/// Runs the command. Returns what was done, in words.
pub async fn decide(config: &Config, command: &DecideCommand) -> Result<String, BootError> {
    let (which, order, release) = order(command).map_err(app::Error::from)?;
    let app = open_app(config).await?;
    let Which { reference, by } = which;
    let mut done = app.order(by, reference, order).await?;
    let mut letter = String::new();
    if let (Ordered::Drafted(decision), true) = (&done, release) {
        letter = format!("{}\n\n", decision.letter);
        done = app.order(by, reference, Order::Release).await?;
    }
    Ok(match done {
        Ordered::Drafted(decision) => {
            format!("{}\n\nDrafted. matricula decide release lets the applicant see it.", decision.letter)
        }
        Ordered::Changed(application) => format!("{letter}The application is at {} now.", application.stage),
    })
}

fn order(command: &DecideCommand) -> Result<(&Which, Order, bool), Vec<FieldError>> {
    Ok(match command {
        DecideCommand::Accept { which, drafting, conditions, letter } => {
            let fields = vec![field("outcome", "accept"), field("letter", letter), list("conditions", conditions)];
            (which, draft(fields, drafting), drafting.release)
        }
        DecideCommand::Reject { which, drafting, reasons, told, letter } => {
            let (reasons, shown) = (list("reasons", reasons), list("shownReasons", told));
            let fields = vec![field("outcome", "reject"), field("letter", letter), reasons, shown];
            (which, draft(fields, drafting), drafting.release)
        }
        DecideCommand::Release { which } => (which, Order::Release, false),
        DecideCommand::Recall { which } => (which, Order::Recall, false),
        DecideCommand::Reverse { which, reason } => (which, Order::Reverse(why(reason)?), false),
        DecideCommand::Reopen { which } => (which, Order::Reopen, false),
        DecideCommand::RequestChanges { which, sections, message, due_on } => {
            let fields = vec![list("sections", sections), field("message", message), field("dueOn", due_on)];
            (which, Order::RequestChanges(ChangesRequest::parse(&Input::Map(fields))?), false)
        }
        DecideCommand::DropChanges { which } => (which, Order::DropChanges, false),
        DecideCommand::Defer { which, intake } => {
            let unknown = || vec![FieldError::new("intake", "intake.unknown", "Name an intake, such as 2027-01.")];
            (which, Order::Defer(Intake::parse(intake).ok_or_else(unknown)?), false)
        }
        DecideCommand::RefuseDeferral { which, reason } => (which, Order::RefuseDeferral(why(reason)?), false),
        DecideCommand::Resume { which, conditions_checked: _ } => (which, Order::Resume, false),
    })
}

fn draft(mut fields: Vec<(String, Input)>, drafting: &Drafting) -> Order {
    fields.extend(drafting.waive_interview.as_ref().map(|reason| field("waiver", reason)));
    fields.extend(drafting.without_documents.as_ref().map(|reason| field("withoutDocuments", reason)));
    fields.extend(drafting.intake.as_ref().map(|intake| field("intake", intake)));
    Order::Draft(Input::Map(fields))
}

fn why(reason: &str) -> Result<StaffReason, Vec<FieldError>> {
    StaffReason::parse(Some(&Input::Text(reason.to_owned()))).map_err(|error| vec![error])
}

fn field(name: &str, value: &str) -> (String, Input) {
    (name.to_owned(), Input::Text(value.to_owned()))
}

fn list(name: &str, values: &[String]) -> (String, Input) {
    (name.to_owned(), Input::List(values.iter().map(|value| Input::Text(value.clone())).collect()))
}
