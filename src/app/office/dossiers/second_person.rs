//! Bookings that a second person has to approve: money given up, from the amount that Finance sets.
//!
//! A waiting request is not part of the ledger. When approved, it is checked again and booked in the transaction that
//! ends it, so that it is booked once, even if several people approve, decline or withdraw it at the same moment.

use std::collections::BTreeSet;

use serde_json::json;

use super::payments::MAX_NOTE_LENGTH;
use super::{Booked, Dossier, FinanceBooking};
use crate::App;
use crate::error::{Error, Refusal};
use crate::money::ledger::Unbooked;
use domain::input::{FieldError, Input, several_lines};
use domain::ledger::{BookingRequest, Kind, Ledger, LedgerError, RequestState, cause};
use domain::moments::{DAY, Millis};
use domain::permission::{Gate, Permission};
use domain::settings::{Setting, second_person_from, values};
use domain::staff::StaffSession;
use domain::task::{Task, TaskKind};
use store::{AuditEntry, CardRefund, CardRefundState, RequestEnd};

/// How long one person's unapproved bookings are added up, and how long a limit stays in force after it was raised or
/// lifted.
const TOGETHER: Millis = DAY;

/// The limits that a booking is checked against.
#[derive(Debug, Clone)]
pub struct Hold {
    /// Cents from which it has to wait; `None` if nothing has to.
    from: Option<i64>,
    kind: Kind,
    by: String,
    since: Millis,
    /// Cents of the same kind that are already waiting.
    waiting: i64,
    /// Causes of bookings approved by a second person.
    approved: BTreeSet<String>,
}

impl Hold {
    /// Whether this amount, together with the same person's recent unapproved bookings, needs a second person.
    fn keeps(&self, cents: i64, ledger: &Ledger, refunds: &[CardRefund]) -> bool {
        let Some(from) = self.from else { return false };
        let is_alone = |cause: &str| !self.approved.contains(cause);
        let booked = ledger.posted.iter().filter(|posted| {
            let draft = &posted.transaction.draft;
            draft.kind == self.kind && posted.by == self.by && posted.at > self.since && is_alone(&draft.cause)
        });
        let asked = refunds.iter().filter(|refund| {
            self.kind == Kind::Refund
                && refund.state == CardRefundState::Asked
                && refund.asked_by == self.by
                && refund.asked_at > self.since
                && is_alone(&cause(Kind::Refund, &refund.key, None))
        });
        let booked: i64 = booked.map(|posted| posted.transaction.draft.cents()).sum();
        let asked: i64 = asked.map(|refund| refund.cents).sum();
        cents + booked + asked + self.waiting >= from
    }
}

/// The authority to book something.
#[derive(Debug, Clone)]
pub enum Clearance {
    /// One person alone, if that is enough.
    Alone(Hold),
    /// A second person has approved this many cents.
    Approved { end: RequestEnd, cents: i64 },
}

impl Clearance {
    pub fn approval(&self) -> Option<&RequestEnd> {
        match self {
            Clearance::Alone(_) => None,
            Clearance::Approved { end, .. } => Some(end),
        }
    }

    /// # Errors
    /// [`Unbooked::Waits`] for what one person may not book alone, [`Refusal::RequestOutdated`] for an amount that was
    /// not approved.
    pub(crate) fn check(&self, cents: i64, ledger: &Ledger, refunds: &[CardRefund]) -> Result<(), Unbooked> {
        match self {
            Clearance::Alone(hold) if hold.keeps(cents, ledger, refunds) => Err(Unbooked::Waits(cents)),
            Clearance::Approved { cents: approved, .. } if *approved != cents => Err(Refusal::RequestOutdated.into()),
            _ => Ok(()),
        }
    }
}

/// The reason for declining a request, for the person who made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclineReason(String);

impl DeclineReason {
    /// # Errors
    /// `reason.required`, `reason.too_long`
    pub fn parse(typed: &str) -> Result<DeclineReason, FieldError> {
        let typed = Input::Text(typed.to_owned());
        let reason = several_lines("reason", "The reason", Some(&typed), MAX_NOTE_LENGTH)?;
        let required = || FieldError::new("reason", "reason.required", "Say why, for who has asked.");
        reason.map(DeclineReason).ok_or_else(required)
    }
}

/// When bookings need a second person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecondPerson {
    /// The amount in cents from which they do.
    pub from: i64,
    /// Whether anybody else could approve them.
    pub is_there: bool,
}

/// The booking of an approved request.
fn booking(request: &BookingRequest) -> Result<FinanceBooking, Error> {
    let about = request.about.clone().ok_or(LedgerError::NotFound);
    let reason = request.reason.clone();
    Ok(match request.kind {
        Kind::Refund => FinanceBooking::Refund { payment: about?, cents: request.cents, reason },
        Kind::Reversal => FinanceBooking::Reversal { transaction: about?, reason },
        kind => FinanceBooking::Forgive { line: request.line.ok_or(LedgerError::NotFound)?, kind, reason },
    })
}

impl App {
    /// The amount in force: the lowest of the last day.
    async fn second_person_from(&self) -> Result<Option<i64>, Error> {
        let versions = self.store.setting_versions(Setting::SecondPerson.name()).await?;
        let versions = versions.into_iter().map(|version| (version.changed_at, values(&version.value)));
        Ok(second_person_from(versions, self.clock.now() - TOGETHER))
    }

    /// When this person's bookings need a second person; `None` if they never do.
    ///
    /// # Errors
    /// Store errors.
    pub async fn second_person(&self, who: &StaffSession, dossier: &Dossier) -> Result<Option<SecondPerson>, Error> {
        let mut others = dossier.all_staff.iter().filter(|one| one.id != who.staff.id && one.suspended_at.is_none());
        let is_there = others.any(|one| one.role.may(Permission::ManageFinance));
        Ok(self.second_person_from().await?.map(|from| SecondPerson { from, is_there }))
    }

    pub(super) async fn hold(
        &self,
        who: &StaffSession,
        booking: &FinanceBooking,
        requests: &[BookingRequest],
    ) -> Result<Hold, Error> {
        let kind = booking.kind();
        let from = if kind == Kind::Payment { None } else { self.second_person_from().await? };
        let is_own =
            |it: &&BookingRequest| it.state == RequestState::Waiting && it.kind == kind && it.asked_by == who.staff.id;
        let approved = requests.iter().filter(|request| request.state == RequestState::Approved);
        Ok(Hold {
            from,
            kind,
            by: format!("staff:{}", who.staff.id),
            since: self.clock.now() - TOGETHER,
            waiting: requests.iter().filter(is_own).map(|request| request.cents).sum(),
            approved: approved.map(BookingRequest::cause).collect(),
        })
    }

    /// Stores a booking until somebody else has approved it.
    pub(super) async fn ask_second_person(
        &self,
        who: &StaffSession,
        id: &str,
        key: &str,
        booking: FinanceBooking,
        cents: i64,
    ) -> Result<Booked, Error> {
        let kind = booking.kind();
        let (line, about, reason) = match booking {
            FinanceBooking::Refund { payment, reason, .. } => (None, Some(payment), reason),
            FinanceBooking::Reversal { transaction, reason } => (None, Some(transaction), reason),
            FinanceBooking::Forgive { line, reason, .. } => (Some(line), None, reason),
            FinanceBooking::Payment { .. } => return Err(Error::Unavailable(None)),
        };
        let request_id = self.random.id();
        let detail = json!({ "request": request_id, "kind": kind.as_str(), "cents": cents });
        let audit = self.about_application(who, id, "ledger.approval_asked", detail);
        let request = BookingRequest {
            id: request_id,
            application_id: id.to_owned(),
            key: key.to_owned(),
            kind,
            line,
            about,
            cents,
            reason,
            asked_at: audit.at,
            asked_by: who.staff.id.clone(),
            state: RequestState::Waiting,
            settled_at: None,
            settled_by: None,
            decline_reason: None,
        };
        let task = Task {
            id: self.random.id(),
            kind: TaskKind::Approval,
            subject: format!("application:{id}"),
            detail: json!({}),
            created_at: audit.at,
            due_at: None,
        };
        Ok(Booked::Waits(Box::new(self.store.keep_request(&request, &task, &audit).await?)))
    }

    /// All requests for a second person, settled or not, oldest first.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`]
    pub async fn booking_requests(&self, who: &StaffSession, id: &str) -> Result<Vec<BookingRequest>, Error> {
        self.office_application(who, id, Permission::Finance).await?;
        Ok(self.store.booking_requests(id).await?)
    }

    /// Books somebody else's request against the current ledger. Approved twice by the same person, it is booked once.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::StepUp`], [`Refusal::ApplicationNotFound`], [`Refusal::NoSuchRequest`],
    /// [`Refusal::OwnRequest`], [`Refusal::RequestSettled`], [`Refusal::RequestOutdated`], and the errors of a booking.
    /// The request keeps waiting, unless the card payment provider was asked.
    pub async fn approve_booking(&self, who: &StaffSession, id: &str, request_id: &str) -> Result<(), Error> {
        self.admit(Gate::may(Permission::ManageFinance).and_step_up(), who).await?;
        let (dossier, request) = self.request_of_another(who, id, request_id).await?;
        if is_ended(&request, RequestState::Approved, who)? {
            return Ok(());
        }
        let detail = json!({ "request": request.id, "cents": request.cents, "askedBy": request.asked_by });
        let audit = self.about_application(who, id, "ledger.approved", detail);
        let end = ended(&request, RequestState::Approved, who, None, audit);
        let by = format!("staff:{}", request.asked_by);
        let clearance = Clearance::Approved { end, cents: request.cents };
        match self.write_booking(&dossier, &request.key, &booking(&request)?, &by, &clearance).await {
            Ok(()) => Ok(()),
            Err(Unbooked::Failed(Error::Refused(Refusal::RequestSettled))) => {
                self.assert_ended(who, id, request_id, RequestState::Approved).await
            }
            Err(Unbooked::Failed(error)) => Err(error),
            Err(Unbooked::Waits(_)) => Err(Refusal::OwnRequest.into()),
        }
    }

    /// Declines somebody else's request, so that nothing is booked.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::NoSuchRequest`],
    /// [`Refusal::OwnRequest`], [`Refusal::RequestSettled`]
    pub async fn decline_booking(
        &self,
        who: &StaffSession,
        id: &str,
        request_id: &str,
        reason: DeclineReason,
    ) -> Result<(), Error> {
        who.staff.permit(Permission::ManageFinance)?;
        let (_, request) = self.request_of_another(who, id, request_id).await?;
        self.end_unbooked(who, &request, RequestState::Declined, Some(reason.0)).await
    }

    /// Withdraws the caller's own request.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::ApplicationNotFound`], [`Refusal::NoSuchRequest`],
    /// [`Refusal::OthersRequest`], [`Refusal::RequestSettled`]
    pub async fn withdraw_booking(&self, who: &StaffSession, id: &str, request_id: &str) -> Result<(), Error> {
        who.staff.permit(Permission::ManageFinance)?;
        let (_, request) = self.request(who, id, request_id).await?;
        if request.asked_by != who.staff.id {
            return Err(Refusal::OthersRequest.into());
        }
        self.end_unbooked(who, &request, RequestState::Withdrawn, None).await
    }

    async fn request(
        &self,
        who: &StaffSession,
        id: &str,
        request_id: &str,
    ) -> Result<(Dossier, BookingRequest), Error> {
        let dossier = self.dossier(who, id).await?;
        let requests = self.store.booking_requests(id).await?;
        let request = requests.into_iter().find(|request| request.id == request_id);
        Ok((dossier, request.ok_or(Refusal::NoSuchRequest)?))
    }

    async fn request_of_another(
        &self,
        who: &StaffSession,
        id: &str,
        request_id: &str,
    ) -> Result<(Dossier, BookingRequest), Error> {
        let (dossier, request) = self.request(who, id, request_id).await?;
        if request.asked_by == who.staff.id { Err(Refusal::OwnRequest.into()) } else { Ok((dossier, request)) }
    }

    async fn end_unbooked(
        &self,
        who: &StaffSession,
        request: &BookingRequest,
        state: RequestState,
        decline_reason: Option<String>,
    ) -> Result<(), Error> {
        if is_ended(request, state, who)? {
            return Ok(());
        }
        let action = if state == RequestState::Declined { "ledger.declined" } else { "ledger.approval_withdrawn" };
        let detail = json!({ "request": request.id, "cents": request.cents, "askedBy": request.asked_by });
        let audit = self.about_application(who, &request.application_id, action, detail);
        let end = ended(request, state, who, decline_reason, audit);
        if self.store.end_request(&end).await? {
            Ok(())
        } else {
            self.assert_ended(who, &request.application_id, &request.id, state).await
        }
    }

    /// Checks that the same person has just ended it in the same way.
    async fn assert_ended(
        &self,
        who: &StaffSession,
        id: &str,
        request_id: &str,
        state: RequestState,
    ) -> Result<(), Error> {
        let (_, request) = self.request(who, id, request_id).await?;
        if is_ended(&request, state, who)? { Ok(()) } else { Err(Refusal::RequestSettled.into()) }
    }
}

/// Whether the same person has already ended it in this way; an error if it ended otherwise.
fn is_ended(request: &BookingRequest, state: RequestState, who: &StaffSession) -> Result<bool, Refusal> {
    match request.state {
        RequestState::Waiting => Ok(false),
        ended if ended == state && request.settled_by.as_ref() == Some(&who.staff.id) => Ok(true),
        _ => Err(Refusal::RequestSettled),
    }
}

fn ended(
    request: &BookingRequest,
    state: RequestState,
    who: &StaffSession,
    decline_reason: Option<String>,
    audit: AuditEntry,
) -> RequestEnd {
    RequestEnd {
        request_id: request.id.clone(),
        application_id: request.application_id.clone(),
        state,
        by: who.staff.id.clone(),
        decline_reason,
        audit,
    }
}
