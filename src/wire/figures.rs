//! Figures as comma-separated values: one line per number, so that a spreadsheet can rearrange them.

use axum::response::Response;

use super::listing::Cell;
use super::listing::csv::download;
use app::office::figures::Counted;
use domain::application::PAYMENTS;
use domain::listing::figures::{ByStatus, SHOWN, Took, Work, wait_label};

/// Returns the file as a download.
pub fn csv(counted: &Counted) -> Response {
    download("attachment; filename=\"figures.csv\"", lines(counted))
}

fn lines(counted: &Counted) -> Vec<Vec<Cell>> {
    let (filter, figures) = (&counted.filter, &counted.figures);
    let mut lines: Vec<Vec<Cell>> = Vec::new();
    let mut line = |cells: [Cell; 4]| lines.push(cells.into());
    line([text("Table"), text("Row"), text("Column"), text("Value")]);
    let asked = [
        ("Submitted from", filter.from.to_string()),
        ("Submitted until", filter.to.to_string()),
        ("Program", filter.program.map(|program| program.application_type().to_owned()).unwrap_or_default()),
        ("Intake", filter.intake.map(|intake| intake.code()).unwrap_or_default()),
    ];
    for (name, value) in asked {
        line([text("Filter"), text(name), text(""), text(&value)]);
    }
    for step in &figures.steps {
        line([text("Conversion"), text(step.label()), text("Applications"), Cell::Whole(step.count)]);
    }
    let statuses = |table: &str, row: &str, counts: &ByStatus, line: &mut dyn FnMut([Cell; 4])| {
        for (status, count) in SHOWN.iter().zip(counts) {
            line([text(table), text(row), text(status.as_str()), Cell::Whole(*count)]);
        }
    };
    let took = |table: &str, row: &str, about: &str, took: &Took, line: &mut dyn FnMut([Cell; 4])| {
        line([text(table), text(row), text(about), Cell::Whole(took.count)]);
        let days = [("median days", took.median_days), ("90th percentile days", took.most_days)];
        for (name, days) in days {
            if let Some(days) = days {
                line([text(table), text(row), text(&format!("{about}, {name}")), Cell::Whole(days)]);
            }
        }
    };
    for span in &figures.spans {
        statuses("Submitted", &span.span.from.to_string(), &span.by_status, &mut line);
    }
    for span in &figures.spans {
        took("Decisions", &span.span.from.to_string(), "Released", &span.decided, &mut line);
    }
    for (stage, stays) in &figures.stays {
        took("Time in stage", stage.label(), "Left", stays, &mut line);
    }
    for (stage, counts) in &figures.waiting {
        for (place, count) in counts.iter().enumerate() {
            line([text("Waiting"), text(stage.label()), text(&wait_label(place)), Cell::Whole(*count)]);
        }
    }
    for reader in &figures.readers {
        let name = counted.called(&reader.staff_id);
        line([text("Readers"), text(name), text("Looks after"), Cell::Whole(reader.owned)]);
        for (work, done) in Work::ALL.iter().zip(&reader.work) {
            took("Readers", name, work.label(), done, &mut line);
        }
    }
    for (value, counts) in &figures.funding {
        let payment = PAYMENTS.iter().find(|payment| Some(payment.value) == *value);
        let name = payment.map_or_else(|| "None named".to_owned(), |payment| payment.label.to_string());
        statuses("Funding", &name, counts, &mut line);
    }
    for capacity in counted.capacity.iter() {
        let name = format!("{} {}", capacity.program.application_type(), capacity.intake.code());
        let taken = capacity.taken;
        let numbers = [
            ("Places", capacity.limit.map(|limit| limit.places)),
            ("Offered", Some(taken.uncertain())),
            ("Accepted", Some(taken.confirmed)),
            ("Enrolled", Some(taken.enrolled)),
            ("Deferred to it", Some(taken.deferred)),
            ("Waitlisted", Some(capacity.waiting)),
            ("Left", capacity.left()),
            ("Expected starters", capacity.expected_starters()),
            ("Further offers", capacity.further_offers()),
        ];
        for (column, number) in numbers {
            if let Some(number) = number {
                line([text("Places"), text(&name), text(column), Cell::Whole(number)]);
            }
        }
    }
    lines
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}
