//! Mails to referees, who have no account.

use super::{compose, spoken, with_secret};
use crate::App;
use domain::account::Applicant;
use domain::program::Program;
use domain::referee::Referee;
use domain::sentence::Sentence;
use domain::text;
use store::NewMail;

/// The request for a reference, with the link to give it.
pub fn request(app: &App, referee: &Referee, applicant: &Applicant, program: Program, secret: &str) -> NewMail {
    let name = name(applicant);
    let asked = text!(
        "{name} is applying for the {program} at {institute}, and has named you as a referee.",
        name = &name,
        program = program.name(),
        institute = &app.settings.institute
    );
    let paragraphs = [
        asked,
        text!(
            "Open the link to see what we ask. You need no account, you can stop and go on later, and you can decline there."
        ),
        who_reads(referee, &name),
    ];
    let subject = text!("Reference for {name}", name = name);
    write(app, referee, applicant, "reference-request", subject, &paragraphs, secret)
}

/// The reminder that we wait for it, with the same link.
pub fn reminder(app: &App, referee: &Referee, applicant: &Applicant, program: Program, secret: &str) -> NewMail {
    let name = name(applicant);
    let paragraphs = [
        text!(
            "We are still waiting for your reference for {name}, who is applying for the {program} at {institute}.",
            name = &name,
            program = program.name(),
            institute = &app.settings.institute
        ),
        text!("If you cannot give it, please say so on the page, so that somebody else can be asked."),
        who_reads(referee, &name),
    ];
    let subject = text!("Reminder: reference for {name}", name = name);
    write(app, referee, applicant, "reference-reminder", subject, &paragraphs, secret)
}

fn name(applicant: &Applicant) -> String {
    format!("{} {}", applicant.profile.first_name, applicant.profile.last_name)
}

fn who_reads(referee: &Referee, name: &str) -> Sentence {
    if referee.waived {
        text!("{name} has waived the right to read what you write. Only our admissions staff will read it.", name)
    } else {
        text!("{name} has kept the right to read what you write, and can do so once you have sent it.", name)
    }
}

fn write(
    app: &App,
    referee: &Referee,
    applicant: &Applicant,
    template: &'static str,
    subject: Sentence,
    paragraphs: &[Sentence],
    secret: &str,
) -> NewMail {
    let language = referee.language;
    let url = format!("{}/reference?token={secret}", app.settings.public_url);
    let written = |paragraphs: &[Sentence], link| {
        let greeting = text!("Dear {name},", name = &referee.name);
        let paragraphs = spoken(language, &greeting, paragraphs, link);
        let subject = subject.in_language(language);
        NewMail {
            about: Some(applicant.id.clone()),
            ..compose(app, &referee.email, language, template, subject, &paragraphs)
        }
    };
    let mail = written(paragraphs, Some((text!("Open the reference"), url.as_str())));
    let without = [paragraphs, &[text!("The link to give the reference is only in the email.")]].concat();
    with_secret(app, mail, written(&without, None))
}
