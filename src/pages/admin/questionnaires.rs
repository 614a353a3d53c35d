//! The questions of a program, for applicants and for referees: their versions, editing a draft, previewing it as they
//! see it, and publishing it.

use axum::http::StatusCode;
use axum::response::Response;

use super::Office;
use crate::page::{FormState, Screen, Typed};
use crate::props::office::Choice;
use crate::props::office::questionnaires::{
    AdminQuestionnairePreviewProps, AdminQuestionnaireProps, AdminQuestionnairePublishProps, AdminQuestionnairesProps,
    DraftInfo, PreviewLink, ProgramQuestions, ReferencesInShort, TranslationLanguage, VersionRow,
};
use crate::{Form, moment, problem, respond};
use app::{Error, Refusal};
use domain::input::Input;
use domain::language::Language;
use domain::program::Program;
use domain::questionnaire::draft::{Audience, Change, Difference, DraftedQuestions, Edit, KINDS};
use domain::questionnaire::{
    ExpectedVersions, LetterRule, MAX_QUESTIONS, MAX_REFEREES, QuestionSet, QuestionnaireDraft, QuestionnaireVersion,
    References,
};

const PATH: &str = "/admin-panel/questionnaires";
/// Whose questions a preview shows, in its address, if not those of applicants.
const OF_REFEREES: &str = "referees";

pub async fn list(office: Office<'_>, _: &Form) -> Response {
    let message = match office.visit.query("done").as_deref() {
        Some("published") => Some("The questions are published. Applications that can still be changed ask them now."),
        Some("discarded") => Some("The draft is discarded."),
        Some("archived") => Some("The version is archived."),
        Some("unarchived") => Some("The version is back among the others."),
        Some("deleted") => Some("The version is deleted."),
        _ => None,
    };
    let form = FormState { message: message.map(Into::into), ..FormState::default() };
    respond(office, form, StatusCode::OK).await
}

pub async fn submit(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let (result, done) = match form.get("_action").split_once(':') {
        Some(("archive", id)) => (app.archive_questionnaire(&who.staff, id, true).await, "archived"),
        Some(("unarchive", id)) => (app.archive_questionnaire(&who.staff, id, false).await, "unarchived"),
        Some(("delete", id)) => (app.delete_questionnaire(&who.staff, id).await, "deleted"),
        _ => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(()) => respond::see_other(&format!("{PATH}?done={done}")),
        Err(error) => respond(office, form.refused(&error), problem::status(&error)).await,
    }
}

async fn respond(office: Office<'_>, form: FormState, status: StatusCode) -> Response {
    let app = &office.visit.state.app;
    let found = async {
        let versions = app.questionnaire_versions(&office.who.staff).await?;
        let mut programs = Vec::new();
        for program in Program::ALL {
            let draft = app.questionnaire_draft(&office.who.staff, program).await?;
            programs.push(ProgramQuestions {
                name: program.name(),
                edit_href: format!("{PATH}/{}", program.path()),
                draft: draft.map(|draft| draft_info(office, &draft)),
                versions: versions.iter().filter(|it| it.program == program).map(|it| row(office, it)).collect(),
            });
        }
        Ok::<_, Error>(programs)
    };
    match found.await {
        Ok(programs) => {
            let props = AdminQuestionnairesProps { programs, form };
            office.page(Screen::AdminQuestionnaires(Box::new(props)), "Questionnaires", status).await
        }
        Err(error) => office.unavailable(&error).await,
    }
}

fn draft_info(office: Office<'_>, draft: &QuestionnaireDraft) -> DraftInfo {
    DraftInfo {
        changed_text: moment::full(draft.changed_at, office.zone()),
        changed_by: draft.changed_by.1.clone(),
        mistakes: draft.draft.check().err().map_or(0, |errors| errors.len()),
    }
}

fn row(office: Office<'_>, version: &QuestionnaireVersion) -> VersionRow {
    let QuestionnaireVersion { id, program, set, .. } = version;
    let state = match (version.is_published, version.archived_at) {
        (true, _) => "published",
        (false, Some(_)) => "archived",
        (false, None) => "earlier",
    };
    VersionRow {
        id: id.clone(),
        version: set.version,
        state,
        questions: set.questions.len(),
        references: set.references.as_ref().map(in_short),
        published_text: moment::full(version.published_at, office.zone()),
        published_by: version.published_by.clone(),
        restored_from: version.restored_from,
        preview_href: format!("{PATH}/{}/preview?version={}", program.path(), set.version),
        restore_href: format!("{PATH}/{}/publish?version={}", program.path(), set.version),
    }
}

fn in_short(references: &References) -> ReferencesInShort {
    ReferencesInShort {
        needed: references.needed,
        most: references.most,
        letter: references.letter,
        questions: references.questions.len(),
    }
}

/// The draft, or what is asked now if there is none.
struct Written {
    draft: Option<QuestionnaireDraft>,
    now: DraftedQuestions,
    /// The version that is asked now.
    published: i64,
}

impl Written {
    async fn load(office: Office<'_>, program: Program) -> Result<Written, Error> {
        let app = &office.visit.state.app;
        let versions = app.questionnaire_versions(&office.who.staff).await?;
        let published = versions.into_iter().find(|version| version.program == program && version.is_published);
        let (now, published) = published.map_or_else(
            || (DraftedQuestions::default(), 0),
            |version| (DraftedQuestions::of(&version.set), version.set.version),
        );
        Ok(Written { draft: app.questionnaire_draft(&office.who.staff, program).await?, now, published })
    }

    fn revision(&self) -> i64 {
        self.draft.as_ref().map_or(0, |draft| draft.revision)
    }

    fn content(&self) -> &DraftedQuestions {
        self.draft.as_ref().map_or(&self.now, |draft| &draft.draft)
    }
}

pub async fn edit(office: Office<'_>, _: &Form) -> Response {
    let Some(program) = Program::parse(office.id) else {
        return problem::page(office.visit, problem::NO_OFFICE_PAGE).await;
    };
    let message = match office.visit.query("done").as_deref() {
        Some("saved") => Some("The draft is saved. Nobody is asked it before it is published."),
        _ => None,
    };
    let mut form = FormState { message: message.map(Into::into), ..FormState::default() };
    match Written::load(office, program).await {
        Ok(written) => {
            if message.is_some()
                && let Err(errors) = written.content().check()
            {
                form.errors = errors.into_iter().map(|error| (error.path, error.message)).collect();
            }
            let draft = written.content().clone();
            editor(office, program, &written, draft, Vec::new(), form, StatusCode::OK).await
        }
        Err(error) => office.unavailable(&error).await,
    }
}

pub async fn change(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let Some(program) = Program::parse(office.id) else {
        return problem::page(visit, problem::NO_OFFICE_PAGE).await;
    };
    let path = format!("{PATH}/{}", program.path());
    let action = form.get("_action");
    let revision: Option<i64> = form.get("revision").parse().ok();
    let edit = Edit::parse(action);
    let known = edit.is_some() || matches!(action, "save" | "publish" | "preview" | "discard");
    let (Some(revision), Some(mut draft), true) = (revision, DraftedQuestions::from_form(form.fields()), known) else {
        return problem::page(visit, problem::BAD_REQUEST).await;
    };
    if action == "discard" {
        return match app.discard_questionnaire_draft(&who.staff, program, revision).await {
            Ok(()) => respond::see_other(&format!("{PATH}?done=discarded")),
            Err(error) => refused(office, program, draft, &error).await,
        };
    }
    if let Some(edit) = edit {
        draft.edit(edit);
    }
    // The same form sent twice gets the same names, and so is saved once.
    let mut names = Names(u64::from_str_radix(form.get("names"), 16).unwrap_or_else(|_| app.random.number()));
    draft.settle(|| names.next());
    match app.write_questionnaire_draft(&who.staff, program, revision, draft.clone()).await {
        Ok(_) => match action {
            "publish" if draft.check().is_ok() => respond::see_other(&format!("{path}/publish")),
            "preview" => respond::see_other(&format!("{path}/preview")),
            "save" | "publish" => respond::see_other(&format!("{path}?done=saved")),
            _ => respond::see_other(&format!("{path}#{}", place(edit, &draft))),
        },
        Err(error) => refused(office, program, draft, &error).await,
    }
}

/// Returns where to scroll after a button: to the question it was about.
fn place(edit: Option<Edit>, draft: &DraftedQuestions) -> String {
    let of = edit.map_or(Audience::Applicants, |edit| edit.of);
    let last = draft.of_audience(of).len().saturating_sub(1);
    let at = match edit.map(|edit| edit.change) {
        Some(Change::Up(at)) => at.saturating_sub(1),
        Some(Change::Down(at)) => (at + 1).min(last),
        Some(Change::Remove(at) | Change::BringBack(at) | Change::OptionUp(at, _)) => at,
        Some(Change::Add) | None => last,
    };
    match of {
        Audience::Applicants => format!("question-{at}"),
        Audience::Referees => format!("referee-question-{at}"),
    }
}

/// SplitMix64: different names for different forms, and the same for the same form.
struct Names(u64);

impl Names {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// Returns the editor with what was typed and, if somebody else was faster, the differences.
async fn refused(office: Office<'_>, program: Program, draft: DraftedQuestions, error: &Error) -> Response {
    let written = match Written::load(office, program).await {
        Ok(written) => written,
        Err(error) => return office.unavailable(&error).await,
    };
    let mut form = FormState { error: Some(error.sentence()), ..FormState::default() };
    let stale = matches!(error, Error::Refused(Refusal::QuestionnaireStale));
    let differences = if stale { draft.differences(written.content()) } else { Vec::new() };
    if stale && differences.is_empty() {
        form.error = Some("Somebody else has written the same in the meantime. Go on from here.".into());
    }
    editor(office, program, &written, draft, differences, form, problem::status(error)).await
}

async fn editor(
    office: Office<'_>,
    program: Program,
    written: &Written,
    draft: DraftedQuestions,
    differences: Vec<Difference>,
    form: FormState,
    status: StatusCode,
) -> Response {
    let path = format!("{PATH}/{}", program.path());
    let kinds = KINDS.map(|(value, label)| Choice { value: value.into(), label: label.into() });
    let letters = LetterRule::ALL.map(|rule| Choice { value: rule.as_str().into(), label: rule.label().into() });
    let props = AdminQuestionnaireProps {
        name: program.name(),
        preview_href: format!("{path}/preview"),
        publish_href: format!("{path}/publish"),
        path,
        revision: written.revision(),
        names: format!("{:x}", office.visit.state.app.random.number()),
        published: written.published,
        info: written.draft.as_ref().map(|draft| draft_info(office, draft)),
        questions: draft.questions,
        references: draft.references,
        letters: letters.into(),
        most_referees: MAX_REFEREES,
        kinds: kinds.into(),
        languages: Language::default()
            .others()
            .map(|language| TranslationLanguage { language, name: language.name() })
            .collect(),
        most: MAX_QUESTIONS,
        differences,
        form,
    };
    let title = format!("Questions of the {}", program.name());
    office.page(Screen::AdminQuestionnaire(Box::new(props)), &title, status).await
}

/// What a preview shows.
struct Previewed {
    set: QuestionSet,
    left_out: usize,
    /// Who answers these questions.
    of: Audience,
    /// Whether referees upload a letter; `None` if they are not asked.
    letter: Option<LetterRule>,
}

impl Previewed {
    /// Returns the questions for `wanted`, or for applicants if referees are not asked.
    fn draft(written: &Written, program: Program, wanted: Audience) -> Previewed {
        let draft = written.content();
        let is_asked = !matches!(draft.references.most.as_str(), "" | "0");
        let letter = is_asked.then(|| LetterRule::parse(&draft.references.letter).unwrap_or(LetterRule::None));
        let of = if is_asked { wanted } else { Audience::Applicants };
        let (questions, left_out) = draft.readable(of);
        let set =
            QuestionSet { program: Some(program), version: written.published, questions, ..QuestionSet::default() };
        Previewed { set, left_out, of, letter }
    }

    fn version(set: &QuestionSet, wanted: Audience) -> Previewed {
        let letter = set.references.as_ref().map(|references| references.letter);
        let (of, set) = match wanted {
            Audience::Referees if letter.is_some() => (Audience::Referees, set.for_referees()),
            _ => (Audience::Applicants, set.clone()),
        };
        Previewed { set, left_out: 0, of, letter }
    }
}

/// Returns the questions as applicants or referees see them. Answers are in the address, and stored nowhere.
pub async fn preview(office: Office<'_>, _: &Form) -> Response {
    let visit = office.visit;
    let app = &visit.state.app;
    let Some(program) = Program::parse(office.id) else {
        return problem::page(visit, problem::NO_OFFICE_PAGE).await;
    };
    let version = visit.query("version");
    let wanted = match visit.query("of").as_deref() {
        Some(OF_REFEREES) => Audience::Referees,
        _ => Audience::Applicants,
    };
    let found = async {
        let Some(version) = &version else {
            return Ok(Some(Previewed::draft(&Written::load(office, program).await?, program, wanted)));
        };
        let versions = app.questionnaire_versions(&office.who.staff).await?;
        let version = versions.iter().find(|it| it.program == program && it.set.version.to_string() == *version);
        Ok::<_, Error>(version.map(|version| Previewed::version(&version.set, wanted)))
    };
    let Previewed { set, left_out, of, letter } = match found.await {
        Ok(Some(found)) => found,
        Ok(None) => return problem::page(visit, problem::NO_OFFICE_PAGE).await,
        Err(error) => return office.unavailable(&error).await,
    };
    let mut given = Form::default();
    let query = visit.parts.uri.query().unwrap_or_default();
    for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
        if name.starts_with("questionnaire.answers.") {
            given.set(&name, &value);
        }
    }
    let mut form = given.state();
    let checked = visit.query("check").is_some();
    if checked {
        check_answers(&set, of, &mut form);
    }
    let path = format!("{PATH}/{}/preview", program.path());
    let language = visit.query("language").and_then(|code| Language::parse(&code)).unwrap_or_default();
    let href = |of: Audience, language: Language| {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(version.iter().map(|version| ("version", version)));
        if of == Audience::Referees {
            query.append_pair("of", OF_REFEREES);
        }
        query.append_pair("language", language.as_str());
        format!("{path}?{}", query.finish())
    };
    let in_language =
        |other: Language| PreviewLink { name: other.name(), href: href(of, other), current: other == language };
    let as_seen_by = |other: Audience| PreviewLink {
        name: heading(other).into(),
        href: href(other, language),
        current: other == of,
    };
    let audiences = letter.map(|_| [Audience::Applicants, Audience::Referees].map(as_seen_by));
    let props = AdminQuestionnairePreviewProps {
        name: program.name(),
        languages: Language::ALL.map(in_language).into(),
        audiences: audiences.map(Vec::from).unwrap_or_default(),
        of_referees: of == Audience::Referees,
        letter: letter.filter(|_| of == Audience::Referees),
        back_href: if left_out > 0 || version.is_none() {
            format!("{PATH}/{}", program.path())
        } else {
            PATH.to_owned()
        },
        version: version.and_then(|version| version.parse().ok()),
        path,
        set: set.in_language(language),
        language,
        left_out,
        checked,
        form,
    };
    office.page(Screen::AdminQuestionnairePreview(Box::new(props)), heading(of), StatusCode::OK).await
}

/// Returns the title of a preview.
fn heading(of: Audience) -> &'static str {
    match of {
        Audience::Applicants => "As an applicant sees it",
        Audience::Referees => "As a referee sees it",
    }
}

/// Checks these answers as theirs would be.
fn check_answers(set: &QuestionSet, of: Audience, form: &mut FormState) {
    let prefix = "questionnaire.answers.";
    let answers = form.values.iter().filter_map(|(name, typed)| {
        let key = name.strip_prefix(prefix)?;
        let input = match typed {
            Typed::One(text) => Input::Text(text.clone()),
            Typed::Several(texts) => Input::List(texts.iter().cloned().map(Input::Text).collect()),
        };
        set.question(key).map(|_| (key.to_owned(), input))
    });
    let input = Input::Map(vec![("answers".into(), Input::Map(answers.collect()))]);
    let mut errors = Vec::new();
    let given = set.check(&input, &mut errors);
    form.errors = errors.into_iter().map(|error| (error.path, error.message)).collect();
    let answers = given.into_iter().filter_map(|(key, value)| value.map(|value| (key, value))).collect();
    for question in set.missing(&answers, &[]) {
        let path = format!("{prefix}{}", question.key);
        if form.errors.iter().all(|(name, _)| *name != path) {
            let message = match of {
                Audience::Applicants => "An applicant must answer this before the submission.",
                Audience::Referees => "A referee must answer this before sending it.",
            };
            form.errors.push((path, message.into()));
        }
    }
}

/// Shows what publishing the draft, or an earlier version again, would do.
pub async fn confirm(office: Office<'_>, _: &Form) -> Response {
    let Some(program) = Program::parse(office.id) else {
        return problem::page(office.visit, problem::NO_OFFICE_PAGE).await;
    };
    let version = office.visit.query("version");
    confirmation(office, program, version.as_deref(), FormState::default(), StatusCode::OK).await
}

pub async fn publish(office: Office<'_>, form: &Form) -> Response {
    let Office { visit, who, .. } = office;
    let app = &visit.state.app;
    let Some(program) = Program::parse(office.id) else {
        return problem::page(visit, problem::NO_OFFICE_PAGE).await;
    };
    let number = |name: &str| form.get(name).parse::<i64>().ok();
    let key = form.get("key");
    let is_key = (16..=64).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let (Some(published), true) = (number("published"), is_key) else {
        return problem::page(visit, problem::BAD_REQUEST).await;
    };
    let result = match (number("version"), number("revision")) {
        (Some(version), _) => app.restore_questions(&who.staff, program, version, published, key).await,
        (None, Some(revision)) => {
            app.publish_draft(&who.staff, program, ExpectedVersions { published, draft: Some(revision) }, key).await
        }
        (None, None) => return problem::page(visit, problem::BAD_REQUEST).await,
    };
    match result {
        Ok(_) => respond::see_other(&format!("{PATH}?done=published")),
        Err(error) => {
            let version = Some(form.get("version")).filter(|version| !version.is_empty());
            let state = FormState { error: Some(error.sentence()), ..FormState::default() };
            confirmation(office, program, version, state, problem::status(&error)).await
        }
    }
}

async fn confirmation(
    office: Office<'_>,
    program: Program,
    version: Option<&str>,
    form: FormState,
    status: StatusCode,
) -> Response {
    let app = &office.visit.state.app;
    let found = async {
        let written = Written::load(office, program).await?;
        let wanted = match version {
            None => written.draft.as_ref().map(|draft| draft.draft.clone()),
            Some(version) => {
                let versions = app.questionnaire_versions(&office.who.staff).await?;
                let earlier = versions.iter().find(|it| it.program == program && it.set.version.to_string() == version);
                earlier.filter(|it| !it.is_published).map(|earlier| DraftedQuestions::of(&earlier.set))
            }
        };
        Ok::<_, Error>((written, wanted, app.editable_applications(program).await?))
    };
    let (written, wanted, applications) = match found.await {
        Ok(found) => found,
        Err(error) => return office.unavailable(&error).await,
    };
    let path = format!("{PATH}/{}", program.path());
    let Some(wanted) = wanted else {
        // Published or discarded meanwhile: the list shows the present state.
        return if form.error.is_some() {
            respond(office, form, status).await
        } else {
            respond::redirect(office.visit, PATH)
        };
    };
    if wanted.check().is_err() {
        return respond::see_other(&format!("{path}?done=saved"));
    }
    let props = AdminQuestionnairePublishProps {
        name: program.name(),
        path: format!("{path}/publish"),
        back_href: if version.is_some() { PATH.to_owned() } else { path },
        version: version.and_then(|version| version.parse().ok()),
        published: written.published,
        revision: written.revision(),
        form_key: app.random.id(),
        applications,
        differences: written.now.differences(&wanted),
        form,
    };
    office.page(Screen::AdminQuestionnairePublish(Box::new(props)), "Publish questions", status).await
}
