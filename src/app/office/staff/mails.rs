//! Mails to staff.

use jiff::civil::Date;

use super::invitations::INVITATION_DAYS;
use crate::App;
use crate::accounts::passwords::RESET_MINUTES;
use crate::mails::{with_secret, write_to_staff};
use domain::api_key::ApiKey;
use domain::application::Application;
use domain::ledger::Line;
use domain::moments;
use domain::money::dollars;
use domain::staff::{Invitation, Staff, StaffSummary};
use store::{NewMail, StaffChange};

/// The invitation to the office.
pub fn invitation(app: &App, invitation: &Invitation, by: &Staff, secret: &str) -> NewMail {
    let url = format!("{}/admin-panel/invitation?token={secret}", app.settings.public_url);
    let (institute, role) = (&app.settings.institute, invitation.role.title());
    let invites = format!("{} invites you to the admissions office of {institute}, as {role}.", by.called());
    let works = format!(
        "Open this link to choose a password. It works for {INVITATION_DAYS} days and once; if we send you another one, \
         only that works."
    );
    let unknown = "If you do not know what this is about, you need not do anything.";
    let say = |paragraphs: &[&str], link| {
        let subject = "Your invitation to the admissions office";
        write_to_staff(app, &invitation.email, "Hello,", "staff-invitation", subject, paragraphs, link)
    };
    let mail = say(&[&invites, &works, unknown], Some(("Take the invitation", &url)));
    with_secret(app, mail, say(&[&invites, unknown], None))
}

/// The link to set a new password.
pub fn reset_password(app: &App, staff: &Staff, secret: &str) -> NewMail {
    let url = format!("{}/admin-panel/reset-password?token={secret}", app.settings.public_url);
    let works = format!(
        "Open this link to set a new password for your account at the office. It works for {RESET_MINUTES} minutes and \
         once; if you ask for another one, only that works."
    );
    let unknown = "If you did not ask for it, you need not do anything: your password stays as it is.";
    let say = |paragraphs: &[&str], link| {
        let (greeting, subject) = (greeting(&staff.name), "Set a new password");
        write_to_staff(app, &staff.email, &greeting, "staff-reset-password", subject, paragraphs, link)
    };
    let mail = say(&[&works, unknown], Some(("Set a new password", &url)));
    with_secret(
        app,
        mail,
        say(&["A link was asked for that sets a new password for your account at the office.", unknown], None),
    )
}

pub fn password_reset(app: &App, staff: &Staff) -> NewMail {
    let sentence = "A new password was set for your account at the office with a mailed link, and all your sessions were \
                    ended. Logging in asks for your second factor as before, if you have one.";
    notice(app, staff, "staff-password-reset", "A new password was set", &[sentence, IF_NOT])
}

pub fn password_changed(app: &App, staff: &Staff) -> NewMail {
    let sentence = "The password of your account at the office was changed, and your other sessions were ended.";
    notice(app, staff, "staff-password-changed", "Your password was changed", &[sentence, IF_NOT])
}

/// To the owner of an account, after many wrong passwords.
pub fn wrong_passwords(app: &App, staff: &Staff) -> NewMail {
    let tried = "Someone entered many wrong passwords for your account at the office today. None of them worked.";
    let meanwhile = "While this goes on, logging in from a new device may be refused for up to an hour. Devices that you have \
                     used before are not affected, and setting a new password helps at once.";
    let subject = "Someone is trying to log in to your account";
    notice(app, staff, "staff-wrong-passwords", subject, &[tried, meanwhile, IF_NOT])
}

/// To somebody whose account an identity provider was linked to.
pub fn provider_linked(app: &App, staff: &Staff, provider: &str) -> NewMail {
    let linked = format!(
        "You logged in to the office with {provider}. From now on your account is linked to it. Unless you are an Owner, \
         you no longer log in with a password."
    );
    notice(app, staff, "staff-provider-linked", "Your account is linked to your identity provider", &[&linked, IF_NOT])
}

/// To the former address of somebody whose email has changed at the identity provider.
pub fn email_changed(app: &App, staff: &Staff, provider: &str) -> NewMail {
    let changed = format!(
        "Your email has changed at {provider}, and with it the email of your account at the office. This is the last mail \
         to this address."
    );
    notice(app, staff, "staff-email-changed", "Your email has changed", &[&changed, IF_NOT])
}

/// To somebody who asked for a new password, but logs in with an identity provider.
pub fn log_in_with_provider(app: &App, staff: &Staff, provider: &str) -> NewMail {
    let instead = format!(
        "A link was asked for that sets a new password for your account at the office. Your account has none: choose \
         “Log in with {provider}” on the login page."
    );
    let url = format!("{}/admin-panel/login", app.settings.public_url);
    let subject = format!("Log in with {provider}");
    let greeting = greeting(&staff.name);
    write_to_staff(app, &staff.email, &greeting, "staff-no-password", &subject, &[&instead], Some(("Log in", &url)))
}

pub fn second_factor_on(app: &App, staff: &Staff) -> NewMail {
    let sentence = "Your account at the office now asks for a code of your authenticator app when you log in.";
    notice(app, staff, "staff-second-factor-on", "Your second factor is on", &[sentence, IF_NOT])
}

pub fn second_factor_off(app: &App, staff: &Staff) -> NewMail {
    let sentence =
        "Your account at the office does not ask for a code any more when you log in, until you set it up again.";
    notice(app, staff, "staff-second-factor-off", "Your second factor is off", &[sentence, IF_NOT])
}

pub fn passkey_added(app: &App, staff: &Staff) -> NewMail {
    let sentence = "A passkey was added to your account at the office. It logs in without your password.";
    notice(app, staff, "staff-passkey-added", "A passkey was added", &[sentence, IF_NOT])
}

pub fn passkey_removed(app: &App, staff: &Staff) -> NewMail {
    let sentence = "A passkey of your account at the office was removed. It does not log in any more.";
    notice(app, staff, "staff-passkey-removed", "A passkey was removed", &[sentence, IF_NOT])
}

pub fn api_key_made(app: &App, staff: &Staff, key: &ApiKey) -> NewMail {
    let may = if key.read_only { "read what" } else { "read and change what" };
    let sentence = format!(
        "An API key named {:?} was made for your account at the office. A program that has it can {may} the role {} includes.",
        key.name,
        key.role.title()
    );
    notice(app, staff, "staff-key-made", "An API key was made", &[&sentence, IF_NOT])
}

/// A change to an account by an Owner; `None` if its owner does not need to know.
pub fn account_changed(app: &App, staff: &Staff, change: StaffChange) -> Option<NewMail> {
    let (template, subject, sentence) = match change {
        StaffChange::Role { to, .. } => {
            let sentence = format!("Your role at the office is now {}. Log in again to go on.", to.title());
            ("staff-role-changed", "Your role has changed", sentence)
        }
        StaffChange::Suspend => {
            let sentence = "Your account at the office is suspended: you cannot log in for now.".to_owned();
            ("staff-suspended", "Your account is suspended", sentence)
        }
        StaffChange::Resume => {
            let sentence = "Your account at the office is open again: you can log in.".to_owned();
            ("staff-resumed", "Your account is open again", sentence)
        }
        StaffChange::Remove => return None,
    };
    Some(notice(
        app,
        staff,
        template,
        subject,
        &[&sentence, "If you have a question about it, ask an Owner of the office."],
    ))
}

/// Somebody was mentioned in a note. Says where, without the note's text.
pub fn mentioned_in_note(app: &App, application: &Application, to: &StaffSummary, by: &Staff) -> NewMail {
    let url = format!("{}/admin-panel/applications/{}/notes", app.settings.public_url, application.id);
    let reference = application.reference.as_deref().unwrap_or_default();
    let sentence = format!("{} mentions you in a note about the application {reference}.", by.called());
    let mail = write_to_staff(
        app,
        &to.email,
        &greeting(&to.name),
        "note-mention",
        "You are mentioned in a note",
        &[&sentence],
        Some(("Read the note", &url)),
    );
    NewMail { about: Some(application.applicant_id.clone()), ..mail }
}

/// A request to read an application, with the deadline.
pub fn asked_to_read(
    app: &App,
    application: &Application,
    to: &StaffSummary,
    by: &Staff,
    due_on: Option<Date>,
) -> NewMail {
    let url = format!("{}/admin-panel/applications/{}/readings", app.settings.public_url, application.id);
    let reference = application.reference.as_deref().unwrap_or_default();
    let asked = format!("{} asks you to read the application {reference} and to score it.", by.called());
    let due = due_on.map(|day| format!("Please send your sheet by {}.", moments::loose_date(day)));
    let sentences: Vec<&str> = [asked.as_str()].into_iter().chain(due.as_deref()).collect();
    let mail = write_to_staff(
        app,
        &to.email,
        &greeting(&to.name),
        "reading-asked",
        "An application to read",
        &sentences,
        Some(("Read the application", &url)),
    );
    NewMail { about: Some(application.applicant_id.clone()), ..mail }
}

/// A saved card was refused, and when it will be charged again, if at all. To staff in charge of money.
pub fn card_refused(
    app: &App,
    application: &Application,
    to: &StaffSummary,
    line: Line,
    cents: i64,
    again: Option<Date>,
) -> NewMail {
    let url = format!("{}/admin-panel/applications/{}/funding", app.settings.public_url, application.id);
    let reference = application.reference.as_deref().unwrap_or_default();
    let what = format!(
        "The card that {} of the application {reference} is charged to was refused. It is about {}.",
        line.label().to_string().to_lowercase(),
        dollars(cents),
    );
    let next = match again {
        Some(day) => format!("It is charged again on {}.", moments::loose_date(day)),
        None => {
            "It was charged for the last time. Please decide how to go on: nothing is cancelled by itself.".to_owned()
        }
    };
    let mail = write_to_staff(
        app,
        &to.email,
        &greeting(&to.name),
        "payment-failed-staff",
        "A card was refused",
        &[&what, &next],
        Some(("See the payments", &url)),
    );
    NewMail { about: Some(application.applicant_id.clone()), ..mail }
}

const IF_NOT: &str = "If it was not you, tell an Owner of the office now.";

fn notice(app: &App, staff: &Staff, template: &'static str, subject: &str, paragraphs: &[&str]) -> NewMail {
    let url = format!("{}/admin-panel", app.settings.public_url);
    write_to_staff(
        app,
        &staff.email,
        &greeting(&staff.name),
        template,
        subject,
        paragraphs,
        Some(("To the office", &url)),
    )
}

fn greeting(name: &str) -> String {
    if name.is_empty() { "Hello,".to_owned() } else { format!("Dear {name},") }
}
