//! What users see after submitting or booking an interview, and whenever they come back to it.

use axum::http::StatusCode;
use axum::response::Response;

use super::page::Screen;
use super::props::application::{ThankYouProps, WantedDocument};
use super::props::program::Titled;
use super::{Visit, application, fee, moment, problem, respond, schedule};
use app::Error;
use app::money::fees::FeeView;
use app::references::ReferencesSummary;
use domain::documents::Need;
use domain::money::dollars;
use domain::sentence::Sentence;
use domain::text;

pub async fn show(visit: &Visit) -> Response {
    let submitted = visit
        .visitor
        .application
        .as_ref()
        .and_then(|application| Some((application, application.reference.clone()?, application.submitted_at?)));
    let Some((application, reference, submitted_at)) = submitted else {
        return respond::redirect(visit, "/dashboard");
    };
    let loaded = async {
        let interview = schedule::booked_time(visit, application).await?;
        let fee = visit.state.app.fee_of(application).await?.filter(|view| view.fee.is_due());
        let wanted = visit.state.app.wanted_documents(application).await?;
        Ok::<_, Error>((interview, fee, wanted, visit.state.app.references_summary(application).await?))
    };
    let (interview, due, wanted, references) = match loaded.await {
        Ok(loaded) => loaded,
        Err(error) => {
            super::form::log(&error);
            return problem::page(visit, problem::UNAVAILABLE).await;
        }
    };
    let zone = visit.visitor.time_zone(&visit.state.app);
    let email = visit.visitor.signed_in.as_ref().map(|who| who.applicant.email.clone()).unwrap_or_default();
    let props = ThankYouProps {
        program_name: application.program.name(),
        reference,
        submitted_text: moment::full(submitted_at, zone),
        email,
        steps: steps(interview.is_some(), due.as_ref()),
        application_href: application::path(application.program),
        fee: due.as_ref().and_then(|view| fee::link(application, view)),
        documents: wanted
            .into_iter()
            .map(|slot| WantedDocument {
                href: format!("/dashboard/documents#d-{}", slot.name()),
                required: slot.need == Need::Required,
                label: slot.label,
            })
            .collect(),
        references: references.and_then(expected),
        interview,
    };
    let head = visit.private_head(text!("Thank you"));
    respond::page(visit, visit.page(Screen::ThankYou(Box::new(props)), StatusCode::OK, head)).await
}

/// Says where references that are still to come are.
fn expected(references: ReferencesSummary) -> Option<Sentence> {
    match references {
        ReferencesSummary { named: 1.., .. } => {
            Some(text!("We write to your referees as soon as your email is confirmed."))
        }
        ReferencesSummary { asked: 1.., .. } => {
            Some(text!("We have written to your referees, and we tell you when a reference arrives."))
        }
        _ => None,
    }
}

fn steps(is_booked: bool, due: Option<&FeeView>) -> Vec<Titled> {
    let pay = due.map(|view| {
        if view.fee.need_waits() {
            Titled {
                title: text!("We look at your request for a waiver"),
                text: text!("We will write to you as soon as we have decided. You can also pay the fee before that."),
            }
        } else {
            Titled {
                title: text!("You pay the application fee"),
                text: text!(
                    "It is {amount}. We start reading your application once it is paid or waived.",
                    amount = dollars(view.owed)
                ),
            }
        }
    });
    let read = Titled {
        title: text!("We read your application"),
        text: text!("All of it, including what you can transfer from earlier study, before we meet."),
    };
    let meet = if is_booked {
        Titled {
            title: text!("We meet"),
            text: text!("By video. Your interviewer will email you the link, and we will remind you the day before."),
        }
    } else {
        Titled {
            title: text!("You choose a time for your interview"),
            text: text!("A forty-minute conversation by video, whenever it suits you."),
        }
    };
    let decide = Titled {
        title: text!("You get our decision"),
        text: text!(
            "Within ten business days after the interview. We will write to you, and you can read it on your dashboard."
        ),
    };
    let ours = if is_booked { [read, meet, decide] } else { [meet, read, decide] };
    pay.into_iter().chain(ours).collect()
}
