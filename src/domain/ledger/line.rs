//! What is charged and paid.

use std::fmt;

use crate::funding::{Funding, SourceKind};
use crate::sentence::Sentence;
use crate::text;

/// A part of tuition that one payer pays, or the application fee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Line {
    /// An instalment, by its number in the schedule.
    Instalment(u32),
    /// The share of a payer other than the applicant.
    Source(SourceKind),
    /// The application fee, which is not part of any plan.
    ApplicationFee,
}

const APPLICATION_FEE: &str = "application-fee";

impl Line {
    /// Returns every line of a plan with its cents: first those of other payers, then the instalments.
    pub fn all(funding: &Funding) -> Vec<(Line, i64)> {
        let others = funding.sources.iter().filter(|source| source.counts() && source.kind != SourceKind::SelfPay);
        let others = others.map(|source| (Line::Source(source.kind), source.cents));
        let own = funding.schedule().into_iter().map(|line| (Line::Instalment(line.number), line.cents));
        others.chain(own).collect()
    }

    /// Returns the cents of this line of the plan.
    pub fn cents(self, funding: &Funding) -> Option<i64> {
        Line::all(funding).into_iter().find(|(line, _)| *line == self).map(|(_, cents)| cents)
    }

    /// Returns the label.
    pub fn label(self) -> Sentence {
        match self {
            Line::Instalment(number) => text!("Payment {number}", number),
            Line::Source(kind) => kind.label(),
            Line::ApplicationFee => text!("Application fee"),
        }
    }

    /// Parses what [`Display`](fmt::Display) writes: `instalment-3`, `source-gi_bill`, `application-fee`.
    pub fn parse(text: &str) -> Option<Line> {
        if text == APPLICATION_FEE {
            return Some(Line::ApplicationFee);
        }
        if let Some(number) = text.strip_prefix("instalment-") {
            let line = Line::Instalment(number.parse().ok().filter(|number| *number > 0)?);
            return (line.to_string() == text).then_some(line);
        }
        let kind = SourceKind::parse(text.strip_prefix("source-")?)?;
        (kind != SourceKind::SelfPay).then_some(Line::Source(kind))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::Instalment(number) => write!(f, "instalment-{number}"),
            Line::Source(kind) => write!(f, "source-{}", kind.as_str()),
            Line::ApplicationFee => f.write_str(APPLICATION_FEE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_back_by_its_name() {
        for line in [Line::Instalment(1), Line::Instalment(48), Line::Source(SourceKind::GiBill), Line::ApplicationFee]
        {
            assert_eq!(Line::parse(&line.to_string()), Some(line));
        }
        for text in ["", "instalment-0", "instalment-01", "instalment--1", "source-self_pay", "source-lottery", "1"] {
            assert_eq!(Line::parse(text), None, "{text}");
        }
    }
}
