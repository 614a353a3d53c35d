//! What a program's landing page and its brochure say: what staff have set, and dates that follow from the current day.

use jiff::civil::Date;

use super::intake::Intake;
use super::moments;
use super::money::dollars;
use super::program::Program;
use super::sentence::Sentence;
use super::settings::ProductSettings;
use crate::text;

/// What is said about a program.
#[derive(Debug, Clone)]
pub struct Prospectus {
    pub degree: Sentence,
    pub promise: Sentence,
    pub length: Sentence,
    pub cost: Sentence,
    /// The next one that can be applied for.
    pub intake: Intake,
    pub next_intake: Sentence,
    pub deadline: Sentence,
    pub audience: Vec<Sentence>,
    pub needs: Vec<Sentence>,
    pub steps: Vec<Item>,
    pub payment: Vec<Item>,
    pub questions: Vec<Item>,
}

/// A step, a way to pay or a question, and what is said about it.
#[derive(Debug, Clone)]
pub struct Item {
    pub title: Sentence,
    pub text: Sentence,
}

pub fn degree(program: Program) -> Sentence {
    match program {
        Program::Bachelor => text!("Bachelor of Arts in Coaching"),
        Program::Masters => text!("Master of Science in Coaching"),
    }
}

pub fn prospectus(program: Program, settings: &ProductSettings, today: Date) -> Prospectus {
    let intake = settings.deadlines.next(today);
    let item = |title, text| Item { title, text };
    let page = settings.page(program);
    Prospectus {
        degree: degree(program),
        promise: page.promise(program),
        length: page.length(program),
        cost: text!("{dollars} in all", dollars = dollars(page.tuition(program))),
        intake,
        next_intake: moments::long_date(intake.start),
        deadline: moments::long_date(intake.deadline),
        audience: page.audience(program),
        needs: page.needs(program),
        steps: vec![
            item(text!("Create your account"), text!("Name, birth date, phone and email. It takes two minutes.")),
            item(
                text!("Fill out your application"),
                text!("About thirty minutes. Every answer is saved as you type; stop and come back whenever you like."),
            ),
            item(text!("Meet us"), text!("A forty-minute conversation by video, at a time that suits you.")),
            item(
                text!("Get our decision"),
                text!("We will write to you when there is one, and you can read it on your dashboard."),
            ),
        ],
        payment: vec![
            item(
                text!("Tuition assistance"),
                text!("Active duty, Guard, Reserve and DoD civilians: apply now, hand in the authorization later."),
            ),
            item(text!("GI Bill"), text!("Post-9/11, Montgomery and transferred benefits count toward tuition.")),
            item(
                text!("Employer or scholarship"),
                text!("Tell us who pays and how much. We will invoice them directly."),
            ),
            item(text!("Self-pay"), text!("An amount up front and equal monthly payments, without interest.")),
        ],
        questions: vec![
            item(
                text!("Can I stop and finish later?"),
                text!(
                    "Yes. Your answers are saved as you type, and your draft is kept for twelve months. Log in on any device to continue."
                ),
            ),
            item(
                text!("Does my military training count?"),
                text!(
                    "Often. Tell us about your Joint Services Transcript, CCAF credits or exams in the application; we \
                 look at each of them before your interview."
                ),
            ),
            item(
                text!("Do I need tuition-assistance approval before I apply?"),
                text!("No. Choose tuition assistance in the application and hand the authorization in later."),
            ),
            item(text!("Is there an application fee?"), text!("No.")),
            item(
                text!("What if my plans change?"),
                text!(
                    "You can change every answer until you send the application, and move to the other program without \
                 typing anything again."
                ),
            ),
        ],
    }
}
