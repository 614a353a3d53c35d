//! The words of every mail, as text and as HTML made from the same paragraphs. No mail tells an outcome, and every link
//! starts with the configured public URL.

use super::App;
use super::passwords::RESET_MINUTES;
use super::ports::{Applicant, NewMail};
use crate::domain::program::Program;

/// "Your application is started", with the way back to it.
pub fn application_started(app: &App, applicant: &Applicant, program: Program) -> NewMail {
    let url = format!("{}/{}/application", app.settings.public_url, program.path());
    write(
        app,
        applicant,
        "application-started",
        "Application started",
        &[
            &format!("Your application for the {} is started.", program.name()),
            "Your answers are saved as you type. You can stop at any time and come back on any device.",
        ],
        Some(("Go on with your application", &url)),
    )
}

/// "We have your application", with its number.
pub fn application_received(app: &App, applicant: &Applicant, program: Program, reference: &str) -> NewMail {
    let url = format!("{}/dashboard", app.settings.public_url);
    write(
        app,
        applicant,
        "application-received",
        "We have your application",
        &[
            &format!("Your application for the {} has arrived.", program.name()),
            &format!("Its reference number is {reference}. Please give it when you write to us or call."),
            "We read it and write to you about an interview within ten working days. You need not do anything until then.",
            "If you want to change something, you can take your application back until an interview is booked.",
        ],
        Some(("See where your application stands", &url)),
    )
}

/// The confirmation of a withdrawal, with the way back.
pub fn application_withdrawn(app: &App, applicant: &Applicant, program: Program) -> NewMail {
    let url = format!("{}/dashboard", app.settings.public_url);
    write(
        app,
        applicant,
        "application-withdrawn",
        "You have withdrawn your application",
        &[
            &format!(
                "Your application for the {} is withdrawn, as you asked. Nothing more happens to it.",
                program.name()
            ),
            "If this was a mistake, you can undo it on your dashboard within 15 minutes. After that, write to us.",
        ],
        Some(("To your dashboard", &url)),
    )
}

/// The confirmation that a withdrawal is undone.
pub fn withdrawal_undone(app: &App, applicant: &Applicant, program: Program) -> NewMail {
    let url = format!("{}/dashboard", app.settings.public_url);
    write(
        app,
        applicant,
        "withdrawal-undone",
        "Your application is back",
        &[&format!(
            "You have undone the withdrawal of your application for the {}. It is where it was before.",
            program.name()
        )],
        Some(("See where your application stands", &url)),
    )
}

/// The link that resets a password.
pub fn reset_password(app: &App, applicant: &Applicant, secret: &str) -> NewMail {
    let url = format!("{}/reset-password?token={secret}", app.settings.public_url);
    write(
        app,
        applicant,
        "reset-password",
        "Reset your password",
        &[
            "Someone asked to reset the password of your account. If it was you, open this link and choose a new one.",
            &format!("The link works once and for {RESET_MINUTES} minutes. If a page asks for a code, it is: {secret}"),
            "If it was not you, you need not do anything: your password stays as it is.",
        ],
        Some(("Choose a new password", &url)),
    )
}

/// The confirmation after a reset or change.
pub fn password_changed(app: &App, applicant: &Applicant) -> NewMail {
    let url = format!("{}/bachelor/apply?dialog=forgot", app.settings.public_url);
    write(
        app,
        applicant,
        "password-changed",
        "Your password was changed",
        &[
            "The password of your account was changed, and every other session was ended.",
            &format!("If it was not you, reset your password now and write to {}.", app.settings.contact_email),
        ],
        Some(("Reset your password", &url)),
    )
}

fn write(
    app: &App,
    applicant: &Applicant,
    template: &'static str,
    subject: &str,
    paragraphs: &[&str],
    link: Option<(&str, &str)>,
) -> NewMail {
    let institute = &app.settings.institute;
    let greeting = format!("Dear {},", applicant.profile.first_name);
    let signature = format!("Admissions, {institute}");
    let mut text = format!("{greeting}\n");
    let mut body = format!("<p>{}</p>", escape(&greeting));
    for paragraph in paragraphs {
        text.push_str(&format!("\n{paragraph}\n"));
        body.push_str(&format!("<p>{}</p>", escape(paragraph)));
    }
    if let Some((label, url)) = link {
        text.push_str(&format!("\n{label}:\n{url}\n"));
        let (label, url) = (escape(label), escape(url));
        body.push_str(&format!(
            "<p><a href=\"{url}\" style=\"display:inline-block;padding:15px 30px;border-radius:2px;\
             background:#48433b;color:#ffffff;text-decoration:none;font-family:sans-serif\">{label}</a></p>\
             <p style=\"font-size:14px\">If the button does not work, copy this address into your browser:<br>{url}</p>"
        ));
    }
    text.push_str(&format!("\n{signature}\n{}\n", app.settings.contact_email));
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title></head>\
         <body style=\"margin:0;padding:32px 16px;background:#f6f2ea;color:#3a4350;font:18px/28px Georgia,serif\">\
         <div style=\"max-width:560px;margin:0 auto\">{body}<p>{}<br>{}</p></div></body></html>",
        escape(subject),
        escape(&signature),
        escape(&app.settings.contact_email)
    );
    NewMail {
        id: app.random.id(),
        applicant_id: Some(applicant.id.clone()),
        template,
        to: applicant.email.clone(),
        subject: subject.to_owned(),
        text,
        html,
        created_at: app.clock.now(),
    }
}

/// Text as HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
