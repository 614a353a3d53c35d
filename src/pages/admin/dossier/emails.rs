//! The tab "Emails": the mails to the applicant, and their delivery status.

use axum::http::StatusCode;
use axum::response::Response;

use super::{Opened, done, fresh, instead, open, status};
use crate::admin::Office;
use crate::page::{FormState, Screen};
use crate::props::office::emails::{AdminEmailsProps, OfficeMail};
use crate::{Form, moment, problem};
use app::{Error, Refusal};
use domain::mail::SentMail;

const TAB: &str = "/emails";

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    respond(office, fresh(office), StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, id } = office;
    let app = &visit.state.app;
    let (action, mail) = form.get("_action").split_once(':').unwrap_or((form.get("_action"), ""));
    if action != "resend" {
        return problem::page(visit, problem::BAD_REQUEST).await;
    }
    match app.resend_mail(who, id, mail).await {
        Ok(()) => done(office, TAB, form.get("view"), "resent"),
        Err(error @ Error::Refused(Refusal::ApplicationNotFound)) => instead(office, &error).await,
        Err(error) => respond(office, form.refused(&error), status(&error)).await,
    }
}

async fn respond(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
    let Opened { dossier, frame, .. } = match open(office, TAB).await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    let app = &office.visit.state.app;
    let mails = match app.mails_to(office.who, &dossier).await {
        Ok(mails) => mails,
        Err(error) => return instead(office, &error).await,
    };
    let address = &dossier.applicant.email;
    let confirmed = dossier.applicant.email_confirmed_at.is_some();
    let title = format!("Emails to {}", frame.name);
    let props = AdminEmailsProps {
        to: Some(address.clone()).filter(|to| !to.is_empty()),
        mails: mails.into_iter().map(|mail| shown(office, mail, confirmed)).collect(),
        confirmed,
        frame,
        form,
    };
    office.page(Screen::AdminEmails(Box::new(props)), &title, status).await
}

fn shown(office: Office<'_>, mail: SentMail, confirmed: bool) -> OfficeMail {
    let when = |at| moment::full(at, office.zone()).to_string();
    let finished = mail.finished_at.map(when).unwrap_or_default();
    let (state, state_text) = match mail.state.as_str() {
        "sent" => ("sent", format!("Sent {finished}")),
        "kept" => ("kept", "Not sent: there is no mail server. It is among the messages.".to_owned()),
        "held" => {
            ("held", "Held back: the address was not confirmed, or got too many. It is among the messages.".to_owned())
        }
        "failed" => ("failed", format!("Given up after {} attempts", mail.attempts)),
        _ if mail.attempts > 1 => ("waiting", format!("Queued, tried {} times", mail.attempts)),
        _ => ("waiting", "Queued".to_owned()),
    };
    let why =
        mail.last_error.as_ref().filter(|_| mail.state != "sent").map(|error| format!(": {error}")).unwrap_or_default();
    OfficeMail {
        may_resend: confirmed && mail.may_resend(),
        state,
        state_text: format!("{state_text}{why}"),
        written_text: when(mail.created_at),
        id: mail.id,
        subject: mail.subject,
        to: mail.to,
        text: mail.text,
    }
}
