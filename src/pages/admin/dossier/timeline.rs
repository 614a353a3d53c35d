//! The tab "Timeline": everything that is recorded about the application.

use axum::http::StatusCode;
use axum::response::Response;

use super::{Opened, fresh, instead, open};
use crate::admin::Office;
use crate::page::Screen;
use crate::props::office::timeline::{AdminTimelineProps, TimelineEvent};
use crate::{Form, moment};
use app::office::dossiers::{Event, Who};

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let Opened { dossier, frame, .. } = match open(office, "/timeline").await {
        Ok(opened) => opened,
        Err(response) => return response,
    };
    let (events, unbroken) = match office.visit.state.app.timeline(office.who, &dossier).await {
        Ok(timeline) => timeline,
        Err(error) => return instead(office, &error).await,
    };
    let to_event = |Event { at, who, words, stages, detail, reason }: Event| TimelineEvent {
        when_text: moment::full(at, office.zone()).to_string(),
        who: match who {
            Who::Applicant => "The applicant".to_owned(),
            Who::Staff(name) => name,
            Who::Referee => "A referee".to_owned(),
            Who::System => "The system".to_owned(),
        },
        words,
        from: stages.map(|(from, _)| from.label()),
        to: stages.map(|(_, to)| to.label()),
        detail,
        reason,
    };
    let title = format!("Timeline of {}", frame.name);
    let events = events.into_iter().map(to_event).collect();
    let props = AdminTimelineProps { events, unbroken, frame, form: fresh(office) };
    office.page(Screen::AdminTimeline(Box::new(props)), &title, StatusCode::OK).await
}
