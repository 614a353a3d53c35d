//! Whether a contract is what was signed, for anyone who has its address: `/verify/CODE`. No account is needed, and
//! nothing sent here is kept.

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use futures::StreamExt;
use sha2::{Digest, Sha256};

use super::page::{FormState, Screen};
use super::props::contract::{SignedBy, VerifyProps};
use super::{Form, Visit, moment, problem, respond};
use app::contracts::{Compared, Verified, parse_hash};
use app::{Error, Refusal};
use domain::contract::ContractState;
use domain::documents::{MAX_BYTES, MAX_MEGABYTES};
use domain::hex::hex;
use domain::input::FieldError;
use domain::sentence::Sentence;
use domain::text;
use wire::{FormFault, Multipart};

pub async fn show(visit: &Visit) -> Response {
    respond(visit, None, FormState::default(), StatusCode::OK).await
}

pub async fn submit(visit: &Visit, form: &Form) -> Response {
    match parse_hash(form.get("hash")) {
        Ok(hash) => respond(visit, Some(&hash), form.state(), StatusCode::OK).await,
        Err(error) => respond(visit, None, form.refused(&error.into()), StatusCode::UNPROCESSABLE_ENTITY).await,
    }
}

/// Reads a form with a file, of which only the hash is used.
pub async fn upload(visit: &Visit, body: Body) -> Response {
    match hash_of(visit, body).await {
        Ok(hash) => respond(visit, Some(&hash), FormState::default(), StatusCode::OK).await,
        Err(error) => {
            let state = Form::default().refused(&error.into());
            respond(visit, None, state, StatusCode::UNPROCESSABLE_ENTITY).await
        }
    }
}

/// Returns the hash of the chosen file, or the one that was typed.
async fn hash_of(visit: &Visit, body: Body) -> Result<String, FieldError> {
    let odd = |sentence: Sentence| FieldError::new("file", "file.invalid", sentence);
    let mut form = Multipart::new(&visit.parts.headers, wire::arrival(body)).map_err(|fault| odd(fault.sentence()))?;
    let (mut typed, mut hashed) = (String::new(), None);
    while let Some(part) = form.next().await.map_err(|fault| odd(fault.sentence()))? {
        match part.name.as_str() {
            "hash" => typed = part.text().await.map_err(|fault| odd(fault.sentence()))?,
            "file" => {
                let (mut hash, mut size) = (Sha256::new(), 0_u64);
                let mut chunks = std::pin::pin!(part.bytes());
                while let Some(chunk) = chunks.next().await {
                    let chunk = chunk.map_err(|broken| odd(FormFault::from(broken).sentence()))?;
                    size += chunk.len() as u64;
                    if size > MAX_BYTES {
                        return Err(odd(text!(
                            "The file is larger than {megabytes} MB. Ours are not.",
                            megabytes = MAX_MEGABYTES
                        )));
                    }
                    hash.update(&chunk);
                }
                // A browser sends an empty one when nothing was chosen.
                if size > 0 && hashed.replace(hex(hash.finalize())).is_some() {
                    return Err(odd(FormFault::SecondFile.sentence()));
                }
            }
            _ => {}
        }
    }
    hashed.map_or_else(|| parse_hash(&typed), Ok)
}

async fn respond(visit: &Visit, hash: Option<&str>, form: FormState, status: StatusCode) -> Response {
    let code = visit.path.strip_prefix("/verify/").unwrap_or_default();
    let verified = match visit.state.app.verify_contract(code).await {
        Ok(verified) => verified,
        Err(Error::Refused(Refusal::ContractNotFound)) => return problem::page(visit, problem::NO_CONTRACT).await,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let Verified { contract, program, unchanged, superseded } = &verified;
    let zone = &visit.state.app.settings.time_zone;
    let complete = contract.file.is_some();
    let signed = |name: &Option<String>, at: Option<i64>| {
        let (name, at) = (name.clone()?, at?);
        Some(SignedBy { name, when_text: moment::full(at, zone) })
    };
    let (compared, compared_well) = match hash.map(|hash| verified.compare(hash)) {
        None => (None, false),
        Some(Compared::File) => {
            (Some(text!("This is, byte for byte, the file that we created when both sides had signed.")), true)
        }
        Some(Compared::Text) => (Some(text!("This is the hash of the text that was signed.")), true),
        Some(Compared::Other) => {
            (Some(text!("This is not the signed file. It was changed, or it is another file.")), false)
        }
    };
    let (verdict, title) = verdict(&verified);
    let props = VerifyProps {
        code: code.to_owned(),
        verdict,
        title,
        unchanged: *unchanged,
        superseded: *superseded,
        program_name: program.name(),
        number: contract.number,
        signed: signed(&contract.signed_name, contract.signed_at).filter(|_| complete),
        countersigned: signed(&contract.countersigned_name, contract.countersigned_at).filter(|_| complete),
        on_paper: contract.on_paper,
        voided_text: contract.ended_at.filter(|_| complete).map(|at| moment::full(at, zone)),
        text_hash: contract.text_hash.clone().filter(|_| complete),
        file_hash: contract.file.as_ref().map(|file| file.hash.clone()),
        compared,
        compared_well,
        hash: hash.map(str::to_owned),
        form,
    };
    let head = visit.private_head(text!("Check a contract"));
    respond::page(visit, visit.page(Screen::Verify(Box::new(props)), status, head)).await
}

/// Returns the answer in one word for the page's look, and in one sentence.
fn verdict(verified: &Verified) -> (&'static str, Sentence) {
    let Verified { contract, unchanged, superseded, .. } = verified;
    match contract.state {
        _ if !unchanged => ("error", text!("Part of this contract was changed after it was written")),
        ContractState::Countersigned if *superseded => {
            ("warning", text!("Signed and unchanged, but a later contract has taken its place"))
        }
        ContractState::Countersigned => ("success", text!("Signed by both sides, unchanged, and in force")),
        ContractState::Voided if contract.file.is_some() => {
            ("warning", text!("Signed and unchanged, but voided: it is no longer valid"))
        }
        _ => ("warning", text!("This contract has not been signed by both sides")),
    }
}
