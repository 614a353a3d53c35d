//! Statistics over many applications: which ones are included, how far they have got, how long it took, where they
//! wait, who worked on them, and how they are paid for.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::application::PAYMENTS;
use crate::input::FieldError;
use crate::intake::Intake;
use crate::program::Program;
use crate::status::{Stage, Status};

/// Lower bounds, in days, of the groups by which waiting applications are counted, longest last.
pub const WAITS: [i64; 4] = [0, 7, 14, 28];
/// If the period has more weeks than this, it is broken down by month.
const MAX_WEEKS: usize = 60;
/// Maximum length of a period, in years.
const MAX_YEARS: i64 = 5;

/// A period relative to today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// This many weeks starting on a Monday, including the current one.
    Weeks(i8),
    ThisYear,
    LastYear,
}

impl Period {
    pub const ALL: [Period; 6] =
        [Period::Weeks(4), Period::Weeks(13), Period::USUAL, Period::Weeks(52), Period::ThisYear, Period::LastYear];
    /// The default period.
    pub const USUAL: Period = Period::Weeks(26);

    /// Returns the code used in URLs.
    pub fn code(self) -> String {
        match self {
            Period::Weeks(weeks) => format!("{weeks}w"),
            Period::ThisYear => "this-year".to_owned(),
            Period::LastYear => "last-year".to_owned(),
        }
    }

    pub fn label(self) -> String {
        match self {
            Period::Weeks(weeks) => format!("{weeks} weeks"),
            Period::ThisYear => "This year".to_owned(),
            Period::LastYear => "Last year".to_owned(),
        }
    }

    fn parse(code: &str) -> Option<Period> {
        Period::ALL.into_iter().find(|period| period.code() == code)
    }

    /// Returns its first and last day.
    pub fn days(self, today: Date) -> (Date, Date) {
        match self {
            Period::Weeks(weeks) => (monday(today).saturating_sub((weeks - 1).weeks()), today),
            Period::ThisYear => (today.first_of_year(), today),
            Period::LastYear => {
                let last = today.first_of_year().saturating_sub(1.day());
                (last.first_of_year(), last)
            }
        }
    }
}

fn monday(day: Date) -> Date {
    day.saturating_sub(i64::from(day.weekday().to_monday_zero_offset()).days())
}

/// Selects the applications to include.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    /// The period that determines the days; `None` if the days were given as dates.
    pub period: Option<Period>,
    pub from: Date,
    /// The last day, inclusive.
    pub to: Date,
    pub program: Option<Program>,
    /// Only matches applications with an intake, which is known from the decision on.
    pub intake: Option<Intake>,
}

impl Filter {
    fn of(period: Period, today: Date) -> Filter {
        let (from, to) = period.days(today);
        Filter { period: Some(period), from, to, program: None, intake: None }
    }

    /// Parses a URL's query, and returns errors for the parts that are invalid, which fall back to their defaults. A
    /// period counts unless other days are given as well: without JavaScript, forms send both.
    pub fn parse<'a>(query: impl IntoIterator<Item = (&'a str, &'a str)>, today: Date) -> (Filter, Vec<FieldError>) {
        let mut filter = Filter::of(Period::USUAL, today);
        let mut errors = Vec::new();
        let (mut period, mut from, mut to) = (None, None, None);
        let mut error = |path: &str, rule: &str, sentence: &'static str| {
            errors.push(FieldError::new(path, format!("{path}.{rule}"), sentence));
        };
        for (name, value) in query {
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            match name {
                "period" => match Period::parse(value) {
                    Some(known) => period = Some(known),
                    None => error(name, "invalid", "Choose one of the periods, or two days."),
                },
                "from" | "to" => match value.parse::<Date>() {
                    Ok(day) => *(if name == "from" { &mut from } else { &mut to }) = Some(Some(day)),
                    Err(_) => {
                        *(if name == "from" { &mut from } else { &mut to }) = Some(None);
                        error(name, "invalid", "Give a day such as 2026-05-31.");
                    }
                },
                "program" => match Program::of_application_type(value) {
                    Some(program) => filter.program = Some(program),
                    None => error(name, "invalid", "Choose one of the programs."),
                },
                "intake" => match Intake::parse(value) {
                    Some(intake) => filter.intake = Some(intake),
                    None => error(name, "invalid", "Choose one of the intakes."),
                },
                _ => {}
            }
        }
        if let Some(period) = period {
            filter = Filter { program: filter.program, intake: filter.intake, ..Filter::of(period, today) };
        }
        match (from, to) {
            (Some(Some(from)), Some(Some(to))) if from > to => {
                error("to", "order", "The last day must not be before the first day.");
            }
            (Some(Some(from)), Some(Some(to))) if to > from.saturating_add(MAX_YEARS.years()) => {
                error("to", "range", "Choose at most five years.");
            }
            (Some(Some(from)), Some(Some(to))) if (from, to) != (filter.from, filter.to) => {
                filter = Filter { period: None, from, to, ..filter };
            }
            (Some(_), None) => error("to", "required", "Give the last day, too."),
            (None, Some(_)) => error("from", "required", "Give the first day, too."),
            _ => {}
        }
        (filter, errors)
    }

    /// Returns the query that [`Filter::parse`] reads.
    pub fn to_query(self) -> Vec<(&'static str, String)> {
        let mut query = match self.period {
            Some(period) => vec![("period", period.code())],
            None => vec![("from", self.from.to_string()), ("to", self.to.to_string())],
        };
        query.extend(self.program.map(|program| ("program", program.application_type().to_owned())));
        query.extend(self.intake.map(|intake| ("intake", intake.code())));
        query
    }

    /// Returns the weeks or months into which the days are divided, oldest first; the first and last may be partial.
    pub fn spans(self) -> Vec<Span> {
        let by = |first: Date, next: &dyn Fn(Date) -> Date| {
            let mut spans = Vec::new();
            let mut start = first;
            while start <= self.to {
                let end = next(start);
                let last = end.saturating_sub(1.day()).min(self.to);
                spans.push(Span { from: start.max(self.from), to: last });
                if end <= start {
                    break;
                }
                start = end;
            }
            spans
        };
        let weeks = by(monday(self.from), &|start| start.saturating_add(1.week()));
        if weeks.len() <= MAX_WEEKS {
            return weeks;
        }
        by(self.from.first_of_month(), &|start| start.saturating_add(1.month()))
    }

    /// Whether its [`spans`](Self::spans) are months.
    pub fn is_by_month(self) -> bool {
        self.spans().iter().any(|span| span.to > span.from.saturating_add(6.days()))
    }
}

/// Consecutive days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub from: Date,
    pub to: Date,
}

/// Returns the label of the group at this position in [`WAITS`].
pub fn wait_label(place: usize) -> String {
    let days = WAITS[place];
    match WAITS.get(place + 1) {
        Some(next) => format!("{days} to {} days", next - 1),
        None => format!("{days} days or longer"),
    }
}

/// Work that staff do on an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Reviewed its documents; days since the submission.
    Reviewed,
    /// Scored its interview; days since the interview.
    Scored,
    /// Drafted the decision that was released; days from submission to release.
    Decided,
}

impl Work {
    pub const ALL: [Work; 3] = [Work::Reviewed, Work::Scored, Work::Decided];

    /// Returns the label of its figures.
    pub fn label(self) -> &'static str {
        match self {
            Work::Reviewed => "Documents reviewed",
            Work::Scored => "Interviews scored",
            Work::Decided => "Decisions",
        }
    }
}

/// A number of days, and how many items took that long.
pub type Days = (i64, i64);

/// Raw counts.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// Applications submitted in a span, by their current stage: index of the span, stage, count.
    pub submitted: Vec<(usize, Stage, i64)>,
    /// Decisions released in a span: index of the span, days since the submission.
    pub decided: Vec<(usize, Days)>,
    /// Applications by current stage: stage, index in [`WAITS`], count.
    pub waiting: Vec<(Stage, usize, i64)>,
    /// Applications that were started: current stage, the stage at which they left the normal course, if they did,
    /// count.
    pub started: Vec<(Stage, Option<Stage>, i64)>,
    /// Completed stays in a stage.
    pub stays: Vec<(Stage, Days)>,
    /// Applications by way of paying (`None` if there is none) and current stage.
    pub funding: Vec<(Option<String>, Stage, i64)>,
    /// Work by staff account.
    pub work: Vec<(Work, String, Days)>,
    /// Applications currently owned, by staff account.
    pub owned: Vec<(String, i64)>,
}

/// Applications by their current status, in the order of [`SHOWN`].
pub type ByStatus = [i64; SHOWN.len()];

/// How many there were, and how long they took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Took {
    pub count: i64,
    /// Half took at most this many days.
    pub median_days: Option<i64>,
    /// Nine out of ten took at most this many days.
    pub most_days: Option<i64>,
}

impl Took {
    fn of(days: impl Iterator<Item = Days>) -> Took {
        let mut days: Vec<Days> = days.collect();
        days.sort_unstable();
        Took {
            count: days.iter().map(|(_, count)| count).sum(),
            median_days: at_share(&days, 50),
            most_days: at_share(&days, 90),
        }
    }
}

/// Figures of a week or month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpanFigures {
    pub span: Span,
    /// Applications submitted in it.
    pub by_status: ByStatus,
    /// Decisions released in it.
    pub decided: Took,
}

/// How many applications reached a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub stage: Stage,
    /// Those that reached at least this stage.
    pub count: i64,
}

impl Step {
    pub fn label(self) -> &'static str {
        match self.stage {
            Stage::Draft => "Started",
            stage => stage.label(),
        }
    }

    /// Returns the count as a whole percentage of `all`.
    pub fn percent_of(self, all: i64) -> Option<i64> {
        (all > 0).then(|| (self.count * 100 + all / 2) / all)
    }
}

/// Work of a member of staff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    pub staff_id: String,
    /// Number of applications they currently own.
    pub owned: i64,
    /// In the order of [`Work::ALL`].
    pub work: [Took; Work::ALL.len()],
}

/// Statuses in the order in which applications reach them; the last is that of withdrawn and declined ones.
pub const SHOWN: [Status; 7] = [
    Status::Incomplete,
    Status::Scheduled,
    Status::Accepted,
    Status::Enrolled,
    Status::Deferred,
    Status::Rejected,
    Status::None,
];

/// Stages in which something is still to happen, in order.
pub const WAITING: [Stage; 9] = [
    Stage::Submitted,
    Stage::Changes,
    Stage::Booked,
    Stage::Held,
    Stage::NoShow,
    Stage::Waitlisted,
    Stage::Offered,
    Stage::Lapsed,
    Stage::Confirmed,
];

/// The stages of [`WAITING`] and those before and after, for which durations are shown.
pub const STAYED: [Stage; 11] = [
    Stage::Draft,
    Stage::Submitted,
    Stage::Changes,
    Stage::Booked,
    Stage::Held,
    Stage::NoShow,
    Stage::Waitlisted,
    Stage::Offered,
    Stage::Lapsed,
    Stage::Confirmed,
    Stage::Deferred,
];

/// The normal course of an application, from start to end.
pub const WAY: [Stage; 7] =
    [Stage::Draft, Stage::Submitted, Stage::Booked, Stage::Held, Stage::Offered, Stage::Confirmed, Stage::Enrolled];

/// Stages off the normal course: progress is given by the preceding stage.
pub const ASIDE: [Stage; 3] = [Stage::Rejected, Stage::Deferred, Stage::Archived];

/// Returns the position on the [`WAY`] reached at this stage. `None` for stages off it.
fn place_on_way(stage: Stage) -> Option<usize> {
    match stage {
        Stage::Draft => Some(0),
        Stage::Submitted | Stage::Changes => Some(1),
        Stage::Booked | Stage::NoShow => Some(2),
        // Or the interview was waived.
        Stage::Held | Stage::Waitlisted => Some(3),
        Stage::Offered | Stage::Lapsed => Some(4),
        Stage::Confirmed => Some(5),
        Stage::Enrolled => Some(6),
        Stage::None | Stage::Rejected | Stage::Deferred | Stage::Archived => None,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figures {
    /// Oldest first.
    pub spans: Vec<SpanFigures>,
    /// In the order of the [`WAY`].
    pub steps: Vec<Step>,
    /// In the order of [`STAYED`].
    pub stays: Vec<(Stage, Took)>,
    /// For each of [`WAITING`], the counts by group of [`WAITS`].
    pub waiting: Vec<(Stage, [i64; WAITS.len()])>,
    /// Most active first.
    pub readers: Vec<Reader>,
    /// By value of [`PAYMENTS`]; `None` for applications without a way to pay.
    pub funding: Vec<(Option<&'static str>, ByStatus)>,
}

impl Figures {
    /// Computes the figures; `spans` are those used for counting.
    pub fn new(spans: &[Span], counts: &Counts) -> Figures {
        let span = |(index, span): (usize, &Span)| SpanFigures {
            span: *span,
            by_status: by_status(
                counts.submitted.iter().filter(|one| one.0 == index).map(|(_, stage, n)| (*stage, *n)),
            ),
            decided: Took::of(counts.decided.iter().filter(|(span, _)| *span == index).map(|(_, days)| *days)),
        };
        let waits = |stage: Stage| {
            let mut waits = [0; WAITS.len()];
            for (_, place, count) in counts.waiting.iter().filter(|(one, ..)| *one == stage) {
                waits[*place] += count;
            }
            (stage, waits)
        };
        // An application off the normal course without a preceding stage was at least submitted.
        let came = |stage: Stage, before: Option<Stage>| {
            place_on_way(stage).or_else(|| before.and_then(place_on_way)).unwrap_or(1)
        };
        let step = |(place, stage): (usize, Stage)| {
            let far = counts.started.iter().filter(|(stage, before, _)| came(*stage, *before) >= place);
            Step { stage, count: far.map(|(.., count)| count).sum() }
        };
        let stay = |stage: Stage| {
            (stage, Took::of(counts.stays.iter().filter(|(one, _)| *one == stage).map(|(_, days)| *days)))
        };
        let paid = |value: Option<&'static str>| {
            let rows = counts.funding.iter().filter(|(one, ..)| one.as_deref() == value);
            (value, by_status(rows.map(|(_, stage, count)| (*stage, *count))))
        };
        let ways = PAYMENTS.iter().map(|payment| Some(payment.value)).chain([None]);
        Figures {
            spans: spans.iter().enumerate().map(span).collect(),
            steps: WAY.into_iter().enumerate().map(step).collect(),
            stays: STAYED.into_iter().map(stay).collect(),
            waiting: WAITING.into_iter().map(waits).collect(),
            readers: readers(counts),
            funding: ways.map(paid).collect(),
        }
    }
}

fn by_status(stages: impl Iterator<Item = (Stage, i64)>) -> ByStatus {
    let mut by_status = [0; SHOWN.len()];
    for (stage, count) in stages {
        if let Some(place) = SHOWN.iter().position(|status| *status == stage.status()) {
            by_status[place] += count;
        }
    }
    by_status
}

fn readers(counts: &Counts) -> Vec<Reader> {
    let mut ids: Vec<&String> =
        counts.work.iter().map(|(_, id, _)| id).chain(counts.owned.iter().map(|(id, _)| id)).collect();
    ids.sort_unstable();
    ids.dedup();
    let reader = |id: &String| Reader {
        staff_id: id.clone(),
        owned: counts.owned.iter().filter(|(one, _)| one == id).map(|(_, count)| count).sum(),
        work: Work::ALL.map(|work| {
            Took::of(counts.work.iter().filter(|(one, by, _)| *one == work && by == id).map(|(.., days)| *days))
        }),
    };
    let mut readers: Vec<Reader> = ids.into_iter().map(reader).collect();
    let all = |reader: &Reader| reader.work.iter().map(|took| took.count).sum::<i64>();
    readers.sort_by_key(|reader| std::cmp::Reverse((all(reader), reader.owned)));
    readers
}

/// Returns the lowest value that at least `percent` of all do not exceed; `values` is sorted, each with its count.
fn at_share(values: &[Days], percent: i64) -> Option<i64> {
    let all: i64 = values.iter().map(|(_, count)| count).sum();
    let mut passed = 0;
    values.iter().find_map(|(value, count)| {
        passed += count;
        (passed * 100 >= all * percent).then_some(*value)
    })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    const TODAY: Date = date(2026, 5, 6);

    fn parsed(query: &[(&str, &str)]) -> (Filter, Vec<String>) {
        let (filter, errors) = Filter::parse(query.iter().copied(), TODAY);
        (filter, errors.into_iter().map(|error| error.code).collect())
    }

    #[test]
    fn weeks_begin_on_mondays_and_end_today() {
        let (filter, errors) = parsed(&[]);
        assert_eq!((filter.from, filter.to, errors), (date(2025, 11, 10), TODAY, vec![]));
        let spans = filter.spans();
        assert_eq!((spans.len(), spans[0].to), (26, date(2025, 11, 16)));
        assert_eq!(spans[25], Span { from: date(2026, 5, 4), to: TODAY });
        assert!(!filter.is_by_month());
        assert_eq!(Period::LastYear.days(TODAY), (date(2025, 1, 1), date(2025, 12, 31)));
        assert_eq!(Period::ThisYear.days(TODAY), (date(2026, 1, 1), TODAY));
    }

    #[test]
    fn many_weeks_are_told_by_month() {
        let (filter, _) = parsed(&[("from", "2024-01-20"), ("to", "2026-02-03")]);
        let spans = filter.spans();
        assert!(filter.is_by_month());
        assert_eq!((spans.len(), spans[0]), (26, Span { from: date(2024, 1, 20), to: date(2024, 1, 31) }));
        assert_eq!(spans[25], Span { from: date(2026, 2, 1), to: date(2026, 2, 3) });
        let (day, _) = parsed(&[("from", "2026-02-03"), ("to", "2026-02-03")]);
        assert_eq!(day.spans(), [Span { from: date(2026, 2, 3), to: date(2026, 2, 3) }]);
    }

    #[test]
    fn a_filter_is_read_back_from_its_query() {
        for query in [
            vec![],
            vec![("period", "4w"), ("program", "msc")],
            vec![("from", "2026-01-01"), ("to", "2026-01-31"), ("intake", "2026-08"), ("program", "")],
            // The days of the period itself, as sent by a form without JavaScript.
            vec![("period", "last-year"), ("from", "2025-01-01"), ("to", "2025-12-31")],
        ] {
            let (filter, errors) = parsed(&query);
            assert_eq!(errors, Vec::<String>::new(), "{query:?}");
            let written = filter.to_query();
            let again = Filter::parse(written.iter().map(|(name, value)| (*name, value.as_str())), TODAY);
            assert_eq!(again, (filter, vec![]));
        }
        assert_eq!(
            parsed(&[("period", "last-year"), ("from", "2025-01-01"), ("to", "2025-12-31")]).0.period,
            Some(Period::LastYear)
        );
        let (filter, _) = parsed(&[("period", "4w"), ("from", "2025-01-01"), ("to", "2025-12-31")]);
        assert_eq!((filter.period, filter.from), (None, date(2025, 1, 1)));
    }

    #[test]
    fn what_cannot_be_understood_is_said_and_left_out() {
        for (query, code) in [
            (vec![("period", "5w")], "period.invalid"),
            (vec![("from", "tomorrow"), ("to", "2026-01-01")], "from.invalid"),
            (vec![("from", "2026-02-30"), ("to", "2026-03-01")], "from.invalid"),
            (vec![("from", "2026-01-02"), ("to", "2026-01-01")], "to.order"),
            (vec![("from", "2020-01-01"), ("to", "2026-01-01")], "to.range"),
            (vec![("from", "2026-01-02")], "to.required"),
            (vec![("to", "2026-01-02"), ("from", " ")], "from.required"),
            (vec![("program", "phd")], "program.invalid"),
            (vec![("intake", "2026-07")], "intake.invalid"),
        ] {
            assert_eq!(parsed(&query), (Filter::of(Period::USUAL, TODAY), vec![code.to_owned()]), "{query:?}");
        }
    }

    #[test]
    fn figures_follow_from_what_was_counted() {
        let counts = Counts {
            submitted: vec![
                (25, Stage::Submitted, 3),
                (25, Stage::Changes, 1),
                (25, Stage::Archived, 2),
                (0, Stage::Enrolled, 7),
            ],
            decided: vec![(3, (9, 1)), (3, (2, 1)), (3, (4, 8))],
            waiting: vec![(Stage::Held, 0, 4), (Stage::Held, 3, 1)],
            started: vec![
                (Stage::Draft, None, 4),
                (Stage::Changes, None, 1),
                (Stage::Enrolled, None, 2),
                (Stage::Rejected, Some(Stage::Held), 2),
                (Stage::Archived, Some(Stage::Confirmed), 1),
                (Stage::Archived, None, 1),
            ],
            stays: vec![(Stage::Held, (1, 9)), (Stage::Held, (30, 2))],
            funding: vec![(Some("gi_bill".into()), Stage::Held, 2), (None, Stage::Offered, 1)],
            work: vec![
                (Work::Scored, "a".into(), (0, 2)),
                (Work::Decided, "b".into(), (5, 3)),
                (Work::Decided, "b".into(), (7, 1)),
            ],
            owned: vec![("c".into(), 9)],
        };
        let figures = Figures::new(&parsed(&[]).0.spans(), &counts);
        assert_eq!(figures.spans.len(), 26);
        assert_eq!(figures.spans[25].by_status, [4, 0, 0, 0, 0, 0, 2]);
        assert_eq!(figures.spans[0].by_status[3], 7);
        assert_eq!(figures.spans[3].decided, Took { count: 10, median_days: Some(4), most_days: Some(4) });
        assert_eq!(figures.spans[4].decided, Took::default());
        assert!(figures.waiting.contains(&(Stage::Held, [4, 0, 0, 1])));
        let steps: Vec<i64> = figures.steps.iter().map(|step| step.count).collect();
        assert_eq!(steps, [11, 7, 5, 5, 3, 3, 2]);
        assert_eq!((figures.steps[2].percent_of(7), figures.steps[0].percent_of(0)), (Some(71), None));
        let held = Took { count: 11, median_days: Some(1), most_days: Some(30) };
        assert!(figures.stays.contains(&(Stage::Held, held)));
        assert!(figures.funding.contains(&(Some("gi_bill"), [0, 2, 0, 0, 0, 0, 0])));
        assert_eq!(figures.funding.last(), Some(&(None, [0, 0, 1, 0, 0, 0, 0])));
        let readers: Vec<(&str, i64, i64)> =
            figures.readers.iter().map(|one| (&*one.staff_id, one.owned, one.work[2].count)).collect();
        assert_eq!(readers, [("b", 0, 4), ("a", 0, 0), ("c", 9, 0)]);
    }

    #[test]
    fn every_stage_of_the_list_has_its_place() {
        for stage in Stage::ALL {
            assert!(SHOWN.contains(&stage.status()), "{stage}");
            let is_beside = ASIDE.contains(&stage) || stage == Stage::None;
            assert_eq!(place_on_way(stage).is_none(), is_beside, "{stage}");
        }
        for (place, stage) in WAY.into_iter().enumerate() {
            assert_eq!(place_on_way(stage), Some(place));
        }
    }
}
