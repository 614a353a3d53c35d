//! The figures: what the list comes to.

use axum::http::StatusCode;
use axum::response::Response;

use super::super::super::page::Screen;
use super::super::super::props::office::figures::{AdminFiguresProps, FiguresWaiting, FiguresWeek};
use super::super::super::{Form, moment};
use super::super::Office;
use super::capital;
use crate::domain::listing::figures::{SHOWN, WAITS};
use crate::domain::moments;
use crate::domain::status::Status;

pub async fn show(office: Office<'_>, _: &Form) -> Response {
    let counted = match office.visit.state.app.figures(office.who).await {
        Ok(counted) => counted,
        Err(error) => return office.unavailable(&error).await,
    };
    let figures = &counted.figures;
    let weeks = figures.weeks.iter().map(|week| FiguresWeek {
        week: moments::short_date(week.monday).to_string(),
        by_status: week.by_status.to_vec(),
        submitted: week.submitted(),
        decided: week.decided,
        median_days: week.median_days,
        most_days: week.most_days,
    });
    let waiting = figures.waiting.iter().map(|(stage, counts)| FiguresWaiting {
        stage: stage.label(),
        counts: counts.to_vec(),
        href: format!("{}?tab=all&stage={}&sort=waiting", super::PATH, stage.as_str()),
    });
    let props = AdminFiguresProps {
        statuses: SHOWN
            .map(|status| match status {
                Status::None => "Withdrawn or declined".to_owned(),
                status => capital(status.as_str()),
            })
            .to_vec(),
        weeks: weeks.collect(),
        waits: WAITS
            .iter()
            .enumerate()
            .map(|(place, days)| match WAITS.get(place + 1) {
                Some(next) => format!("{days} to {} days", next - 1),
                None => format!("{days} days or longer"),
            })
            .collect(),
        waiting: waiting.collect(),
        counted_text: moment::full(counted.at, office.zone()).to_string(),
    };
    office.page(Screen::AdminFigures(Box::new(props)), "Figures", StatusCode::OK).await
}
