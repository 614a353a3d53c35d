//! PDFs, read with third-party tools.

use std::io::Write;
use std::process::{Command, Stdio};

use matricula::app::ports::PdfWriter;
use matricula::domain::paper::{Block, Fact, Paper};
use matricula::pdf::Krilla;
use serde_json::json;
use tempfile::NamedTempFile;

use crate::support::databases::story;
use crate::support::server::{World, complete_answers};

/// What a tool prints about a PDF.
pub fn tool(command: &[&str], pdf: &[u8]) -> String {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(pdf).unwrap();
    let mut tool = Command::new(command[0]);
    let path = file.path().to_str().unwrap();
    tool.args(command[1..].iter().map(|argument| if *argument == "FILE" { path } else { argument }));
    let output = tool.stderr(Stdio::inherit()).output().unwrap_or_else(|error| {
        panic!("{} is needed: scripts/setup test installs it ({error})", command[0]);
    });
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stdout));
    // Titles of the structure are printed in the encoding they have in the file.
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn text_of(pdf: &[u8]) -> String {
    tool(&["pdftotext", "-layout", "FILE", "-"], pdf)
}

#[test]
fn a_paper_is_a_sound_file_with_text_in_many_scripts() {
    // A text in each script, and the font that has to be there for it.
    let scripts = [
        ("Ağaoğlu", "PTSerif"),
        ("Дмитрий", "PTSerif"),
        ("Ελένη", "NotoSans"),
        ("Nguyễn", "NotoSans"),
        ("Zoë Ångström", "PTSerif"),
        ("नमस्ते", "NotoSans-Regular"),
        ("山田太郎", "NotoSansSC"),
        ("王小明", "NotoSansSC"),
        ("サチコ", "NotoSansSC"),
        ("김민준", "NotoSansKR"),
        ("สมชาย", "NotoSansThai"),
        ("محمد", "NotoSansArabic"),
        ("שרה", "NotoSansHebrew"),
        ("রহিম", "NotoSansBengali"),
        ("தமிழ்", "NotoSansTamil"),
        ("తెలుగు", "NotoSansTelugu"),
        ("👩", "NotoEmoji"),
        ("🎓", "NotoSansSymbols2"),
    ];
    let names = scripts.map(|(name, _)| name);
    let facts: Vec<Fact> = names.iter().map(|name| Fact::new("Name", *name)).collect();
    let mut blocks = vec![Block::Heading("Names".into()), Block::Facts(facts)];
    // None of our fonts has this one: its code is drawn, and the text can still be copied.
    blocks.push(Block::Paragraph("𓀀".into()));
    blocks.extend((0..60).map(|number| Block::Paragraph(format!("Paragraph {number}"))));
    let paper = Paper {
        title: "A paper".into(),
        language: Default::default(),
        issuer: "Demo Institute".into(),
        footer: "B26-7KX4-M9CT".into(),
        dated: 1_777_896_000_000,
        blocks,
    };
    let pdf = Krilla.pdf(&paper).unwrap();
    assert_eq!(pdf, Krilla.pdf(&paper).unwrap(), "the same paper is the same file");

    assert!(tool(&["qpdf", "--check", "FILE"], &pdf).contains("No syntax or stream encoding errors"));
    let text = text_of(&pdf);
    for expected in names.iter().chain(&["A paper", "𓀀", "Paragraph 59", "Page 3 of 3"]) {
        assert!(text.contains(expected), "{expected} in {text}");
    }
    // Name, type, encoding, embedded, subset, unicode.
    let fonts = tool(&["pdffonts", "FILE"], &pdf);
    for font in fonts.lines().skip(2) {
        assert!(font.contains("yes yes yes"), "embedded, subset, with text: {font}");
    }
    for font in scripts.map(|(_, font)| font).iter().chain(&["PublicSans"]) {
        assert!(fonts.contains(font), "{font} in {fonts}");
    }
    let info = tool(&["pdfinfo", "FILE"], &pdf);
    for expected in ["A paper", "Tagged:          yes", "612 x 792 pts (letter)"] {
        assert!(info.contains(expected), "{expected} in {info}");
    }
    let structure = tool(&["pdfinfo", "-struct", "FILE"], &pdf);
    for expected in ["H1", "H2", "Table", "TH", "TD"] {
        assert!(structure.contains(expected), "{expected} in {structure}");
    }
}

story! {
    async fn what_was_submitted_can_be_kept_as_pdf(database: Database) {
        let world = World::start(database.db()).await;
        let client = world.register().await;
        let answers = json!({ "applicationType": "ba" });
        client.post("/api/users/application").json(&answers).send().await;
        client.get("/api/users/application/copy").send().await.assert_problem(404, "submission.none");
        assert_eq!(client.get("/dashboard/application.pdf").with_cookie(&client).send().await.status, 404);

        client.post("/api/users/application").json(&complete_answers()).send().await;
        let declared = json!({ "declaration": true });
        let submitted = client.post("/api/users/application/submit").json(&declared).send().await.json();
        let reference = submitted["reference"].as_str().unwrap();

        let copy = client.get("/api/users/application/copy").send().await;
        assert_eq!((copy.status, copy.header("content-type")), (200, "application/pdf"));
        assert_eq!(copy.header("content-disposition"), format!("inline; filename=\"application-{reference}.pdf\""));
        assert_eq!(copy.header("cache-control"), "no-store");
        let text = text_of(&copy.bytes);
        for expected in [reference, "Bachelor", "Education", "Financial plan", "Declaration", "Monday, May 4, 2026"] {
            assert!(text.contains(expected), "{expected} in {text}");
        }
        assert!(!text.contains("Not answered"), "{text}");

        // The copy shows the submitted answers, whatever changes later.
        client.post("/api/users/application/unsubmit").send().await;
        let changed = json!({ "applicationType": "ba", "personalInfo": { "state": "WY" } });
        client.post("/api/users/application").json(&changed).send().await;
        let page = client.get("/dashboard/application.pdf").with_cookie(&client).send().await;
        assert_eq!(page.bytes, copy.bytes);

        // Nobody else gets it.
        let other = world.register().await;
        other.get("/api/users/application/copy").send().await.assert_problem(404, "submission.none");
        let anonymous = world.visitor().get("/dashboard/application.pdf").send().await;
        assert_eq!(anonymous.status, 302);
    }
}
