//! Mails about an account itself.

use crate::App;
use crate::accounts::email_change::CHANGE_HOURS;
use crate::accounts::email_confirmation::CONFIRMATION_DAYS;
use crate::mails::{write, write_with_secret};
use domain::account::Applicant;
use domain::sentence::Sentence;
use domain::text;
use store::NewMail;

/// To the address of a new account, which may be somebody else's.
pub fn confirm_email(app: &App, applicant: &Applicant, secret: &str) -> NewMail {
    let url = confirmation(app, secret);
    let registered =
        text!("An account was created here with this address. If that was you, open this link and confirm it.");
    let unknown = text!("If it was not you, you do not need to do anything.");
    write_with_secret(
        app,
        applicant,
        "confirm-email",
        text!("Confirm your email"),
        &[
            registered,
            text!(
                "It works for {confirmation_days} days. Until you open it, you will find what we write only in your messages.",
                confirmation_days = CONFIRMATION_DAYS
            ),
            unknown.clone(),
        ],
        (text!("Confirm your email"), &url),
        &[
            text!("An account was created here with this address. The link to confirm it is only in the email."),
            unknown,
        ],
    )
}

/// To the present address: somebody who knows the password wants to change it.
pub fn email_change_asked(app: &App, applicant: &Applicant, new: &str, secret: &str) -> NewMail {
    let url = confirmation(app, secret);
    let asked = text!("Someone who knows your password asked to change the email of your account to {new}.", new);
    let otherwise = text!("If it was not you, cancel it on the same page and change your password.");
    let works = text!(
        "It works for {change_hours} hours. Your email will change when both addresses have confirmed it.",
        change_hours = CHANGE_HOURS
    );
    write_with_secret(
        app,
        applicant,
        "email-change-asked",
        text!("Confirm the change of your email"),
        &[asked.clone(), text!("If it was you, open this link and confirm it."), works, otherwise],
        (text!("Confirm or cancel the change"), &url),
        &[
            asked,
            text!(
                "The link to confirm or cancel it is only in the email. You can also cancel it on your account page."
            ),
            text!("If it was not you, change your password as well."),
        ],
    )
}

/// To the new address. It belongs to no account yet, so this is not a message in the product.
pub fn email_change_offered(app: &App, applicant: &Applicant, new: &str, secret: &str) -> NewMail {
    let url = confirmation(app, secret);
    let unknown = text!("If it was not you, you do not need to do anything.");
    let works = if applicant.email_confirmed_at.is_some() {
        text!(
            "It works for {change_hours} hours. Your email will change when your current address has confirmed it, too.",
            change_hours = CHANGE_HOURS
        )
    } else {
        text!("It works for {change_hours} hours.", change_hours = CHANGE_HOURS)
    };
    let mail = write_with_secret(
        app,
        applicant,
        "email-change-offered",
        text!("Confirm your new email"),
        &[
            text!(
                "This address was entered as the new email of an account with us. If it was you, open this link and confirm it."
            ),
            works,
            unknown.clone(),
        ],
        (text!("Confirm this address"), &url),
        &[text!("This address was entered as the new email of an account with us."), unknown],
    );
    NewMail { to: new.to_owned(), applicant_id: None, ..mail }
}

/// To the owner of an address that somebody wants for another account. Nobody else learns that it has an owner.
pub fn email_change_of_taken(app: &App, owner: &Applicant) -> NewMail {
    write(
        app,
        owner,
        "email-change-of-taken",
        text!("Your email was entered for another account"),
        &[
            text!(
                "Someone entered this address as the new email of another account. It is already the email of your account, so nothing has changed."
            ),
            text!(
                "If it was you, you have two accounts with us: write to us, and we will help you. If it was not you, you do not need to do anything."
            ),
        ],
        None,
    )
}

/// To both addresses, after the change; to the old one only if it was confirmed.
pub fn email_changed(app: &App, applicant: &Applicant, new: &str) -> Vec<NewMail> {
    let login = format!("{}/bachelor/apply?dialog=login", app.settings.public_url);
    let subject = text!("Your email was changed");
    let contact = &app.settings.contact_email;
    let old = write(
        app,
        applicant,
        "email-changed",
        subject.clone(),
        &[
            text!(
                "The email of your account is now {new}. From now on, we will write to you there, and you log in with it.",
                new
            ),
            text!("You were logged out everywhere else. If it was not you, write to {contact} at once.", contact),
        ],
        None,
    );
    let to_new = write(
        app,
        applicant,
        "email-changed",
        subject,
        &[text!(
            "This is now the email of your account. From now on, we will write to you here, and you log in with it."
        )],
        Some((text!("Log in"), &login)),
    );
    let old = applicant.email_confirmed_at.map(|_| old);
    old.into_iter().chain([NewMail { to: new.to_owned(), ..to_new }]).collect()
}

/// To the present address, when a change is cancelled.
pub fn email_change_stopped(app: &App, applicant: &Applicant) -> NewMail {
    let url = format!("{}/dashboard/account", app.settings.public_url);
    write(
        app,
        applicant,
        "email-change-stopped",
        text!("The change of your email was canceled"),
        &[
            text!("Your account keeps this address. The links that we sent no longer work."),
            text!(
                "If you did not ask for the change in the first place, someone knows your password. Choose a new one."
            ),
        ],
        Some((text!("Go to your account"), &url)),
    )
}

/// To the owner of an account, after many wrong passwords.
pub fn wrong_passwords(app: &App, applicant: &Applicant) -> NewMail {
    let url = format!("{}/bachelor/apply?dialog=forgot", app.settings.public_url);
    write(
        app,
        applicant,
        "wrong-passwords",
        text!("Someone is trying to log in to your account"),
        &[
            text!("Someone entered many wrong passwords for your account today. None of them worked."),
            text!(
                "If it was you, reset your password. If it was not, you do not need to do anything. If you use the same password elsewhere, choose a different one."
            ),
            text!(
                "While this goes on, logging in from a new device may be refused for up to an hour. Devices that you have used \
                 before are not affected, and resetting your password helps at once."
            ),
        ],
        Some((text!("Reset your password"), &url)),
    )
}

/// To the owner, whether or not they turned it on themselves.
pub fn second_factor_on(app: &App, applicant: &Applicant) -> NewMail {
    second_factor(
        app,
        applicant,
        "second-factor-on",
        text!("Your second factor is on"),
        text!(
            "From now on, logging in to your account requires a code from your authenticator app after the password."
        ),
    )
}

pub fn second_factor_off(app: &App, applicant: &Applicant) -> NewMail {
    second_factor(
        app,
        applicant,
        "second-factor-off",
        text!("Your second factor is off"),
        text!(
            "Logging in to your account no longer requires a code from an authenticator app, until you set one up again."
        ),
    )
}

pub fn passkey_added(app: &App, applicant: &Applicant) -> NewMail {
    second_factor(
        app,
        applicant,
        "passkey-added",
        text!("A passkey was added"),
        text!("A passkey was added to your account. It can be used to log in without your password."),
    )
}

pub fn passkey_removed(app: &App, applicant: &Applicant) -> NewMail {
    second_factor(
        app,
        applicant,
        "passkey-removed",
        text!("A passkey was removed"),
        text!("A passkey was removed from your account. It can no longer be used to log in."),
    )
}

/// Staff have removed the second factor of an applicant who reported it lost.
pub fn second_factor_reset(app: &App, applicant: &Applicant) -> NewMail {
    second_factor(
        app,
        applicant,
        "second-factor-off",
        text!("Your second factor is off"),
        text!(
            "We have removed the second factor from your account, as requested, and ended all your sessions. Logging in no longer requires a code, until you set one up again."
        ),
    )
}

fn second_factor(
    app: &App,
    applicant: &Applicant,
    template: &'static str,
    subject: Sentence,
    what: Sentence,
) -> NewMail {
    let url = format!("{}/dashboard/account/second-factor", app.settings.public_url);
    let contact = &app.settings.contact_email;
    let otherwise =
        text!("If it was not you, someone knows your password. Change it now and write to {contact}.", contact);
    write(app, applicant, template, subject, &[what, otherwise], Some((text!("Go to your second factor"), &url)))
}

pub fn provider_linked(app: &App, applicant: &Applicant, provider: &str) -> NewMail {
    let contact = &app.settings.contact_email;
    let what =
        text!("{provider} was linked to your account. It can be used to log in; your password still works.", provider);
    let otherwise = text!(
        "If it was not you, someone has access to your account at {provider}. Secure that first, then log out everywhere else on your account page, and write to {contact}.",
        provider,
        contact
    );
    let subject = text!("{provider} can now be used to log in", provider);
    about_provider(app, applicant, "provider-linked", subject, &[what, otherwise])
}

pub fn provider_unlinked(app: &App, applicant: &Applicant, provider: &str) -> NewMail {
    let contact = &app.settings.contact_email;
    let what = text!("{provider} was unlinked from your account. Logging in with it links it again.", provider);
    let otherwise = text!(
        "If it was not you, someone has access to your account. Change your password now and write to {contact}.",
        contact
    );
    let subject = text!("{provider} was unlinked from your account", provider);
    about_provider(app, applicant, "provider-unlinked", subject, &[what, otherwise])
}

fn about_provider(
    app: &App,
    applicant: &Applicant,
    template: &'static str,
    subject: Sentence,
    sentences: &[Sentence],
) -> NewMail {
    let url = format!("{}/dashboard/account", app.settings.public_url);
    write(app, applicant, template, subject, sentences, Some((text!("Go to your account"), &url)))
}

/// The last mail of an account. Not a message in the product, where nobody could read it any more.
pub fn account_closed(app: &App, applicant: &Applicant) -> NewMail {
    let contact = &app.settings.contact_email;
    let mail = write(
        app,
        applicant,
        "account-closed",
        text!("Your account is closed"),
        &[
            text!(
                "Your account is closed, as you asked. Nobody can log in to it anymore, and any application in progress has been withdrawn."
            ),
            text!(
                "We have deleted what we do not need to keep. What you submitted stays in our records for as long as we must keep it."
            ),
            text!("If it was not you, write to {contact} at once. You can register again at any time.", contact),
        ],
        None,
    );
    NewMail { applicant_id: None, ..mail }
}

fn confirmation(app: &App, secret: &str) -> String {
    format!("{}/confirm-email?token={secret}", app.settings.public_url)
}
