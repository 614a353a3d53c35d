//! Named reports of the figures, visible to all staff and mailed weekly to those who ask for it.

use jiff::ToSpan;
use jiff::civil::Weekday;
use serde_json::json;

use crate::App;
use crate::error::{Error, Refusal};
use crate::jobs::Ran;
use crate::mails::write_to_staff;
use crate::office::list_views::named;
use domain::clocks;
use domain::input::FieldError;
use domain::listing::figures::Filter;
use domain::moments::{DAY, HOUR, Millis};
use domain::permission::Permission;
use domain::sentence::Sentence;
use domain::staff::StaffSession;
use store::{DueReport, FigureReport, ViewSaved};

/// Maximum number of reports.
const MAX_REPORTS: i64 = 100;
/// The hour at the institute from which a report is mailed on Mondays.
const MAILED_FROM: i8 = 7;
/// Mails per batch.
const AT_ONCE: i64 = 100;

impl App {
    /// All reports, by name.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]
    pub async fn figure_reports(&self, who: &StaffSession) -> Result<Vec<FigureReport>, Error> {
        who.staff.permit(Permission::Applications)?;
        Ok(self.store.figure_reports(&who.staff.id).await?)
    }

    /// Saves a filter under a name. The same `key` saves it once.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`]; `reportName.required`, `.length`, `.taken`, `.full`.
    pub async fn save_figure_report(
        &self,
        who: &StaffSession,
        key: &str,
        name: &str,
        filter: Filter,
    ) -> Result<(), Error> {
        who.staff.permit(Permission::Applications)?;
        let report = FigureReport {
            id: self.form_id(key),
            staff_id: who.staff.id.clone(),
            name: named("reportName", "Give the report a name.", name)?,
            query: url::form_urlencoded::Serializer::new(String::new()).extend_pairs(filter.to_query()).finish(),
            is_mailed: false,
        };
        let subject = format!("report:{}", report.id);
        let audit = self.audit_entry(format!("staff:{}", who.staff.id), subject, "report.saved", json!({}));
        match self.store.save_figure_report(&report, MAX_REPORTS, &audit).await? {
            ViewSaved::Done => Ok(()),
            ViewSaved::Taken => {
                let sentence = "There is a report of this name already. Choose another one.";
                Err(FieldError::new("reportName", "reportName.taken", sentence).into())
            }
            ViewSaved::Full => {
                let sentence = format!("There are {MAX_REPORTS} reports. Delete one of them first.");
                Err(FieldError::new("reportName", "reportName.full", Sentence::plain(sentence)).into())
            }
        }
    }

    /// Deletes a report.
    ///
    /// # Errors
    /// [`Refusal::NoSuchView`] for a report that does not exist, or that the caller may not delete.
    pub async fn delete_figure_report(&self, who: &StaffSession, id: &str) -> Result<(), Error> {
        let reports = self.figure_reports(who).await?;
        if !reports.iter().any(|report| report.id == id && may_delete(who, report)) {
            return Err(Refusal::NoSuchView.into());
        }
        let subject = format!("report:{id}");
        let audit = self.audit_entry(format!("staff:{}", who.staff.id), subject, "report.deleted", json!({}));
        if self.store.delete_figure_report(id, &audit).await? { Ok(()) } else { Err(Refusal::NoSuchView.into()) }
    }

    /// Starts or stops mailing a report to the caller every week.
    ///
    /// # Errors
    /// [`Refusal::RoleForbidden`], [`Refusal::NoSuchView`]
    pub async fn mail_figure_report(&self, who: &StaffSession, id: &str, wanted: bool) -> Result<(), Error> {
        who.staff.permit(Permission::Applications)?;
        let due_at = wanted.then(|| self.next_monday());
        let is_there = self.store.mail_figure_report(id, &who.staff.id, due_at).await?;
        if is_there { Ok(()) } else { Err(Refusal::NoSuchView.into()) }
    }

    /// The next Monday morning at the institute.
    fn next_monday(&self) -> Millis {
        let (now, zone) = (self.clock.now(), clocks::zone(&self.settings.time_zone));
        let days = (0..=7).map(|days: i64| self.today().saturating_add(days.days()));
        let mondays = days.filter(|day| day.weekday() == Weekday::Monday);
        let mornings = mondays.filter_map(|day| clocks::moment(day.at(MAILED_FROM, 0, 0, 0), &zone));
        mornings.into_iter().find(|morning| *morning > now).unwrap_or(now + 7 * DAY)
    }

    /// [`jobs::FIGURE_REPORTS`](crate::jobs::FIGURE_REPORTS)
    pub(crate) async fn mail_figure_reports(&self) -> Result<Ran, Error> {
        loop {
            let due = self.store.due_figure_reports(self.clock.now(), AT_ONCE).await?;
            for report in &due {
                let mail = report_mail(self, report);
                self.store.figure_report_mailed(report, self.next_monday(), &mail).await?;
            }
            if (due.len() as i64) < AT_ONCE {
                return Ok(Ran::AgainAt(self.clock.now() + HOUR));
            }
        }
    }
}

/// The caller's own reports, and everybody's with the permission to share views.
pub fn may_delete(who: &StaffSession, report: &FigureReport) -> bool {
    report.staff_id == who.staff.id || who.staff.role.may(Permission::ShareViews)
}

/// "Here is your report", with a link to its file, which requires a login.
fn report_mail(app: &App, report: &DueReport) -> store::NewMail {
    let page = format!("{}/admin-panel/applications/figures", app.settings.public_url);
    let stop = format!(
        "You get this every Monday because you asked for it. To stop it, open the report and choose “Stop mails”: {page}?{}#reports",
        report.query,
    );
    write_to_staff(
        app,
        &report.email,
        &format!("The figures “{}” of this week are ready.", report.name),
        "figure-report",
        &format!("Figures: {}", report.name),
        &[&stop],
        Some(("Save as CSV", &format!("{page}.csv?{}", report.query))),
    )
}
