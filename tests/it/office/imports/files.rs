//! The file of an import: how it is read, what is no table, and what its columns are for.

use std::io::{Cursor, Write};

use matricula::domain::import::{MAX_COLUMNS, MAX_FILE, MAX_ROWS};
use matricula::domain::role::Role;
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{ALL_ANSWERS, IMPORTS, Importer, Sheet, counts, id_of, numbers, upload};
use crate::office::staff_client;
use crate::support::databases::story;
use crate::support::files::{docx, pdf, png};

const HEADINGS: [&str; 5] = ["Email", "First name", "Last name", "Date of birth", "Remark"];

/// What the files below say, row by row. The third one is empty in between.
const ROWS: [(i64, [&str; 5]); 2] = [
    (2, ["zoe@example.com", "Zoë", "O’Brien-Núñez", "1990-02-28", "Both, the \"first\"\nand; the second"]),
    (4, ["bert@example.com", "Bert", "Demo", "", ""]),
];

/// The same as text, with this between the cells. The last row is as short as some programs leave it.
fn text(between: &str) -> String {
    let [(_, first), (_, second)] = ROWS;
    let quoted = first.map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")));
    let lines = [HEADINGS.join(between), quoted.join(between), between.repeat(4), second[..3].join(between)];
    lines.join("\r\n")
}

/// As Excel saves “Unicode text”.
fn utf16(text: &str) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// As Excel on Windows saves CSV.
fn windows_1252(text: &str) -> Vec<u8> {
    let byte = |c: char| match c {
        '’' => 0x92,
        c => u8::try_from(u32::from(c)).unwrap(),
    };
    text.chars().map(byte).collect()
}

/// A workbook of these sheets, each given by its rows.
fn workbook(sheets: &[&str]) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";
    const TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml";
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, content: &str| {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{content}").as_bytes()).unwrap();
    };
    let numbered = |part: &dyn Fn(usize) -> String| (1..=sheets.len()).map(part).collect::<String>();
    let types = numbered(&|n| {
        format!("<Override PartName=\"/xl/worksheets/sheet{n}.xml\" ContentType=\"{TYPE}.worksheet+xml\"/>")
    });
    add(
        "[Content_Types].xml",
        &format!(
            "<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"rels\" \
             ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
             <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
             <Override PartName=\"/xl/workbook.xml\" ContentType=\"{TYPE}.sheet.main+xml\"/>\
             <Override PartName=\"/xl/styles.xml\" ContentType=\"{TYPE}.styles+xml\"/>\
             <Override PartName=\"/xl/sharedStrings.xml\" ContentType=\"{TYPE}.sharedStrings+xml\"/>{types}</Types>"
        ),
    );
    let link = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id=\"{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>")
    };
    let links = |links: &str| format!("<Relationships xmlns=\"{PACKAGE}/relationships\">{links}</Relationships>");
    add("_rels/.rels", &links(&link("rId1", "officeDocument", "xl/workbook.xml")));
    let parts = numbered(&|n| link(&format!("rId{n}"), "worksheet", &format!("worksheets/sheet{n}.xml")));
    let more = link("rId98", "styles", "styles.xml") + &link("rId99", "sharedStrings", "sharedStrings.xml");
    add("xl/_rels/workbook.xml.rels", &links(&(parts + &more)));
    let names = numbered(&|n| format!("<sheet name=\"Sheet {n}\" sheetId=\"{n}\" r:id=\"rId{n}\"/>"));
    add(
        "xl/workbook.xml",
        &format!("<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\"><sheets>{names}</sheets></workbook>"),
    );
    // Style 1 shows a number as a day.
    add(
        "xl/styles.xml",
        &format!(
            "<styleSheet xmlns=\"{MAIN}\"><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders>\
             <cellStyleXfs><xf/></cellStyleXfs><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\" \
             applyNumberFormat=\"1\"/></cellXfs></styleSheet>"
        ),
    );
    add("xl/sharedStrings.xml", &format!("<sst xmlns=\"{MAIN}\"><si><t>Shared</t></si></sst>"));
    for (at, rows) in sheets.iter().enumerate() {
        let sheet = format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>");
        add(&format!("xl/worksheets/sheet{}.xml", at + 1), &sheet);
    }
    writer.finish().unwrap().into_inner()
}

/// A row of a sheet, whose cells have their columns and contents.
fn sheet_row(number: usize, cells: &[(&str, &str)]) -> String {
    let cells = cells.iter().map(|(column, content)| {
        let (attributes, inner) = content.split_once('>').unwrap();
        format!("<c r=\"{column}{number}\"{attributes}>{inner}</c>")
    });
    format!("<row r=\"{number}\">{}</row>", cells.collect::<String>())
}

fn words(text: &str) -> String {
    format!(" t=\"inlineStr\"><is><t>{text}</t></is>")
}

/// The row with the headings.
fn headings(headings: &[&str]) -> String {
    let cells: Vec<String> = headings.iter().map(|heading| words(heading)).collect();
    let columns = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"];
    let cells: Vec<(&str, &str)> = columns.into_iter().zip(cells.iter().map(String::as_str)).collect();
    sheet_row(1, &cells)
}

fn cells(rows: &[Value]) -> Vec<Value> {
    rows.iter().map(|row| row["cells"].clone()).collect()
}

story! {
    async fn a_table_is_read_however_it_was_saved(database: Database) {
        let importer = Importer::start(&database).await;
        for (how, content) in [
            ("with commas", text(",").into_bytes()),
            ("with a byte order mark", format!("\u{feff}{}", text(",")).into_bytes()),
            ("with semicolons", text(";").into_bytes()),
            ("with tabs", text("\t").into_bytes()),
            ("in UTF-16", utf16(&text("\t"))),
            ("in Windows-1252", windows_1252(&text(";"))),
            ("with line feeds", text(",").replace("\r\n", "\n").into_bytes()),
        ] {
            let import = importer.upload(how, content).await;
            assert_eq!([&import["format"], &import["state"], &import["name"]], ["csv", "mapping", how], "{how}");
            assert_eq!(import["headers"], json!(HEADINGS), "{how}");
            assert_eq!(counts(&import), [("unchecked", 2)].into(), "{how}");
            let rows = importer.rows(&id_of(&import), "all").await;
            assert_eq!(numbers(&rows), ROWS.map(|(number, _)| number), "as the sheet numbers them, {how}");
            assert_eq!(cells(&rows), ROWS.map(|(_, cells)| json!(cells)), "{how}");
        }
        let of_owner = importer.owner.api("GET", IMPORTS).send().await.json()["imports"].clone();
        let names: Vec<&str> = of_owner.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
        assert_eq!((names.len(), names.last()), (7, Some(&"with commas")), "newest first: {names:?}");
        assert_eq!(of_owner[0]["createdBy"], importer.staff.email);
    }

    async fn a_workbook_is_read_as_its_first_sheet_shows_it(database: Database) {
        let importer = Importer::start(&database).await;
        let keys = ["email", "firstName", "lastName", "dateOfBirth", "phoneNumber", "country", "applicationType",
            "outcome", "personalInfo.isUSCitizen", "employment.currentEmployer.hoursPerWeek", "submittedOn"];
        let (email, name, country) = (words("demo@example.com"), words("Zoë &amp; Bert"), words("Germany"));
        let (program, outcome, day) = (words("ba"), words("rejected"), words("2024-05-31"));
        let first = sheet_row(2, &[
            ("A", &email), ("B", &name), ("C", " t=\"s\"><v>0</v>"), ("D", " s=\"1\"><v>32932</v>"),
            ("E", "><v>30123456</v>"), ("F", &country), ("G", &program), ("H", &outcome),
            ("I", " t=\"b\"><v>0</v>"), ("J", "><f>4*5</f><v>20</v>"), ("K", &day),
        ]);
        // Nothing in row 3, and only half of what is needed in row 4.
        let second = sheet_row(4, &[("A", &words("other@example.com")), ("C", &words("Other"))]);
        let other_sheet = headings(&["Secret"]);
        let content = workbook(&[&format!("{}{first}{second}", headings(&keys)), &other_sheet]);
        let import = importer.upload("Former system", content).await;
        assert_eq!((&import["format"], &import["headers"]), (&json!("xlsx"), &json!(keys)));
        assert_eq!(import["mapping"]["columns"], json!(keys), "headings can be the keys of fields");
        let id = id_of(&import);
        let rows = importer.rows(&id, "all").await;
        assert_eq!(numbers(&rows), [2, 4]);
        let shown = rows[0]["cells"].as_array().unwrap();
        assert_eq!([&shown[1], &shown[2], &shown[3]], ["Zoë & Bert", "Shared", "1990-02-28"]);
        assert_eq!([&shown[4], &shown[9], &shown[10]], ["30123456", "20", "2024-05-31"]);
        assert_eq!(rows[1]["cells"].as_array().unwrap().len(), keys.len());

        let checked = importer.map(&id, &json!({ "columns": keys })).await;
        assert_eq!(counts(&checked), [("ready", 1), ("wrong", 1)].into());
        importer.start_import(&id).await;
        let born = "SELECT date_of_birth || ' ' || phone_number || ' ' || country FROM applicants";
        assert_eq!(database.texts(born).await, ["1990-02-28 +4930123456 DE"]);
        let answers = database.texts("SELECT answers FROM applications").await.concat();
        let answers: Value = serde_json::from_str(&answers).unwrap();
        assert_eq!(answers["personalInfo"]["isUSCitizen"], false);
        assert_eq!(answers["employment"]["currentEmployer"]["hoursPerWeek"], 20);
    }

    async fn columns_are_guessed_by_their_headings_and_remembered(database: Database) {
        let importer = Importer::start(&database).await;
        let file = "E-Mail,Given name,Surname,DOB,Mobile,Country,Program,Status,Shoe size,Email\n\
            demo@example.com,Demo,Sample,31/12/1990,+4930123456,Germany,Bachelor,Rejected,42,\n";
        let import = importer.upload("First", file).await;
        let guessed = json!(["email", "firstName", "lastName", "dateOfBirth", "phoneNumber", "country",
            "applicationType", "outcome", null, null]);
        assert_eq!(import["mapping"]["columns"], guessed, "the second column with an address is for nothing");
        assert_eq!((&import["mapping"]["dates"], &import["mapping"]["tell"]), (&json!("dmy"), &json!(false)));

        let mut columns = guessed.clone();
        columns[8] = json!("formerReference");
        let mapping = json!({ "columns": columns, "dates": "dmy", "values": { "submittedOn": "31/05/2024" },
            "tag": "  Former  System ", "tell": true });
        let checked = importer.map(&id_of(&import), &mapping).await;
        assert_eq!(counts(&checked), [("ready", 1)].into(), "{:?}", importer.row(&id_of(&import), 2).await);
        let saved = json!({ "columns": columns, "dates": "dmy", "values": { "submittedOn": "31/05/2024" },
            "tag": "former system", "tell": true });
        assert_eq!(checked["mapping"], saved);
        // The next table of the same kind needs no more than a look.
        let next = importer.upload("Second", file.replace("demo@", "next@").replace(",42,", ",43,")).await;
        assert_eq!(next["mapping"]["columns"], columns);
        assert_eq!(next["mapping"]["dates"], "dmy");
        let other = importer.upload("Third", file.replace("Shoe size", "Hat size")).await;
        assert_eq!(other["mapping"]["columns"], guessed, "another heading, another table");
    }

    async fn what_is_no_table_is_refused(database: Database) {
        let importer = Importer::start(&database).await;
        let line = |columns: usize| vec!["x"; columns].join(",");
        let rows = |rows: usize| format!("Email{}", "\nx".repeat(rows));
        let sheet = workbook(&[&headings(&HEADINGS)]);
        let far_apart = workbook(&[&format!("{}{}", headings(&HEADINGS), sheet_row(3_000, &[("ZZ", &words("x"))]))]);
        let old_excel = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and so on".to_vec();
        for (content, status, code) in [
            (Vec::new(), 422, "file.empty"),
            (b"\xef\xbb\xbf\r\n\r\n".to_vec(), 422, "file.empty"),
            (b"Email,First name".to_vec(), 422, "file.empty"),
            (sheet.clone(), 422, "file.empty"),
            (png(), 422, "file.type"),
            (pdf(2_000), 422, "file.type"),
            (old_excel, 422, "file.type"),
            (docx(&[]), 422, "file.type"),
            (sheet[..sheet.len() / 2].to_vec(), 422, "file.type"),
            (b"Email\ndemo@example.com,Demo".to_vec(), 422, "file.broken"),
            (far_apart, 422, "file.too_many_columns"),
            (rows(MAX_ROWS + 1).into_bytes(), 422, "file.too_many_rows"),
            (format!("{}\n{}", line(MAX_COLUMNS + 1), line(MAX_COLUMNS + 1)).into_bytes(), 422, "file.too_many_columns"),
            (vec![b'x'; MAX_FILE + 1], 413, "file.too_large"),
        ] {
            let answer = importer.try_upload("Demo", content).await;
            assert_eq!((answer.status, answer.code().as_str()), (status, code), "{}", answer.text);
        }
        importer.try_upload(" ", "Email\nx").await.assert_problem(422, "name.required");
        let call = importer.owner.api("POST", &format!("{IMPORTS}/files?name=Demo"));
        call.raw("image/png", png()).send().await.assert_problem(415, "content_type");
        assert_eq!(database.count("imports").await, 0);
        assert_eq!(database.count("import_rows").await, 0);

        // As much as there may be.
        let most = format!("{}\n{}", line(MAX_COLUMNS), line(MAX_COLUMNS));
        assert_eq!(importer.upload("Wide", most).await["headers"].as_array().unwrap().len(), MAX_COLUMNS);
        assert_eq!(counts(&importer.upload("Long", rows(MAX_ROWS)).await), [("unchecked", MAX_ROWS as i64)].into());
    }

    // PostgreSQL stores no NUL.
    async fn a_nul_in_a_cell_is_no_fault_of_ours(database: Database) {
        let importer = Importer::start(&database).await;
        let file = b"Email,Name\ndemo@example.com,De\0mo".to_vec();
        importer.try_upload("Demo", file).await.assert_problem(422, "file.type");
        let fields = json!({ "name": "Demo", "rows": [{ "email": "demo\u{0}@example.com" }] });
        let sent = importer.owner.api("POST", IMPORTS).json(&fields).send().await;
        sent.assert_problem(400, "json.nul");
    }

    async fn what_columns_cannot_be_for_is_said_beside_them(database: Database) {
        let importer = Importer::start(&database).await;
        let sheet = Sheet::of(1);
        let id = id_of(&importer.upload("Demo", sheet.csv()).await);
        let with = |changes: Value| {
            let mut mapping = json!({ "columns": sheet.keys });
            mapping.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
            mapping
        };
        let at = |at: usize, column: Value| {
            let mut columns = json!(sheet.keys);
            columns[at] = column;
            json!({ "columns": columns })
        };
        let first = sheet.keys[0];
        for (mapping, field, code) in [
            (with(at(1, json!(first))), "columns.1", "columns.duplicate"),
            (with(at(2, json!("shoeSize"))), "columns.2", "columns.unknown"),
            (with(at(0, Value::Null)), "columns", "columns.missing"),
            (with(at(0, json!(""))), "columns", "columns.missing"),
            (with(json!({ "columns": [] })), "columns", "columns.count"),
            (with(json!({ "values": { "shoeSize": "42" } })), "values.shoeSize", "values.unknown"),
            (with(json!({ "dates": "ymd" })), "dates", "dates.unknown"),
        ] {
            let answer = importer.try_map(&id, &mapping).await;
            answer.assert_problem(422, code);
            assert!(answer.json()["fields"][field].is_string(), "{mapping}: {answer:?}");
        }
        for wrong in [
            json!({}),
            json!({ "columns": 7 }),
            with(at(0, json!(7))),
            with(json!({ "values": [] })),
            with(json!({ "tag": "<b>" })),
            with(json!({ "tell": "yes" })),
            with(json!({ "hat": true })),
        ] {
            assert_eq!(importer.try_map(&id, &wrong).await.status, 422, "{wrong}");
        }
        let named = importer.try_map(&id, &with(at(0, Value::Null))).await.json()["fields"]["columns"].clone();
        let fields = importer.owner.api("GET", &format!("{IMPORTS}/fields")).send().await.json()["fields"].clone();
        let label = fields.as_array().unwrap().iter().find(|field| field["key"] == first).unwrap()["label"].clone();
        assert!(named.as_str().unwrap().contains(label.as_str().unwrap()), "{named}");
        let import = importer.load(&id).await;
        assert_eq!((&import["state"], import["counts"]["unchecked"].as_i64()), (&json!("mapping"), Some(1)));

        // What is the same for every row needs no column.
        let value = sheet.rows[0][first].clone();
        let mapping = with(json!({ "columns": at(0, Value::Null)["columns"], "values": { first: value } }));
        assert_eq!(counts(&importer.map(&id, &mapping).await), [("ready", 1)].into());
    }

    async fn fields_are_those_of_the_application_and_of_staffs_questions(database: Database) {
        let importer = Importer::start(&database).await;
        importer.world.app.seed_questions().await.unwrap();
        let fields = importer.owner.api("GET", &format!("{IMPORTS}/fields")).send().await.json()["fields"].clone();
        let fields = fields.as_array().unwrap();
        let needed = fields.iter().filter(|field| field["required"] == true);
        let needed: Vec<&str> = needed.map(|field| field["key"].as_str().unwrap()).collect();
        assert_eq!(needed, ["email", "firstName", "lastName", "dateOfBirth", "phoneNumber", "country",
            "applicationType", "outcome"]);
        for key in ALL_ANSWERS.map(|(key, _)| key).into_iter().chain([
            "employment.previousEmployers.0.name",
            "employment.previousEmployers.2.yearsInRole",
            "financialPlan.selfPayContribution.upFrontContribution",
            "questionnaire.answers.hoursPerWeek",
            "formerReference",
        ]) {
            let field = fields.iter().find(|field| field["key"] == key).unwrap_or_else(|| panic!("{key}: {fields:?}"));
            let told = [&field["label"], &field["group"]].map(|text| !text.as_str().unwrap().is_empty());
            assert_eq!(told, [true, true], "{field}");
        }
    }

    async fn only_owners_import(database: Database) {
        let importer = Importer::start(&database).await;
        let id = id_of(&importer.check(&Sheet::of(1)).await);
        for role in [Role::Viewer, Role::Interviewer, Role::Reviewer, Role::Decider, Role::Finance] {
            let member = staff_client(&importer.world, role).await;
            upload(&member, "Demo", Sheet::of(1).csv()).await.assert_problem(403, "role.forbidden");
            for (method, path) in [
                ("GET", ""), ("POST", ""), ("GET", "/fields"), ("GET", "/{id}"), ("DELETE", "/{id}"),
                ("PUT", "/{id}/mapping"), ("GET", "/{id}/rows"), ("GET", "/{id}/rows/2"), ("POST", "/{id}/start"),
                ("POST", "/{id}/undo"),
            ] {
                let path = format!("{IMPORTS}{}", path.replace("{id}", &id));
                let answer = member.api(method, &path).json(&json!({})).send().await;
                assert_eq!((answer.status, answer.code().as_str()), (403, "role.forbidden"), "{role:?} {method} {path}");
            }
        }
        importer.world.visitor().get(IMPORTS).send().await.assert_problem(401, "auth.required");
        assert_eq!(importer.load(&id).await["state"], "checked");
    }

    async fn what_is_not_imported_can_be_deleted(database: Database) {
        let importer = Importer::start(&database).await;
        let first = id_of(&importer.upload("Demo", Sheet::of(2).csv()).await);
        let second = id_of(&importer.check(&Sheet::of(2)).await);
        for id in [&first, &second] {
            let path = format!("{IMPORTS}/{id}");
            assert_eq!(importer.owner.api("DELETE", &path).send().await.status, 204);
            for (method, path) in [("GET", path.clone()), ("DELETE", path.clone()), ("GET", format!("{path}/rows/2"))] {
                importer.owner.api(method, &path).send().await.assert_problem(404, "import.not_found");
            }
        }
        assert_eq!(database.count("import_rows").await, 0);
        assert_eq!(importer.owner.api("GET", IMPORTS).send().await.json(), json!({ "imports": [] }));
        let acts = "SELECT action FROM audit WHERE action LIKE 'import.%' ORDER BY happened_at, id";
        let expected = ["import.created", "import.created", "import.mapped", "import.deleted", "import.deleted"];
        assert_eq!(database.texts(acts).await, expected);
    }
}
