//! The applicant's own copy of their submission.

use jiff::Timestamp;

use crate::App;
use crate::accounts::sessions::SignedIn;
use crate::error::{Error, Refusal};
use crate::ports::PdfError;
use domain::application::{DECLARATION, InWords, Section};
use domain::moments;
use domain::paper::{Block, Fact, Paper};
use domain::sentence::speaking;
use domain::text;
use store::StoreError;

/// A file for the applicant to keep.
#[derive(Debug, Clone)]
pub struct PdfFile {
    /// Used in the file name.
    pub reference: String,
    pub bytes: Vec<u8>,
}

impl App {
    /// The latest submission of the active application, as it was frozen, as a PDF. The same submission gives the same
    /// file.
    ///
    /// # Errors
    /// [`Refusal::NothingSubmitted`]
    pub async fn application_copy(&self, who: &SignedIn) -> Result<PdfFile, Error> {
        let application = self.store.active_application(&who.applicant.id).await?.ok_or(Refusal::NothingSubmitted)?;
        let snapshot = self.store.latest_snapshot(&application.id).await?.ok_or(Refusal::NothingSubmitted)?;
        let reference = application.reference.unwrap_or_default();
        let profile = &who.applicant.profile;
        let zone = self.zone_of(&who.applicant);
        let taken_at = Timestamp::from_millisecond(snapshot.taken_at).unwrap_or(Timestamp::UNIX_EPOCH).to_zoned(zone);
        let name = format!("{} {}", profile.first_name, profile.last_name);
        // The questions as they were then.
        let version = snapshot.answers.questionnaire_version();
        let asked = self.store.questions_at(snapshot.program, version).await?.unwrap_or_default();
        let (date, time) = (moments::loose_date(taken_at.date()), moments::clock_and_zone(&taken_at));
        let taken = text!("{date}, {time}", date, time);
        let write = || {
            let mut blocks = vec![
                Block::Paragraph(
                    text!("This is your copy of the application that you submitted. Keep it with your papers.")
                        .spoken()
                        .into(),
                ),
                Block::Facts(vec![
                    Fact::new(text!("Reference number").spoken(), reference.clone()),
                    Fact::new(text!("Submitted").spoken(), taken.spoken()),
                    Fact::new(text!("Name").spoken(), name.clone()),
                    Fact::new(text!("Birth date").spoken(), moments::plain_date(profile.date_of_birth).spoken()),
                    Fact::new(text!("Email").spoken(), who.applicant.email.clone()),
                    Fact::new(text!("Phone").spoken(), profile.phone_number.clone()),
                ]),
            ];
            let answers = InWords::of(&snapshot.answers);
            for section in Section::ALL {
                let facts = match section {
                    Section::Questions => snapshot.answers.to_questions(&asked),
                    _ => answers.section(section),
                };
                if !facts.is_empty() {
                    blocks.push(Block::Heading(section.title().spoken().into()));
                    blocks.push(Block::Facts(facts));
                }
            }
            blocks.push(Block::Heading(text!("Declaration").spoken().into()));
            blocks.push(Block::Paragraph(DECLARATION.spoken().into()));
            Paper {
                title: text!("Application for the {name}", name = snapshot.program.name()).spoken().into(),
                language: profile.language,
                issuer: self.settings.institute.clone(),
                footer: format!("{reference} · {name}"),
                dated: snapshot.taken_at,
                blocks,
            }
        };
        let paper = speaking(profile.language, write);
        Ok(PdfFile { reference, bytes: self.print(paper).await? })
    }

    /// Renders a paper as PDF.
    pub(crate) async fn print(&self, paper: Paper) -> Result<Vec<u8>, Error> {
        let pdf = self.pdf.clone();
        let written = tokio::task::spawn_blocking(move || pdf.pdf(&paper)).await;
        let bytes = written.unwrap_or_else(|panic| Err(PdfError(panic.to_string())));
        bytes.map_err(|error| Error::Internal(StoreError::Broken(error.into())))
    }
}
