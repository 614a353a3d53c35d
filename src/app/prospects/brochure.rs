//! The brochure of a program: what its landing page says, as a PDF.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use jiff::civil::Date;

use crate::App;
use crate::error::Error;
use domain::clocks::zone;
use domain::language::Language;
use domain::moments;
use domain::paper::{Block, Fact, Paper, Run};
use domain::program::Program;
use domain::prospectus::{Item, Prospectus, prospectus};
use domain::sentence::{Sentence, speaking};
use domain::text;

/// The latest brochures: the same for everybody, until the day changes or what Owners have set.
#[derive(Debug, Default)]
pub(crate) struct Brochures(Mutex<HashMap<(Program, Language), Printed>>);

#[derive(Debug, Clone)]
struct Printed {
    day: Date,
    stamp: i64,
    bytes: Bytes,
}

impl App {
    /// The brochure of a program as a PDF, for everybody. The same until the day changes or the landing page does.
    ///
    /// # Errors
    /// A bug on our side.
    pub async fn brochure(&self, program: Program, language: Language) -> Result<Bytes, Error> {
        let settings = self.product_settings().await;
        let (day, stamp) = (self.today(), settings.stamp);
        let kept = self.brochures.0.lock().unwrap_or_else(PoisonError::into_inner).get(&(program, language)).cloned();
        if let Some(kept) = kept.filter(|kept| kept.day == day && kept.stamp == stamp) {
            return Ok(kept.bytes);
        }
        let said = prospectus(program, &settings, day);
        let paper = speaking(language, || self.brochure_paper(program, &said, language, day));
        let bytes = Bytes::from(self.print(paper).await?);
        let printed = Printed { day, stamp, bytes: bytes.clone() };
        self.brochures.0.lock().unwrap_or_else(PoisonError::into_inner).insert((program, language), printed);
        Ok(bytes)
    }

    fn brochure_paper(&self, program: Program, said: &Prospectus, language: Language, day: Date) -> Paper {
        let settings = &self.settings;
        let heading = |sentence: Sentence| Block::Heading(sentence.spoken().into());
        let paragraph = |sentence: &Sentence| Block::Paragraph(sentence.spoken().into());
        let page = format!("{}/{}/apply", settings.public_url, program.path());
        let mut blocks = vec![
            paragraph(&said.promise),
            Block::Facts(vec![
                fact(text!("Degree"), &said.degree),
                fact(text!("Length"), &said.length),
                fact(text!("Cost"), &said.cost),
                fact(text!("Next intake"), &said.intake.name()),
                fact(text!("Apply by"), &moments::loose_date(said.intake.deadline)),
            ]),
            heading(text!("Who it is for")),
            list(&said.audience),
            heading(text!("What you will need")),
            list(&said.needs),
            heading(text!("How it works")),
            items(&said.steps),
            heading(text!("What it costs and how people pay")),
            paragraph(&said.cost),
        ];
        blocks.extend(said.fee.as_ref().map(paragraph));
        blocks.extend([
            items(&said.payment),
            heading(text!("Questions")),
            items(&said.questions),
            heading(text!("Start today, finish when it suits you")),
            paragraph(&text!(
                "Studies start {nextIntake}. Apply by {deadline}.",
                nextIntake = &said.next_intake,
                deadline = &said.deadline
            )),
            Block::Facts(vec![
                fact(text!("Apply at"), &Sentence::plain(&page)),
                fact(text!("Write to"), &Sentence::plain(&settings.contact_email)),
            ]),
        ]);
        let midnight = day.to_zoned(zone(&settings.time_zone)).map_or(0, |day| day.timestamp().as_millisecond());
        Paper {
            title: program.name().spoken().into(),
            language,
            issuer: settings.institute.clone(),
            footer: page,
            dated: midnight,
            blocks,
        }
    }
}

fn fact(name: Sentence, value: &Sentence) -> Fact {
    Fact::new(name.spoken(), value.spoken())
}

fn run(text: impl Into<String>, bold: bool) -> Run {
    Run { text: text.into(), bold }
}

fn list(sentences: &[Sentence]) -> Block {
    Block::List(sentences.iter().map(|sentence| vec![run(sentence.spoken(), false)]).collect())
}

fn items(items: &[Item]) -> Block {
    let item = |Item { title, text }: &Item| vec![run(title.spoken(), true), run(format!(" {}", text.spoken()), false)];
    Block::List(items.iter().map(item).collect())
}
