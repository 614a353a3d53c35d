//! `POST /users/inquiries`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::Message;
use crate::ApiState;
use crate::json::StrictJson;
use crate::problem::Problem;
use domain::body::{both, split};
use domain::program::{ApplicationType, Program, required_type};
use domain::prospect::Inquiry;
use domain::{body, joined, text};
use wire::Client;

body! {
    struct InquiryProgram {
        /// The program that it is about.
        #[schema(value_type = ApplicationType)]
        application_type: Program = required_type,
    }
}

joined! {
    /// What somebody who is not ready to apply wants from us.
    pub struct ProgramInquiry(Inquiry, InquiryProgram);
}

/// Asks for news of a program, or for its brochure.
///
/// A link to confirm the address is mailed. Until it is opened, nothing else is. The response does not reveal whether
/// the address is known.
#[utoipa::path(
    post,
    path = "/api/users/inquiries",
    operation_id = "inquire",
    tag = "Inquiries",
    request_body = ProgramInquiry,
    responses(
        (status = 202, description = "The same for every address.", body = Message),
        (status = 429, description = "`rate_limited`"),
    ),
    security(())
)]
pub async fn inquire(
    State(api): State<ApiState>,
    Client(caller): Client,
    StrictJson(input): StrictJson,
) -> Result<(StatusCode, Json<Message>), Problem> {
    let (program, inquiry) = split::<InquiryProgram>(input);
    let parsed = both(Inquiry::parse(&inquiry), InquiryProgram::parse(&program));
    let (_, InquiryProgram { application_type }) = parsed?;
    api.app.inquire(&inquiry, application_type, &caller).await?;
    let message = text!("Check your email. We have sent you a link to confirm your address.");
    Ok((StatusCode::ACCEPTED, Json(Message { message })))
}
