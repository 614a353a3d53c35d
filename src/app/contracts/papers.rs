//! Contracts as documents: for reading and signing by hand, and the signed copy with its certificate.

use futures::TryStreamExt;

use crate::App;
use crate::error::{Error, Refusal};
use crate::ports::{PdfError, StorageError};
use domain::application::Application;
use domain::clocks::zoned;
use domain::contract::{Block as Part, Contract, ContractText, Event, LanguageText, cost_sheet_heading, fingerprint};
use domain::language::Language;
use domain::moments::Millis;
use domain::paper::{Block, Fact, Paper};
use domain::text;
use store::StoreError;

/// A contract as a file.
#[derive(Debug, Clone)]
pub struct ContractPdf {
    pub name: String,
    pub bytes: Vec<u8>,
}

impl App {
    /// The contract as a PDF: the signed copy as it was created, or, until both parties have signed, the text with room
    /// for signatures.
    ///
    /// # Errors
    /// [`Refusal::ContractNotFound`] before it is sent, [`Refusal::ContractBroken`] if text or file have changed.
    pub async fn contract_pdf(&self, contract: &Contract, application: &Application) -> Result<ContractPdf, Error> {
        let reference = application.reference.clone().unwrap_or_default();
        let name = format!("contract-{reference}-{}.pdf", contract.number);
        if let Some(file) = &contract.file {
            let stored = self.storage.get(&file.object, 0..file.size).await?;
            let pieces: Vec<bytes::Bytes> =
                stored.try_collect().await.map_err(|error: StorageError| Error::from(error))?;
            let bytes = pieces.concat();
            if fingerprint(&bytes) != file.hash {
                return Err(Refusal::ContractBroken.into());
            }
            return Ok(ContractPdf { name, bytes });
        }
        if contract.text.is_none() {
            return Err(Refusal::ContractNotFound.into());
        }
        let text = contract.frozen_text().ok_or(Refusal::ContractBroken)?;
        let mut paper = self.contract_paper(contract, application, text, contract.sent_at.unwrap_or_default());
        let line = || "_".repeat(40);
        paper.blocks.extend([
            Block::Heading("Signatures".into()),
            Block::Paragraph("Only where this contract is signed on paper.".into()),
            Block::Facts(vec![
                Fact::new("Your name", line()),
                Fact::new("Day", line()),
                Fact::new("Your signature", line()),
                Fact::new("For the institute", line()),
                Fact::new("Day", line()),
            ]),
        ]);
        Ok(ContractPdf { name, bytes: self.set(paper).await? })
    }

    /// The signed copy: the text as shown, who signed it, and the chain of events.
    pub(super) async fn signed_copy(
        &self,
        contract: &Contract,
        events: &[Event],
        application: &Application,
    ) -> Result<Vec<u8>, Error> {
        let text = contract.frozen_text().ok_or(Refusal::ContractBroken)?;
        let dated = contract.countersigned_at.unwrap_or(contract.changed_at);
        let mut paper = self.contract_paper(contract, application, text, dated);
        let when = |at: Option<Millis>| at.map_or_else(String::new, |at| self.format_moment(at));
        let how = if contract.on_paper { "on paper, noted" } else { "electronically" };
        let name = |name: &Option<String>| name.clone().unwrap_or_default();
        paper.blocks.extend([
            Block::Heading("Signatures".into()),
            Block::Facts(vec![
                Fact::new(name(&contract.signed_name), format!("Signed {how} {}", when(contract.signed_at))),
                Fact::new(
                    name(&contract.countersigned_name),
                    format!(
                        "Signed for {} electronically {}",
                        self.settings.institute,
                        when(contract.countersigned_at)
                    ),
                ),
            ]),
            Block::NewPage,
            Block::Heading("Certificate".into()),
            Block::Paragraph(
                "Anybody who has this file can check at the address below, without an account, whether it is unchanged \
                 and still holds."
                    .into(),
            ),
            Block::Facts(vec![
                Fact::new("Check it at", format!("{}/verify/{}", self.settings.public_url, contract.code)),
                Fact::new("Reference number", application.reference.clone().unwrap_or_default()),
                Fact::new("Contract", contract.number.to_string()),
                Fact::new("Template", template_name(contract.template_version)),
                Fact::new("SHA-256 of the text", contract.text_hash.clone().unwrap_or_default()),
            ]),
            Block::Heading("What happened".into()),
            Block::Paragraph(
                "Each line has a hash (SHA-256) that the hash of the line before it is part of.".into(),
            ),
            Block::Facts(events.iter().map(|event| self.event_fact(event)).collect()),
        ]);
        self.set(paper).await
    }

    fn contract_paper(
        &self,
        contract: &Contract,
        application: &Application,
        text: ContractText,
        dated: Millis,
    ) -> Paper {
        let counts = text.texts.first().map_or(Language::En, |text| text.language);
        let title = text!("Contract for the {program}", program = application.program.name());
        let reference = application.reference.clone().unwrap_or_default();
        Paper {
            title: title.in_language(counts),
            language: counts,
            issuer: self.settings.institute.clone(),
            footer: format!("{reference} · Contract {}", contract.number),
            dated,
            blocks: text.texts.into_iter().enumerate().flat_map(|(place, text)| blocks_of(place > 0, text)).collect(),
        }
    }

    fn event_fact(&self, event: &Event) -> Fact {
        let who = if event.name.is_empty() { "By itself".to_owned() } else { event.name.clone() };
        let from = if event.address.is_empty() { String::new() } else { format!(", from {}", event.address) };
        let detail = if event.detail.is_empty() { String::new() } else { format!("\n{}", event.detail) };
        let value = format!("{}\n{who}{from}{detail}\n{}", self.format_moment(event.at), event.hash);
        Fact::new(format!("{}. {}", event.position, event.act.label()), value)
    }

    /// Date, time and zone at the institute.
    fn format_moment(&self, at: Millis) -> String {
        zoned(at, &self.settings.time_zone).strftime("%A, %B %-d, %Y, %H:%M:%S %Z").to_string()
    }

    async fn set(&self, paper: Paper) -> Result<Vec<u8>, Error> {
        let pdf = self.pdf.clone();
        let written = tokio::task::spawn_blocking(move || pdf.pdf(&paper)).await;
        let bytes = written.unwrap_or_else(|panic| Err(PdfError(panic.to_string())));
        bytes.map_err(|error| Error::Internal(StoreError::Broken(error.into())))
    }
}

fn template_name(version: i64) -> String {
    if version == 0 { "As the product came".to_owned() } else { format!("Version {version}") }
}

/// A text as blocks of a paper; a translation starts a page, under a heading that says so.
fn blocks_of(is_translation: bool, text: LanguageText) -> Vec<Block> {
    let LanguageText { language, blocks } = text;
    let heading = || text!("Translation into {language}", language = language.name()).in_language(language);
    let above = is_translation.then(|| [Block::NewPage, Block::Heading(heading())]);
    let parts = blocks.into_iter().flat_map(|part| paper_blocks(part, language));
    above.into_iter().flatten().chain(parts).collect()
}

/// A part of the text as blocks of a paper. The cost sheet starts a page.
fn paper_blocks(part: Part, language: Language) -> Vec<Block> {
    match part {
        Part::Heading { text } if cost_sheet_heading().in_language(language) == text => {
            vec![Block::NewPage, Block::Heading(text)]
        }
        Part::Heading { text } => vec![Block::Heading(text)],
        Part::Paragraph { runs } => vec![Block::Words(runs)],
        Part::List { items } => vec![Block::List(items)],
        Part::Table { head, rows } => {
            let facts = std::iter::once(head).chain(rows).map(|[name, value]| Fact::new(name, value));
            vec![Block::Facts(facts.collect())]
        }
    }
}
