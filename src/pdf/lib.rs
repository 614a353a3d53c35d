//! Sets papers as PDF (PDF/UA-1: tagged, with embedded fonts and selectable text), whatever they are about.
//!
//! A paper is set in two steps: [`layout`] breaks it into lines on pages, which determines the number of pages, and
//! this module draws them with krilla, every line as part of the structure that a screen reader follows.

mod fonts;
mod layout;

use std::num::NonZeroU16;

use jiff::Timestamp;
use krilla::color::rgb;
use krilla::configure::{Accessibility, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point};
use krilla::metadata::{DateTime, Metadata};
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{
    Artifact, ArtifactType, ContentTag, Identifier, ListNumbering, SpanTag, TableHeaderScope, Tag, TagGroup, TagTree,
};
use krilla::{Document, SerializeSettings};

use app::ports::{PdfError, PdfWriter};
use domain::paper::Paper;
use fonts::Run;
use layout::{HEIGHT, LEFT, Line, RIGHT, Role, WIDTH};

/// Ink and hairlines of the light theme.
const INK: (u8, u8, u8) = (0x3a, 0x43, 0x50);
const HEADING: (u8, u8, u8) = (0x57, 0x26, 0x26);
const HAIRLINE: (u8, u8, u8) = (0xb3, 0xa9, 0xa0);

/// Writes PDFs.
#[derive(Debug, Default)]
pub struct Krilla;

impl PdfWriter for Krilla {
    fn pdf(&self, paper: &Paper) -> Result<Vec<u8>, PdfError> {
        write(paper).map_err(PdfError)
    }
}

fn write(paper: &Paper) -> Result<Vec<u8>, String> {
    let configuration = ConfigurationBuilder::new()
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .map_err(|error| format!("{error:?}"))?;
    let settings = SerializeSettings { configuration, ..SerializeSettings::default() };
    let mut document = Document::new_with(settings);
    let pages = layout::pages(paper);
    let count = pages.len();
    let mut structure = Structure::default();
    let mut outline = Outline::new();
    for (index, lines) in pages.iter().enumerate() {
        let size = PageSettings::from_wh(WIDTH, HEIGHT).ok_or("the size of a page")?;
        let mut page = document.start_page_with(size);
        let mut surface = page.surface();
        for line in lines {
            if line.rule {
                artifact(&mut surface, ArtifactType::Layout, |surface| hairline(surface, line.y - line.rise));
            }
            if let Role::Title | Role::Heading = line.role
                && line.is_first
            {
                let at = XyzDestination::new(index, Point::from_xy(LEFT, line.y - line.size));
                outline.push_child(OutlineNode::new(line.block_text.clone(), at));
            }
            let drawn = line.runs.iter().map(|run| draw(&mut surface, line, run)).collect();
            structure.add(line, drawn);
        }
        artifact(&mut surface, ArtifactType::Footer, |surface| {
            hairline(surface, HEIGHT - 58.0);
            set_colour(surface, INK);
            let text = format!("{} · Page {} of {count}", paper.footer, index + 1);
            for run in fonts::runs(&text, fonts::Style::Serif, fonts::Base::Left) {
                glyphs(surface, LEFT + run.x * 9.0, HEIGHT - 42.0, 9.0, &run);
            }
        });
        surface.finish();
        page.finish();
    }
    document.set_outline(outline);
    document.set_tag_tree(structure.tree());
    document.set_metadata(metadata(paper));
    document.finish().map_err(|error| format!("{error:?}"))
}

fn metadata(paper: &Paper) -> Metadata {
    let moment = Timestamp::from_millisecond(paper.dated).unwrap_or_default().to_zoned(jiff::tz::TimeZone::UTC);
    let part = |value: i8| u8::try_from(value).unwrap_or_default();
    let dated = DateTime::new(u16::try_from(moment.year()).unwrap_or_default())
        .month(part(moment.month()))
        .day(part(moment.day()))
        .hour(part(moment.hour()))
        .minute(part(moment.minute()))
        .second(part(moment.second()))
        .utc_offset_hour(0)
        .utc_offset_minute(0);
    Metadata::new()
        .title(paper.title.clone())
        .authors(vec![paper.issuer.clone()])
        .creator("Matricula".to_owned())
        .language(paper.language.as_str().to_owned())
        .creation_date(dated)
        // The same paper always gives the same file.
        .document_id(format!("{} {}", paper.footer, paper.dated))
}

/// Draws a run of a line as part of the text.
fn draw(surface: &mut Surface<'_>, line: &Line, run: &Run) -> Identifier {
    set_colour(surface, if matches!(line.role, Role::Title | Role::Heading) { HEADING } else { INK });
    let said = run.replaced.as_deref();
    let identifier = surface.start_tagged(ContentTag::Span(SpanTag::empty().with_actual_text(said)));
    glyphs(surface, line.x + run.x * line.size, line.y, line.size, run);
    surface.end_tagged();
    identifier
}

fn glyphs(surface: &mut Surface<'_>, x: f32, y: f32, size: f32, run: &Run) {
    surface.draw_glyphs(Point::from_xy(x, y), &run.glyphs, run.font.clone(), &run.text, size, false);
}

/// Draws something that is not part of the text.
fn artifact(surface: &mut Surface<'_>, kind: ArtifactType, draw: impl FnOnce(&mut Surface<'_>)) {
    surface.start_tagged(ContentTag::Artifact(Artifact::new(kind, None)));
    draw(surface);
    surface.end_tagged();
}

fn set_colour(surface: &mut Surface<'_>, (r, g, b): (u8, u8, u8)) {
    let paint = rgb::Color::new(r, g, b).into();
    surface.set_stroke(None);
    surface.set_fill(Some(Fill { paint, opacity: NormalizedF32::ONE, rule: Default::default() }));
}

fn hairline(surface: &mut Surface<'_>, y: f32) {
    let (r, g, b) = HAIRLINE;
    surface.set_fill(None);
    surface.set_stroke(Some(Stroke { paint: rgb::Color::new(r, g, b).into(), width: 0.6, ..Stroke::default() }));
    let mut path = PathBuilder::new();
    path.move_to(LEFT, y);
    path.line_to(RIGHT, y);
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
    surface.set_stroke(None);
}

/// The structure formed by the lines: headings, paragraphs, lists and tables, each over as many lines and pages as
/// needed.
#[derive(Default)]
struct Structure {
    tree: TagTree,
    open: Option<Open>,
}

struct Open {
    /// Which block, row and cell of the paper it is.
    block: usize,
    row: usize,
    role: Role,
    text: String,
    /// Of the cell, heading or paragraph.
    content: Vec<Identifier>,
    cells: Vec<TagGroup>,
    rows: Vec<TagGroup>,
}

impl Structure {
    fn add(&mut self, line: &Line, drawn: Vec<Identifier>) {
        let same_block = self.open.as_ref().is_some_and(|open| open.block == line.block);
        if !same_block {
            self.close();
            self.open = Some(Open {
                block: line.block,
                row: line.row,
                role: line.role,
                text: line.block_text.clone(),
                content: Vec::new(),
                cells: Vec::new(),
                rows: Vec::new(),
            });
        }
        let Some(open) = &mut self.open else { return };
        if open.row != line.row {
            open.end_row();
            open.row = line.row;
            open.role = line.role;
        } else if open.role != line.role {
            open.end_cell();
            open.role = line.role;
        }
        open.content.extend(drawn);
    }

    fn close(&mut self) {
        let Some(mut open) = self.open.take() else { return };
        let level = |number: u16| NonZeroU16::new(number).unwrap_or(NonZeroU16::MIN);
        let mut group = match open.role {
            Role::Title => TagGroup::new(Tag::Hn(level(1), Some(open.text.clone()))),
            Role::Heading => TagGroup::new(Tag::Hn(level(2), Some(open.text.clone()))),
            Role::Paragraph => TagGroup::new(Tag::P),
            Role::Bullet | Role::Item => {
                open.end_row();
                let mut list = TagGroup::new(Tag::L(ListNumbering::Disc));
                for item in open.rows {
                    list.push(item);
                }
                self.tree.push(list);
                return;
            }
            Role::Name | Role::Value => {
                open.end_row();
                let mut table = TagGroup::new(Tag::Table);
                for row in open.rows {
                    table.push(row);
                }
                self.tree.push(table);
                return;
            }
        };
        for identifier in open.content {
            group.push(identifier);
        }
        self.tree.push(group);
    }

    fn tree(mut self) -> TagTree {
        self.close();
        self.tree
    }
}

impl Open {
    fn end_cell(&mut self) {
        let mut cell = match self.role {
            Role::Name => TagGroup::new(Tag::TH(TableHeaderScope::Row)),
            Role::Bullet => TagGroup::new(Tag::Lbl),
            Role::Item => TagGroup::new(Tag::LBody),
            _ => TagGroup::new(Tag::TD),
        };
        for identifier in self.content.drain(..) {
            cell.push(identifier);
        }
        self.cells.push(cell);
    }

    fn end_row(&mut self) {
        self.end_cell();
        let mut row = match self.role {
            Role::Bullet | Role::Item => TagGroup::new(Tag::LI),
            _ => TagGroup::new(Tag::TR),
        };
        for cell in self.cells.drain(..) {
            row.push(cell);
        }
        self.rows.push(row);
    }
}
