//! What studies cost, who pays and when, on one page to keep.

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::applications::copy::PdfFile;
use crate::error::{Error, Refusal};
use domain::application::Application;
use domain::funding::{CostSheet, Instalment};
use domain::ledger::Line;
use domain::moments;
use domain::money::dollars;
use domain::paper::{Block, Fact, Paper};
use domain::sentence::speaking;
use domain::text;

impl App {
    /// The cost sheet of a saved plan, as a PDF. The same plan gives the same file.
    ///
    /// # Errors
    /// [`Refusal::NoFunding`]
    pub async fn cost_sheet(&self, who: &SignedIn, application: &Application) -> Result<PdfFile, Error> {
        let view = self.funding(application).await?;
        let plan = view.plan.ok_or(Refusal::NoFunding)?;
        let CostSheet { tuition, sources, schedule } = plan.funding.cost_sheet();
        let reference = application.reference.clone().unwrap_or_default();
        let profile = &who.applicant.profile;
        let name = format!("{} {}", profile.first_name, profile.last_name);
        let write = || {
            let mut blocks = vec![
                Block::Paragraph(
                    text!("What your studies cost, who pays, and when. It is not a contract: we will send you that separately.")
                        .spoken()
                        .into(),
                ),
                Block::Facts(vec![
                    Fact::new(text!("Reference number").spoken(), reference.clone()),
                    Fact::new(text!("Name").spoken(), name.clone()),
                    Fact::new(text!("Tuition for the whole program").spoken(), dollars(tuition)),
                ]),
                Block::Heading(text!("Who pays").spoken().into()),
            ];
            let mut paying: Vec<Fact> = sources
                .iter()
                .map(|source| {
                    let word = source.state.label().spoken();
                    Fact::new(source.kind.label().spoken(), format!("{} ({word})", dollars(source.cents)))
                })
                .collect();
            if plan.funding.missing() > 0 {
                paying.push(Fact::new(text!("Not covered yet").spoken(), dollars(plan.funding.missing())));
            }
            blocks.push(Block::Facts(paying));
            if !schedule.is_empty() {
                let line = |line: &Instalment| {
                    let label = Line::Instalment(line.number).label().spoken();
                    Fact::new(label, format!("{}, {}", dollars(line.cents), moments::loose_date(line.due).spoken()))
                };
                blocks.push(Block::Heading(text!("What you pay yourself").spoken().into()));
                blocks.push(Block::Facts(schedule.iter().map(line).collect()));
            }
            Paper {
                title: text!("Cost sheet for the {name}", name = application.program.name()).spoken().into(),
                language: profile.language,
                issuer: self.settings.institute.clone(),
                footer: format!("{reference} · {name}"),
                dated: plan.changed_at,
                blocks,
            }
        };
        let paper = speaking(profile.language, write);
        Ok(PdfFile { reference: format!("{reference}-costs"), bytes: self.print(paper).await? })
    }
}
