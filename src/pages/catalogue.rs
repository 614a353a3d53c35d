//! What the public pages say about the two programs: what staff have set, and dates that follow from the current day.

use jiff::civil::Date;

use super::props::program::{FrequentQuestion, ProgramInfo, ProgramName, Titled};
use domain::moments;
use domain::money::dollars;
use domain::program::Program;
use domain::sentence::Sentence;
use domain::settings::ProductSettings;
use domain::text;

fn degree(program: Program) -> Sentence {
    match program {
        Program::Bachelor => text!("Bachelor of Arts in Coaching"),
        Program::Masters => text!("Master of Science in Coaching"),
    }
}

pub fn name(program: Program) -> ProgramName {
    ProgramName {
        path: program.path(),
        application_type: program.application_type(),
        name: program.name(),
        degree: degree(program),
    }
}

pub fn info(program: Program, settings: &ProductSettings, today: Date) -> ProgramInfo {
    let intake = settings.deadlines.next(today);
    let question = |question, answer| FrequentQuestion { question, answer };
    let titled = |title, text| Titled { title, text };
    let name = name(program);
    let page = settings.page(program);
    ProgramInfo {
        path: name.path,
        application_type: name.application_type,
        name: name.name,
        degree: name.degree,
        promise: page.promise(program),
        length: page.length(program),
        cost: text!("{dollars} in all", dollars = dollars(page.tuition(program))),
        next_intake: moments::long_date(intake.start),
        deadline: moments::long_date(intake.deadline),
        audience: page.audience(program),
        needs: page.needs(program),
        steps: vec![
            titled(text!("Create your account"), text!("Name, birth date, phone and email. It takes two minutes.")),
            titled(
                text!("Fill out your application"),
                text!("About thirty minutes. Every answer is saved as you type; stop and come back whenever you like."),
            ),
            titled(text!("Meet us"), text!("A forty-minute conversation by video, at a time that suits you.")),
            titled(
                text!("Get our decision"),
                text!("We will write to you when there is one, and you can read it on your dashboard."),
            ),
        ],
        payment: vec![
            titled(
                text!("Tuition assistance"),
                text!("Active duty, Guard, Reserve and DoD civilians: apply now, hand in the authorization later."),
            ),
            titled(text!("GI Bill"), text!("Post-9/11, Montgomery and transferred benefits count toward tuition.")),
            titled(
                text!("Employer or scholarship"),
                text!("Tell us who pays and how much. We will invoice them directly."),
            ),
            titled(text!("Self-pay"), text!("An amount up front and equal monthly payments, without interest.")),
        ],
        questions: vec![
            question(
                text!("Can I stop and finish later?"),
                text!(
                    "Yes. Your answers are saved as you type, and your draft is kept for twelve months. Log in on any device to continue."
                ),
            ),
            question(
                text!("Does my military training count?"),
                text!(
                    "Often. Tell us about your Joint Services Transcript, CCAF credits or exams in the application; we \
                 look at each of them before your interview."
                ),
            ),
            question(
                text!("Do I need tuition-assistance approval before I apply?"),
                text!("No. Choose tuition assistance in the application and hand the authorization in later."),
            ),
            question(text!("Is there an application fee?"), text!("No.")),
            question(
                text!("What if my plans change?"),
                text!(
                    "You can change every answer until you send the application, and move to the other program without \
                 typing anything again."
                ),
            ),
        ],
    }
}
