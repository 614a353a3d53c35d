//! What the public pages say about the two programs.

use jiff::civil::Date;

use super::props::program::{FrequentQuestion, ProgramInfo, ProgramName, Titled};
use domain::program::Program;
use domain::prospectus::{Item, degree, prospectus};
use domain::settings::ProductSettings;

pub fn name(program: Program) -> ProgramName {
    ProgramName {
        path: program.path(),
        application_type: program.application_type(),
        name: program.name(),
        degree: degree(program),
    }
}

pub fn info(program: Program, settings: &ProductSettings, today: Date) -> ProgramInfo {
    let said = prospectus(program, settings, today);
    let titled = |Item { title, text }: Item| Titled { title, text };
    let question = |Item { title, text }: Item| FrequentQuestion { question: title, answer: text };
    ProgramInfo {
        path: program.path(),
        application_type: program.application_type(),
        name: program.name(),
        degree: said.degree,
        promise: said.promise,
        length: said.length,
        cost: said.cost,
        fee: said.fee,
        next_intake: said.next_intake,
        deadline: said.deadline,
        audience: said.audience,
        needs: said.needs,
        steps: said.steps.into_iter().map(titled).collect(),
        payment: said.payment.into_iter().map(titled).collect(),
        questions: said.questions.into_iter().map(question).collect(),
    }
}
