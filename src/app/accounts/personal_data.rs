//! "Download my data": everything stored about an applicant, as a zip that is streamed while it is packed.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::stream::{self, BoxStream, StreamExt};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use tokio::time::timeout;
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZipWriter};

use crate::accounts::passwords::PasswordAgain;
use crate::accounts::sessions::SignedIn;
use crate::error::Error;
use crate::money::fees::FeeView;
use crate::ports::{DocumentStorage, StorageError, StoredBytes};
use crate::queues::Turn;
use crate::references::Reference;
use crate::{App, Caller};
use domain::application::Application;
use domain::contract::Contract;
use domain::documents::{Rejection, StoredDocument};
use domain::funding::FundingPlan;
use domain::input::Input;
use domain::language::Language;
use domain::ledger::{Ledger, Line, Method, Posted};
use domain::moments::{HOUR, MINUTE, Millis, rfc3339};
use domain::open_day::{OpenDay, OpenDayBooking};
use domain::passkey::Passkey;
use domain::prospect::Prospect;
use domain::sign_on::LinkedProvider;
use domain::status::{Act, Stage, UNDO_MINUTES};
use domain::text;
use store::{StageChange, StoredRecords, Throttle};

/// Maximum downloads per account and hour.
const DOWNLOADS_PER_HOUR: u32 = 10;
/// How long a request waits for other downloads to finish.
const PATIENCE: Duration = Duration::from_secs(10);
/// Size of the archive's chunks.
const PIECE: usize = 64 * 1024;

/// The archive, packed as it is read, without a thread that waits for the reader. It ends with an error if packing
/// fails, so that half an archive is not mistaken for the whole.
pub type Pieces = BoxStream<'static, io::Result<Bytes>>;

/// One file of the archive.
struct Packed {
    name: String,
    content: Content,
}

enum Content {
    Text(String),
    /// An uploaded file, read from storage while it is packed.
    Stored {
        object: String,
        size: u64,
    },
}

/// The path of an uploaded file in the archive, or `None` if the file is not kept. The id distinguishes files with the
/// same name.
fn place(file: &StoredDocument) -> Option<(String, Content)> {
    let (object, size) = (file.object.clone()?, file.size?);
    Some((format!("documents/{}/{}", file.id, file.name.as_str()), Content::Stored { object, size }))
}

impl App {
    /// Everything stored about the signed-in applicant: `data.json`, the uploaded files, and a `README.txt` that
    /// describes the contents. Asks for the password, since it is more than any page shows.
    ///
    /// # Errors
    /// `currentPassword.required`, `currentPassword.wrong`, unknown fields; too many failures, and too many downloads,
    /// by this account or in total.
    pub async fn personal_data(&self, who: &SignedIn, input: &Input, caller: &Caller) -> Result<Pieces, Error> {
        let PasswordAgain { current_password } = PasswordAgain::parse(input)?;
        self.confirm_password(who, current_password, caller).await?;
        let now = self.clock.now();
        let key = format!("personal-data:{}", who.applicant.id);
        if let Throttle::Refused { wait } = self.store.attempt(&key, DOWNLOADS_PER_HOUR, HOUR, now).await? {
            return Err(Error::Throttled { code: "rate_limited", wait });
        }
        let queued = self.queues.archives.join(&who.applicant.id);
        let queued = queued.ok_or(Error::Throttled { code: "rate_limited", wait: MINUTE })?;
        let turn = timeout(PATIENCE, queued.turn()).await.map_err(|_| Error::Unavailable(None))?;
        let records = self.store.records(&who.applicant.id).await?;
        let documents = self.store.documents(&who.applicant.id).await?;
        let mut contracts = Vec::new();
        for application in &records.applications {
            let all = self.store.contracts_of(&application.id).await?;
            // Drafts that were never sent are internal to the office.
            contracts.extend(all.into_iter().filter(|contract| contract.sent_at.is_some()));
        }
        let mut money = Vec::new();
        for application in &records.applications {
            if let Some(plan) = self.store.funding_plan(&application.id).await? {
                money.push(exported_money(application, &plan, &self.store.ledger(&application.id).await?));
            }
        }
        let mut references = Vec::new();
        for application in &records.applications {
            for referee in self.store.referees(&application.id).await? {
                references.push(self.reference(referee, application).await?);
            }
        }
        let mut fees = Vec::new();
        for application in &records.applications {
            if let Some(view) = self.fee_of(application).await? {
                fees.push(exported_fee(&view, &self.store.ledger(&application.id).await?));
            }
        }
        let mut data = exported(who, &records, &documents, now);
        data["passkeys"] = self.passkeys_of(who).await?.iter().map(exported_passkey).collect();
        let linked = self.linked_providers(&who.applicant.id).await?;
        data["linkedAccounts"] = linked.iter().map(exported_provider).collect();
        // Whoever registers an address need not be the one who asked or booked with it.
        if who.applicant.email_confirmed_at.is_some() {
            let before = self.store.prospect_of(&who.applicant.id).await?;
            data["inquiries"] = before.iter().map(exported_inquiry).collect();
            let bookings = self.store.bookings_of(&who.applicant.email.to_lowercase()).await?;
            data["openDays"] = bookings.iter().map(exported_booking).collect();
        }
        data["contracts"] = contracts.iter().map(exported_contract).collect();
        data["money"] = money.into();
        data["references"] = references.iter().map(exported_reference).collect();
        data["applicationFees"] = fees.into();
        let data = format!("{data:#}\n");
        let texts = [
            ("README.txt".to_owned(), self.readme(who.applicant.profile.language, now)),
            ("data.json".to_owned(), data),
        ];
        let texts = texts.map(|(name, text)| (name, Content::Text(text))).into_iter();
        let signed = contracts.iter().filter_map(signed_copy);
        let letters = references.iter().filter_map(letter_of);
        let files = texts
            .chain(documents.iter().filter_map(place))
            .chain(signed)
            .chain(letters)
            .map(|(name, content)| Packed { name, content });
        let files: Vec<Packed> = files.collect();
        Ok(Packer::new(files, self.storage.clone(), who.applicant.profile.language, now, turn).pieces())
    }

    fn readme(&self, language: Language, now: Millis) -> String {
        let (institute, contact) = (&self.settings.institute, &self.settings.contact_email);
        let made = rfc3339(now);
        let paragraphs = [
            text!("Your data at {institute}", institute),
            text!("Created on {made} (UTC), for you alone: keep it where nobody else will find it.", made),
            text!("data.json is a text file that most programs can read. It holds:"),
            text!(
                "- account: your profile and settings\n\
                 - applications: your answers, each submission as it was sent, and every change of status that we told you about\n\
                 - documents: which files you sent, and where in this archive they are\n\
                 - references: whom you named as referees, and what they wrote if you may read it\n\
                 - contracts: each that we sent you, as it was signed, and where its copy is in this archive\n\
                 - money: how your tuition is to be paid, and what was paid of it\n\
                 - applicationFees: what your applications cost, and whether that was paid or waived\n\
                 - messages: the emails that we wrote to you, without links that give access to your account\n\
                 - conversation: what you and we wrote to each other\n\
                 - sessions: where and when you were logged in\n\
                 - passkeys: when you added them, and when you last used them\n\
                 - linkedAccounts: what else you can log in with, and since when\n\
                 - inquiries: what you asked us for before you applied\n\
                 - openDays: the open days that you have booked\n\
                 - activity: what you did, according to our records"
            ),
            text!(
                "Times are in UTC; amounts of money are in cents. Your password is not in it: we do not know it. Notes and \
                 decisions that are still being worked on are not in it either."
            ),
            text!("Questions? Write to {contact}", contact),
        ];
        let texts: Vec<String> = paragraphs.iter().map(|paragraph| paragraph.in_language(language)).collect();
        format!("{}\n", texts.join("\n\n"))
    }
}

/// Stored data, as far as its owner may see it.
fn exported(who: &SignedIn, records: &StoredRecords, documents: &[StoredDocument], now: Millis) -> Value {
    let applicant = &who.applicant;
    let profile = &applicant.profile;
    let applications = records.applications.iter().map(|application| exported_application(application, records, now));
    let messages = records.messages.iter().map(|message| {
        json!({
            "subject": message.subject,
            "to": message.to,
            "writtenAt": rfc3339(message.created_at),
            "readAt": message.read_at.map(rfc3339),
            "text": message.text,
        })
    });
    let conversation = records.conversation.iter().map(|message| {
        json!({
            "application": message.application_id,
            "from": if message.staff_id.is_some() { "us" } else { "you" },
            "writtenAt": rfc3339(message.created_at),
            "readAt": message.read_at.map(rfc3339),
            "text": message.text,
        })
    });
    let documents = documents.iter().map(|file| {
        json!({
            "id": file.id,
            "document": file.slot.slot().label,
            "name": file.name.as_str(),
            "state": file.state,
            "bytes": file.size,
            "sha256": file.sha256,
            "sentAt": rfc3339(file.created_at),
            "file": place(file).map(|(name, _)| name),
        })
    });
    let sessions = records.sessions.iter().map(|session| {
        json!({
            "openedAt": rfc3339(session.created_at),
            "lastSeenAt": rfc3339(session.last_seen_at),
            "expiresAt": rfc3339(session.expires_at),
            "endedAt": session.revoked_at.map(rfc3339),
            "address": session.address,
            "browser": session.user_agent,
        })
    });
    let activity = records
        .audit
        .iter()
        .map(|act| json!({ "at": rfc3339(act.happened_at), "what": act.action, "about": act.subject }));
    json!({
        "account": {
            "id": applicant.id,
            "email": applicant.email,
            "emailConfirmedAt": applicant.email_confirmed_at.map(rfc3339),
            "firstName": profile.first_name,
            "lastName": profile.last_name,
            "dateOfBirth": profile.date_of_birth.to_string(),
            "phoneNumber": profile.phone_number,
            "country": profile.country,
            "state": profile.state,
            "timeZone": profile.time_zone,
            "reminders": profile.reminders,
            "language": profile.language,
            "createdAt": rfc3339(applicant.created_at),
            "secondFactor": applicant.has_second_factor(),
        },
        "applications": applications.collect::<Vec<_>>(),
        "documents": documents.collect::<Vec<_>>(),
        "messages": messages.collect::<Vec<_>>(),
        "conversation": conversation.collect::<Vec<_>>(),
        "sessions": sessions.collect::<Vec<_>>(),
        "activity": activity.collect::<Vec<_>>(),
    })
}

fn exported_provider(linked: &LinkedProvider) -> Value {
    json!({ "provider": linked.name, "linkedAt": rfc3339(linked.linked_at) })
}

fn exported_inquiry(prospect: &Prospect) -> Value {
    json!({
        "email": prospect.email,
        "firstName": prospect.first_name,
        "applicationType": prospect.program.application_type(),
        "openings": prospect.wants.openings,
        "brochure": prospect.wants.brochure,
        "language": prospect.language,
        "askedAt": rfc3339(prospect.created_at),
        "confirmedAt": prospect.confirmed_at.map(rfc3339),
    })
}

fn exported_booking((day, booking): &(OpenDay, OpenDayBooking)) -> Value {
    json!({
        "title": day.title,
        "startsAt": rfc3339(day.starts_at),
        "place": day.place,
        "email": booking.email,
        "firstName": booking.first_name,
        "lastName": booking.last_name,
        "people": booking.people,
        "bookedAt": rfc3339(booking.created_at),
        "cancelledAt": booking.cancelled_at.map(rfc3339),
        "came": booking.came,
    })
}

/// Without what the applicant may not read.
fn exported_reference(reference: &Reference) -> Value {
    let Reference { referee, answers } = reference;
    let says = referee.is_open_to_applicant().then(|| {
        let answers: Vec<Value> =
            answers.iter().map(|fact| json!({ "question": fact.name, "answer": fact.value })).collect();
        json!({ "answers": answers, "file": letter_of(reference).map(|(name, _)| name) })
    });
    json!({
        "application": referee.application_id,
        "name": referee.name,
        "email": referee.email,
        "relationship": referee.relationship,
        "organization": referee.organization,
        "language": referee.language,
        "waived": referee.waived,
        "state": referee.state,
        "namedAt": rfc3339(referee.created_at),
        "askedAt": referee.asked_at.map(rfc3339),
        "finishedAt": referee.finished_at.map(rfc3339),
        "says": says,
    })
}

/// The archive entry for a letter that the applicant may read.
fn letter_of(reference: &Reference) -> Option<(String, Content)> {
    let referee = &reference.referee;
    let letter = referee.letter.as_ref().filter(|_| referee.is_open_to_applicant())?;
    let stored = Content::Stored { object: letter.object.clone(), size: letter.size };
    Some((format!("references/{}/{}", referee.id, letter.name.as_str()), stored))
}

fn exported_passkey(passkey: &Passkey) -> Value {
    json!({
        "browser": passkey.user_agent,
        "addedAt": rfc3339(passkey.created_at),
        "lastUsedAt": passkey.last_used_at.map(rfc3339),
    })
}

fn exported_contract(contract: &Contract) -> Value {
    json!({
        "id": contract.id,
        "application": contract.application_id,
        "number": contract.number,
        "state": contract.state.as_str(),
        "text": contract.text,
        "sha256": contract.text_hash,
        "sentAt": contract.sent_at.map(rfc3339),
        "signedAt": contract.signed_at.map(rfc3339),
        "signedName": contract.signed_name,
        "onPaper": contract.on_paper,
        "countersignedAt": contract.countersigned_at.map(rfc3339),
        "countersignedName": contract.countersigned_name,
        "endedAt": contract.ended_at.map(rfc3339),
        "endReason": contract.end_reason,
        "file": signed_copy(contract).map(|(name, _)| name),
    })
}

/// The archive entry for the signed copy.
fn signed_copy(contract: &Contract) -> Option<(String, Content)> {
    let file = contract.file.as_ref()?;
    let stored = Content::Stored { object: file.object.clone(), size: file.size };
    Some((format!("contracts/{}.pdf", contract.id), stored))
}

fn exported_application(application: &Application, records: &StoredRecords, now: Millis) -> Value {
    let changes: Vec<&StageChange> =
        records.stage_changes.iter().filter(|change| change.application_id == application.id).collect();
    let shown = shown(&changes, now);
    let stage = shown.last().map_or(Stage::Draft, |change| change.to);
    let snapshots = records.snapshots.iter().filter(|snapshot| snapshot.application_id == application.id);
    let submissions = snapshots.map(|snapshot| {
        json!({
            "number": snapshot.number,
            "applicationType": snapshot.program.application_type(),
            "submittedAt": rfc3339(snapshot.taken_at),
            "answers": snapshot.answers.data(),
        })
    });
    let interviews = records.interviews.iter().filter(|interview| interview.application_id == application.id);
    let interviews = interviews.map(|interview| {
        json!({
            "startsAt": rfc3339(interview.starts_at),
            "bookedAt": rfc3339(interview.booked_at),
            "givenUpAt": interview.freed_at.map(rfc3339),
            "outcome": interview.outcome,
        })
    });
    let changes = shown.iter().map(|change| {
        json!({
            "at": rfc3339(change.happened_at),
            "act": change.act.as_str(),
            "from": change.from.to_string(),
            "to": change.to.to_string(),
            // Staff's note about a reversal is internal.
            "reason": change.reason.as_ref().filter(|_| change.act != Act::Reverse),
        })
    });
    json!({
        "id": application.id,
        "applicationType": application.program.application_type(),
        "reference": application.reference,
        "status": stage.to_string(),
        "startedAt": rfc3339(application.created_at),
        "answers": application.answers.data(),
        "submissions": submissions.collect::<Vec<_>>(),
        "interviews": interviews.collect::<Vec<_>>(),
        "statusChanges": changes.collect::<Vec<_>>(),
    })
}

/// How tuition is to be paid, and payments so far; those for the fee are with the fee.
fn exported_money(application: &Application, plan: &FundingPlan, ledger: &Ledger) -> Value {
    let funding = &plan.funding;
    let sources = funding.sources.iter().map(|source| {
        json!({
            "source": source.kind.as_str(),
            "cents": source.cents,
            "state": source.state.as_str(),
            "reason": source.reason,
        })
    });
    let schedule = funding
        .schedule()
        .into_iter()
        .map(|line| json!({ "number": line.number, "due": line.due.to_string(), "cents": line.cents }));
    json!({
        "application": application.id,
        "tuition": funding.tuition,
        "sources": sources.collect::<Vec<_>>(),
        "schedule": schedule.collect::<Vec<_>>(),
        "entries": ledger.posted.iter().filter(|posted| !is_about_fee(posted)).map(exported_entry).collect::<Vec<_>>(),
    })
}

fn is_about_fee(posted: &Posted) -> bool {
    posted.transaction.draft.line == Some(Line::ApplicationFee)
}

fn exported_entry(posted: &Posted) -> Value {
    let draft = &posted.transaction.draft;
    json!({
        "at": rfc3339(posted.at),
        "kind": draft.kind.as_str(),
        "for": draft.line.map(|line| line.to_string()),
        "method": draft.method.map(Method::as_str),
        "cents": draft.cents(),
    })
}

/// The fee of an application, without staff's reasons for waiving it.
fn exported_fee(view: &FeeView, ledger: &Ledger) -> Value {
    let FeeView { fee, owed, code, .. } = view;
    let need = fee.need.as_ref().map(|need| {
        json!({
            "statement": need.statement,
            "askedAt": rfc3339(need.asked_at),
            "refusedAt": need.refusal.as_ref().map(|refusal| rfc3339(refusal.at)),
            "refusal": need.refusal.as_ref().map(|refusal| &refusal.sentence),
        })
    });
    json!({
        "application": fee.application_id,
        "cents": fee.cents,
        "intake": fee.intake.code(),
        "state": fee.state,
        "owed": owed,
        "waivedBy": fee.waived_by,
        "rule": fee.rule,
        "code": code,
        "settledAt": fee.decided_at.map(rfc3339),
        "request": need,
        "entries": ledger.posted.iter().filter(|posted| is_about_fee(posted)).map(exported_entry).collect::<Vec<_>>(),
    })
}

/// The changes of one application that its applicant may see: a decision appears once it can no longer be silently
/// recalled, and a recalled one never does.
fn shown<'a>(changes: &[&'a StageChange], now: Millis) -> Vec<&'a StageChange> {
    let mut shown = Vec::new();
    let mut rest = changes.iter().copied().peekable();
    while let Some(change) = rest.next() {
        if matches!(change.act, Act::Offer | Act::Reject) {
            if rest.next_if(|next| next.act == Act::Recall).is_some() {
                continue;
            }
            if rest.peek().is_none() && now - change.happened_at < UNDO_MINUTES * MINUTE {
                break;
            }
        }
        shown.push(change);
    }
    shown
}

/// Packs one file after another, as fast as they are read.
struct Packer {
    /// None once finished.
    archive: Option<ZipWriter<StreamWriter<Written>>>,
    written: Written,
    files: std::vec::IntoIter<Packed>,
    /// The rest of the file being packed.
    bytes: Option<StoredBytes>,
    storage: Arc<dyn DocumentStorage>,
    language: Language,
    options: SimpleFileOptions,
    _turn: Turn,
}

impl Packer {
    fn new(
        files: Vec<Packed>,
        storage: Arc<dyn DocumentStorage>,
        language: Language,
        now: Millis,
        turn: Turn,
    ) -> Packer {
        let written = Written::default();
        Packer {
            archive: Some(ZipWriter::new_stream(written.clone())),
            written,
            files: files.into_iter(),
            bytes: None,
            storage,
            language,
            options: SimpleFileOptions::default()
                .compression_method(CompressionMethod::Deflated)
                .last_modified_time(dos_time(now))
                .unix_permissions(0o644),
            _turn: turn,
        }
    }

    fn pieces(self) -> Pieces {
        let pieces = stream::try_unfold(self, |mut packer| async move {
            let piece = packer.next().await.inspect_err(|error| {
                tracing::error!(error = error as &dyn std::error::Error, "somebody's archive broke off");
            });
            Ok(piece?.map(|piece| (piece, packer)))
        });
        pieces.boxed()
    }

    async fn next(&mut self) -> io::Result<Option<Bytes>> {
        loop {
            let Some(archive) = &mut self.archive else { return Ok(self.written.take(1)) };
            if let Some(piece) = self.written.take(PIECE) {
                return Ok(Some(piece));
            }
            if let Some(bytes) = &mut self.bytes {
                match bytes.next().await {
                    Some(bytes) => archive.write_all(&bytes.map_err(io::Error::other)?)?,
                    None => self.bytes = None,
                }
            } else if let Some(file) = self.files.next() {
                let (name, options, bytes) = self.open(file).await?;
                if let Some(archive) = &mut self.archive {
                    archive.start_file(name, options)?;
                }
                self.bytes = Some(bytes);
            } else if let Some(archive) = self.archive.take() {
                archive.finish()?;
            }
        }
    }

    /// The name a file is packed under, its options and its content.
    async fn open(&mut self, Packed { name, content }: Packed) -> io::Result<(String, SimpleFileOptions, StoredBytes)> {
        Ok(match content {
            Content::Text(text) => (name, self.options, in_pieces(text)),
            Content::Stored { object, size } => match self.storage.get(&object, 0..size).await {
                // The applicant still gets the rest.
                Err(StorageError::Missing) => {
                    let text = Rejection::Lost.sentence().in_language(self.language);
                    (format!("{name}.missing.txt"), self.options, in_pieces(text))
                }
                // Uploads are usually compressed already.
                found => (name, self.options.compression_level(Some(1)), found.map_err(io::Error::other)?),
            },
        })
    }
}

fn in_pieces(text: String) -> StoredBytes {
    let mut text = BytesMut::from(Bytes::from(text));
    let pieces =
        std::iter::from_fn(move || (!text.is_empty()).then(|| Ok(text.split_to(PIECE.min(text.len())).freeze())));
    stream::iter(pieces).boxed()
}

/// A time as zip archives store it: local time without a zone, here UTC, from 1980 on.
fn dos_time(at: Millis) -> zip::DateTime {
    let time = Timestamp::from_millisecond(at).unwrap_or_default().to_zoned(TimeZone::UTC);
    let part = |part: i8| u8::try_from(part).unwrap_or_default();
    let year = u16::try_from(time.year()).unwrap_or_default();
    zip::DateTime::from_date_and_time(
        year,
        part(time.month()),
        part(time.day()),
        part(time.hour()),
        part(time.minute()),
        part(time.second()),
    )
    .unwrap_or_default()
}

/// Output packed but not yet read.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<BytesMut>>);

impl Written {
    /// The next piece, if at least this many bytes are there.
    fn take(&self, least: usize) -> Option<Bytes> {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let length = written.len().min(PIECE);
        (length >= least).then(|| written.split_to(length).freeze())
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(act: Act, from: Stage, to: Stage, minute: i64) -> StageChange {
        StageChange { application_id: "a".into(), act, from, to, happened_at: minute * MINUTE, reason: None }
    }

    #[test]
    fn a_decision_shows_when_it_can_no_longer_be_recalled() {
        let submitted = change(Act::Submit, Stage::Draft, Stage::Submitted, 0);
        let rejected = change(Act::Reject, Stage::Submitted, Stage::Rejected, 10);
        let recalled = change(Act::Recall, Stage::Rejected, Stage::Submitted, 12);
        let offered = change(Act::Offer, Stage::Submitted, Stage::Offered, 20);
        let accepted = change(Act::Accept, Stage::Offered, Stage::Confirmed, 36);
        let acts = |changes: &[&StageChange], minute: i64| -> Vec<Act> {
            shown(changes, minute * MINUTE).iter().map(|change| change.act).collect()
        };
        assert_eq!(acts(&[&submitted, &rejected], 24), [Act::Submit]);
        assert_eq!(acts(&[&submitted, &rejected], 25), [Act::Submit, Act::Reject]);
        assert_eq!(acts(&[&submitted, &rejected, &recalled, &offered], 34), [Act::Submit]);
        assert_eq!(acts(&[&submitted, &rejected, &recalled, &offered], 35), [Act::Submit, Act::Offer]);
        assert_eq!(
            acts(&[&submitted, &rejected, &recalled, &offered, &accepted], 36),
            [Act::Submit, Act::Offer, Act::Accept]
        );
    }
}
