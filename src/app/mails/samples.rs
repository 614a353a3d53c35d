//! Mails and letters with sample data: previews of a text, and tests sent to its author.

use jiff::civil::{Date, date, time};

use super::interview::lasting;
use super::{App, DASHBOARD, Paragraph, compose, paragraphs};
use crate::error::Error;
use crate::office::settings::may_set;
use domain::clocks::zone;
use domain::decision::{Letter, LetterTexts, Merged, Reasons};
use domain::intake::Deadlines;
use domain::interview::Span;
use domain::language::Language;
use domain::mail::{Filling, MailKind, MailTexts, Written};
use domain::merging::{MergeField, Run, words};
use domain::moments;
use domain::program::Program;
use domain::sentence::Sentence;
use domain::settings::{Setting, Values};
use domain::staff::Staff;

const DAY: Date = date(2026, 5, 12);

impl App {
    /// Previews a mail with these texts and sample data.
    pub fn preview_mail(&self, kind: MailKind, values: &Values, language: Language) -> Written {
        let mut texts = MailTexts::default();
        texts.put(kind, values);
        texts.write(kind, language, &self.sample_filling(kind))
    }

    /// Previews the paragraphs of a letter with these texts and sample data.
    pub fn preview_letter(&self, letter: Letter, values: &Values, language: Language) -> Vec<Vec<Run>> {
        let mut texts = LetterTexts::default();
        texts.put(letter, values);
        let conditions = ["A sample of a condition.", "Another one."];
        let merged = Merged {
            name: "Sample Person".into(),
            program: Program::Bachelor.name(),
            reference: "B26-SAMPLE".into(),
            intake: Deadlines::default().next(self.today()).name(),
            conditions: conditions.map(str::to_owned).into(),
            reasons: Reasons::default().offered().take(2).map(|listed| listed.sentence.clone()).collect(),
        };
        texts.fill(letter, language, &merged)
    }

    /// Sends the typed texts to their author, with sample data. Nothing is saved.
    ///
    /// # Errors
    /// Bad fields, [`Refusal::RoleForbidden`](crate::Refusal::RoleForbidden).
    pub async fn send_test_mail(
        &self,
        staff: &Staff,
        kind: MailKind,
        language: Language,
        typed: &Values,
    ) -> Result<(), Error> {
        may_set(staff, Setting::Mail(kind))?;
        let values = Setting::Mail(kind).check(self.today(), &Values::new(), typed)?;
        let written = self.preview_mail(kind, &values, language);
        let subject = format!("[Test] {}", words(&written.subject));
        let note = "This is a test with sample data, which you have sent to yourself.";
        let mut all = vec![Paragraph::Words(note.to_owned())];
        all.extend(paragraphs(written.parts, &format!("{}{DASHBOARD}", self.settings.public_url)));
        let mail = compose(self, &staff.email, language, "template-test", subject, &all);
        self.store.enqueue(&mail).await?;
        Ok(())
    }

    fn sample_filling(&self, kind: MailKind) -> Filling {
        let mut filling = self.common_filling("Sample", Program::Bachelor, DASHBOARD);
        let day = moments::loose_date(DAY);
        let sample = |field: MergeField| match field {
            MergeField::Reference => Sentence::plain("B26-SAMPLE"),
            MergeField::Sections => Sentence::each("Education, Employment", "Formación, Empleo"),
            MergeField::Message => {
                Sentence::each("A sample of what we have written.", "Un ejemplo de lo que escribimos.")
            }
            MergeField::Document => Sentence::each("Sample transcript", "Certificado de ejemplo"),
            MergeField::Referee => Sentence::each("Sample Referee", "Referencia de ejemplo"),
            MergeField::Reason => Sentence::each("A sample of a reason.", "Un ejemplo de motivo."),
            MergeField::When => self.sample_interview(),
            MergeField::Days => Sentence::plain("30"),
            MergeField::Amount => Sentence::plain("$1,200.50"),
            _ => day.clone(),
        };
        let own: Filling = kind
            .fields()
            .into_iter()
            .filter(|field| filling.iter().all(|(known, _)| known != field))
            .map(|field| (field, sample(field)))
            .collect();
        filling.extend(own);
        filling
    }

    fn sample_interview(&self) -> Sentence {
        let zone_name = &self.settings.time_zone;
        let at = DAY.to_datetime(time(14, 0, 0, 0)).to_zoned(zone(zone_name));
        let starts_at = at.map_or(0, |at| at.timestamp().as_millisecond());
        lasting(Span { starts_at, minutes: 30 }, zone_name)
    }
}
