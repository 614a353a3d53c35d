//! What many applications come to: which of them are asked for, how far they have got, how long it took, where it waits, who
//! worked on them, and how they are paid for.

use jiff::ToSpan;
use jiff::civil::Date;

use crate::application::PAYMENTS;
use crate::input::FieldError;
use crate::intake::Intake;
use crate::program::Program;
use crate::status::{Stage, Status};

/// Days of waiting from which each share of the waiting is counted, longest last.
pub const WAITS: [i64; 4] = [0, 7, 14, 28];
/// Where the days asked for are more weeks than that, they are told by month.
const MAX_WEEKS: usize = 60;
/// The most years that can be asked for at once.
const MAX_YEARS: i64 = 5;

/// Days that follow from today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// So many weeks from Monday on, the current one among them.
    Weeks(i8),
    ThisYear,
    LastYear,
}

impl Period {
    pub const ALL: [Period; 6] =
        [Period::Weeks(4), Period::Weeks(13), Period::USUAL, Period::Weeks(52), Period::ThisYear, Period::LastYear];
    /// Unless another one is asked for.
    pub const USUAL: Period = Period::Weeks(26);

    /// As in addresses.
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

    /// Its first day and its last.
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

/// Which applications are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filter {
    /// What its days follow from; without one they are days of the calendar.
    pub period: Option<Period>,
    pub from: Date,
    /// The last day.
    pub to: Date,
    pub program: Option<Program>,
    /// Of those that have one: it is known from the decision on.
    pub intake: Option<Intake>,
}

impl Filter {
    fn of(period: Period, today: Date) -> Filter {
        let (from, to) = period.days(today);
        Filter { period: Some(period), from, to, program: None, intake: None }
    }

    /// The filter of an address's query, and what of it could not be understood: those parts are as usual. A period counts as
    /// long as no other days are given beside it, as forms without a script send both.
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

    /// What [`Filter::parse`] reads it from.
    pub fn to_query(self) -> Vec<(&'static str, String)> {
        let mut query = match self.period {
            Some(period) => vec![("period", period.code())],
            None => vec![("from", self.from.to_string()), ("to", self.to.to_string())],
        };
        query.extend(self.program.map(|program| ("program", program.application_type().to_owned())));
        query.extend(self.intake.map(|intake| ("intake", intake.code())));
        query
    }

    /// The weeks or months that its days are told by, oldest first; the first and the last may be cut off.
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

/// Days in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub from: Date,
    pub to: Date,
}

/// Which days of waiting have this place among [`WAITS`].
pub fn wait_label(place: usize) -> String {
    let days = WAITS[place];
    match WAITS.get(place + 1) {
        Some(next) => format!("{days} to {} days", next - 1),
        None => format!("{days} days or longer"),
    }
}

/// What somebody of the staff does about an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Looked at its documents; days from the submission.
    Reviewed,
    /// Scored its interview; days from the interview.
    Scored,
    /// Drafted the decision that was released; days from the submission to the release.
    Decided,
}

impl Work {
    pub const ALL: [Work; 3] = [Work::Reviewed, Work::Scored, Work::Decided];

    /// What is counted of it.
    pub fn label(self) -> &'static str {
        match self {
            Work::Reviewed => "Documents reviewed",
            Work::Scored => "Interviews scored",
            Work::Decided => "Decisions",
        }
    }
}

/// Days, and how many took so long.
pub type Days = (i64, i64);

/// What was counted.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// Of applications that were submitted in a span and are at a stage now: the span's place, the stage, how many.
    pub submitted: Vec<(usize, Stage, i64)>,
    /// Of decisions that were released in a span: the span's place, days since the submission.
    pub decided: Vec<(usize, Days)>,
    /// Of applications that are at a stage: the stage, the place among [`WAITS`], how many.
    pub waiting: Vec<(Stage, usize, i64)>,
    /// Of applications that were started: the stage now, the stage from which they left the way, if they did, how many.
    pub started: Vec<(Stage, Option<Stage>, i64)>,
    /// Of stages that were left again.
    pub stays: Vec<(Stage, Days)>,
    /// Of applications by way of paying, `None` for those without any, and their stage now.
    pub funding: Vec<(Option<String>, Stage, i64)>,
    /// By account of staff.
    pub work: Vec<(Work, String, Days)>,
    /// Applications that somebody looks after now, by account of staff.
    pub owned: Vec<(String, i64)>,
}

/// Applications by the status that they have now, in the order of [`SHOWN`].
pub type ByStatus = [i64; SHOWN.len()];

/// How many took how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Took {
    pub count: i64,
    /// Days that half of them took at most.
    pub median_days: Option<i64>,
    /// Days that nine of ten took at most.
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

/// A week or a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpanFigures {
    pub span: Span,
    /// Those that were submitted in it.
    pub by_status: ByStatus,
    /// Decisions that were released in it.
    pub decided: Took,
}

/// How many came how far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub stage: Stage,
    /// Those that came at least so far.
    pub count: i64,
}

impl Step {
    pub fn label(self) -> &'static str {
        match self.stage {
            Stage::Draft => "Started",
            stage => stage.label(),
        }
    }

    /// Whole percent of `all`.
    pub fn percent_of(self, all: i64) -> Option<i64> {
        (all > 0).then(|| (self.count * 100 + all / 2) / all)
    }
}

/// What somebody did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    pub staff_id: String,
    /// How many they look after now.
    pub owned: i64,
    /// In the order of [`Work::ALL`].
    pub work: [Took; Work::ALL.len()],
}

/// Statuses in the order in which an application gets to them; the last is that of those that were withdrawn or declined.
pub const SHOWN: [Status; 7] = [
    Status::Incomplete,
    Status::Scheduled,
    Status::Accepted,
    Status::Enrolled,
    Status::Deferred,
    Status::Rejected,
    Status::None,
];

/// Stages at which something is still to come, in the order of the way.
pub const WAITING: [Stage; 8] = [
    Stage::Submitted,
    Stage::Changes,
    Stage::Booked,
    Stage::Held,
    Stage::NoShow,
    Stage::Offered,
    Stage::Lapsed,
    Stage::Confirmed,
];

/// The same with what comes before and after, of which the time is told.
pub const STAYED: [Stage; 10] = [
    Stage::Draft,
    Stage::Submitted,
    Stage::Changes,
    Stage::Booked,
    Stage::Held,
    Stage::NoShow,
    Stage::Offered,
    Stage::Lapsed,
    Stage::Confirmed,
    Stage::Deferred,
];

/// The way of an application that comes to its end, from its start.
pub const WAY: [Stage; 7] =
    [Stage::Draft, Stage::Submitted, Stage::Booked, Stage::Held, Stage::Offered, Stage::Confirmed, Stage::Enrolled];

/// Stages beside the way: how far an application had come is told by the one before.
pub const ASIDE: [Stage; 3] = [Stage::Rejected, Stage::Deferred, Stage::Archived];

/// The place on the [`WAY`] that an application at this stage has come to. `None` for those beside it.
fn place_on_way(stage: Stage) -> Option<usize> {
    match stage {
        Stage::Draft => Some(0),
        Stage::Submitted | Stage::Changes => Some(1),
        Stage::Booked | Stage::NoShow => Some(2),
        Stage::Held => Some(3),
        Stage::Offered | Stage::Lapsed => Some(4),
        Stage::Confirmed => Some(5),
        Stage::Enrolled => Some(6),
        Stage::None | Stage::Rejected | Stage::Deferred | Stage::Archived => None,
    }
}

/// The figures of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figures {
    /// Oldest first.
    pub spans: Vec<SpanFigures>,
    /// In the order of the [`WAY`].
    pub steps: Vec<Step>,
    /// In the order of [`STAYED`].
    pub stays: Vec<(Stage, Took)>,
    /// For each of [`WAITING`], how many wait for at least so many of [`WAITS`] and fewer than the next.
    pub waiting: Vec<(Stage, [i64; WAITS.len()])>,
    /// Who did most comes first.
    pub readers: Vec<Reader>,
    /// By value of [`PAYMENTS`], and `None` for those that name no way to pay.
    pub funding: Vec<(Option<&'static str>, ByStatus)>,
}

impl Figures {
    /// `spans` are those in which it was counted.
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
        // Whoever is beside the way without a stage before it has at least applied.
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

/// The least value that at least `percent` of all do not exceed; values in order, each with how many have it.
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
            // Days that the period has anyway, as a form without a script sends them.
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
