//! Pages and submitted forms, as a browser without JavaScript sees them.

use std::collections::HashSet;

use matricula::domain::moments::MINUTE;
use matricula::domain::program::Program;
use serde_json::{Value, json};

use crate::support::databases::story;
use crate::support::server::{Answer, Client, PASSWORD, World};

impl Answer {
    /// The hydration data of a document.
    pub fn page(&self) -> Value {
        let (_, rest) = self.text.split_once("id=\"page\"").unwrap_or_else(|| panic!("no page in {self:?}"));
        let (_, rest) = rest.split_once('>').unwrap();
        let (json, _) = rest.split_once("</script>").unwrap();
        assert!(!json.contains('<') && !json.contains('\u{2028}'), "unescaped: {json}");
        serde_json::from_str(json).unwrap()
    }

    pub fn location(&self) -> &str {
        self.header("location")
    }

    #[track_caller]
    pub fn assert_document(&self, status: u16, route: &str) -> Value {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), "text/html; charset=utf-8");
        let page = self.page();
        assert_eq!((page["route"].as_str(), page["status"].as_u64()), (Some(route), Some(status.into())));
        page
    }

    #[track_caller]
    pub fn assert_redirect(&self, status: u16, to: &str) {
        assert_eq!((self.status, self.location()), (status, to), "{self:?}");
    }
}

/// An applicant with a confirmed address and an application of `program`.
pub async fn registered(world: &World, program: &str) -> Client {
    world.register_for(Program::parse(program)).await.without_token()
}

/// An applicant who has just registered by the form, with an application of `program`.
pub async fn newly_registered(world: &World, program: &str) -> Client {
    let mut client = world.visitor();
    let email = client.email.clone();
    let answer = client.post("/auth/register").form(&registration_form(&email, program)).send().await;
    answer.assert_redirect(303, &format!("/{program}/application"));
    client.cookie = answer.set_cookie("matricula_session");
    client
}

pub fn registration_form<'a>(email: &'a str, program: &'a str) -> Vec<(&'static str, &'a str)> {
    vec![
        ("firstName", "Demo"),
        ("lastName", "Sample"),
        ("dateOfBirth", "1990-02-28"),
        ("country", "US"),
        ("phoneNumber", "555 010 0199"),
        ("state", "TX"),
        ("email", email),
        ("password", PASSWORD),
        ("passwordRepeat", PASSWORD),
        ("program", program),
    ]
}

/// The shortest form that completes an application.
pub fn complete_form() -> Vec<(&'static str, &'static str)> {
    vec![
        ("revision", "1"),
        ("personalInfo.isUSCitizen", "no"),
        ("personalInfo.state", ""),
        ("personalInfo.isMilitaryAffiliated", "no"),
        ("personalInfo.isDoDEmployee", "no"),
        ("education.hasBachelors", "no"),
        ("education.hasMasters", "no"),
        ("employment.isSeeingCoachingClients", "no"),
        ("employment.isCurrentlyEmployed", "no"),
        ("employment.hasPreviousEmployment", "no"),
        ("financialPlan.selectedPayments", ""),
        ("financialPlan.selectedPayments", "employer"),
        ("creditTransfer.selectedPrograms", ""),
    ]
}

pub async fn see(client: &Client, path: &str) -> Answer {
    match client.cookie {
        Some(_) => client.get(path).with_cookie(client).send().await,
        None => client.get(path).send().await,
    }
}

story! {
    async fn guards_answer_before_anything_is_rendered(database: Database) {
        let world = World::start(database.db()).await;
        let visitor = world.visitor();
        for (path, to) in [
            ("/", "/bachelor"),
            ("/bachelor", "/bachelor/apply"),
            ("/masters", "/masters/apply"),
            ("/dashboard", "/bachelor/apply?dialog=login&redirect=%2Fdashboard"),
            ("/dashboard/documents", "/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Fdocuments"),
            ("/masters/application/check", "/masters/apply?dialog=login&redirect=%2Fmasters%2Fapplication%2Fcheck"),
            ("/thankyou", "/bachelor/apply?dialog=login&redirect=%2Fthankyou"),
            ("/admin-panel", "/admin-panel/login"),
            ("/admin-panel/applications/1", "/admin-panel/login"),
        ] {
            see(&visitor, path).await.assert_redirect(302, to);
        }
        for path in ["/nowhere", "/bachelors/apply", "/apply", "/application", "/apply/"] {
            let problem = see(&visitor, path).await;
            problem.assert_document(404, "problem");
            assert!(problem.text.contains(&format!("<code>{}</code>", problem.header("x-request-id"))), "{path}");
        }
        // The dashboard's guard remembers the last program visited.
        let later = visitor.get("/dashboard").header("cookie", "program=masters").send().await;
        later.assert_redirect(302, "/masters/apply?dialog=login&redirect=%2Fdashboard");
        assert_eq!(see(&visitor, "/masters/apply").await.set_cookie("program").as_deref(), Some("masters"));

        let applicant = registered(&world, "bachelor").await;
        for (path, route) in [
            ("/bachelor/apply", "apply"),
            ("/bachelor/application", "application"),
            ("/bachelor/application/about-you", "application"),
            ("/bachelor/application/credit-transfer?from=check", "application"),
            ("/dashboard", "dashboard"),
            ("/dashboard/account", "account"),
        ] {
            see(&applicant, path).await.assert_document(200, route);
        }
        see(&applicant, "/dashboard/nowhere").await.assert_document(404, "problem");
        see(&applicant, "/dashboard/documents").await.assert_document(200, "documents");
        see(&applicant, "/dashboard/documents/1").await.assert_document(404, "problem");
        see(&applicant, "/bachelor/application/nowhere").await.assert_document(404, "problem");
        for path in ["/bachelor/application/about-you", "/bachelor/application"] {
            see(&applicant, &format!("{path}/")).await.assert_redirect(302, path);
        }
        see(&applicant, "/masters/application/employment").await.assert_redirect(302, "/masters/application");
        let stranger = see(&visitor, "/bachelor/application/employment?from=check").await;
        let redirect = &stranger.assert_document(200, "application")["props"]["dialog"]["redirect"];
        assert_eq!(redirect, "/bachelor/application/employment?from=check");
        see(&applicant, "/admin-panel").await.assert_redirect(302, "/admin-panel/login");

        // An account without an application is sent to the apply page, where one can be started.
        let without = world.register().await;
        see(&without, "/masters/application").await.assert_redirect(302, "/masters/apply");
        let page = see(&without, "/masters/apply").await.assert_document(200, "apply");
        assert_eq!(page["props"]["action"], "start");
        without.post("/masters/start").form(&[]).with_cookie(&without).send().await.assert_redirect(303, "/masters/application");
        see(&without, "/masters/application").await.assert_document(200, "application");
    }

    async fn a_wrong_method_says_which_ones_there_are(database: Database) {
        let world = World::start(database.db()).await;
        let visitor = world.visitor();
        for (method, path, allow) in [
            ("POST", "/bachelor/apply", "GET, HEAD"),
            ("DELETE", "/masters/application", "GET, HEAD, POST"),
            ("DELETE", "/masters/application/employment", "GET, HEAD, POST"),
            ("GET", "/auth/login", ""),
            ("PUT", "/auth/login", "POST"),
        ] {
            let answer = visitor.call(method, path).send().await;
            if allow.is_empty() {
                assert_eq!(answer.status, 404, "{method} {path}");
            } else {
                assert_eq!((answer.status, answer.header("allow")), (405, allow), "{method} {path}");
            }
        }
        let head = visitor.call("HEAD", "/bachelor/apply").send().await;
        assert_eq!((head.status, head.text.as_str()), (200, ""));
    }

    async fn soft_navigations_get_the_same_page_as_json(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "masters").await;
        // Problem pages name the request.
        let asked = async |path: &str, accept: &str| {
            let call = applicant.get(path).with_cookie(&applicant).header("x-request-id", "same");
            call.header("accept", accept).send().await
        };
        let soft = async |path: &str| asked(path, "application/json").await;
        for path in
            ["/dashboard", "/masters/application", "/masters/application/education", "/masters/apply", "/nowhere"]
        {
            let (document, json) = (asked(path, "text/html").await, soft(path).await);
            assert_eq!(json.header("content-type"), "application/json");
            // Each page has new keys for its forms.
            let same = |mut page: Value| {
                if let Some(known) = page.pointer_mut("/props/application/known") {
                    known["idempotencyKey"].take();
                }
                page
            };
            assert_eq!((json.status, same(json.json())), (document.status, same(document.page())), "{path}");
        }
        assert_eq!(soft("/").await.json(), json!({ "redirect": "/bachelor" }));
        assert_eq!(soft("/dashboard").await.header("cache-control"), "no-store");
    }

    async fn nobody_sees_anothers_page(database: Database) {
        let world = World::start(database.db()).await;
        let (one, two) = (registered(&world, "bachelor").await, registered(&world, "masters").await);
        let visitor = world.visitor();
        let look = async |client: &Client, other: &Client| {
            for _ in 0..25 {
                let answer = see(client, "/dashboard/account").await;
                assert!(answer.text.contains(&client.email), "{answer:?}");
                assert!(!answer.text.contains(&other.email), "{answer:?}");
                assert_eq!(answer.header("cache-control"), "no-store");
            }
        };
        let anyone = async {
            for _ in 0..25 {
                let answer = see(&visitor, "/bachelor/apply").await;
                assert!(!answer.text.contains("@example.org\"") || !answer.text.contains("applicant-"), "{answer:?}");
                assert_eq!(answer.page()["shared"]["viewer"], Value::Null);
            }
        };
        tokio::join!(look(&one, &two), look(&two, &one), anyone);
        // Signed-in applicants get their own landing page, never the shared one.
        assert_eq!(see(&one, "/bachelor/apply").await.page()["shared"]["viewer"]["email"], one.email);
    }

    async fn the_shared_landing_page_is_kept_and_known_by_its_tag(database: Database) {
        let world = World::start(database.db()).await;
        let visitor = world.visitor();
        let first = see(&visitor, "/bachelor/apply").await;
        let tag = first.header("etag").to_owned();
        let again = visitor.get("/bachelor/apply").header("if-none-match", &tag).send().await;
        assert_eq!((again.status, again.text.as_str()), (304, ""));
        assert!(first.text.contains("application/ld+json") && first.text.contains("EducationalOccupationalProgram"));
        assert!(first.text.contains("<link rel=\"canonical\" href=\"http://apply.example.org/bachelor/apply\">"));
        let packed = visitor.get("/bachelor/apply").header("accept-encoding", "gzip;q=0, br").send().await;
        assert_eq!(packed.header("content-encoding"), "br");
        // The next intake follows from the day.
        world.clock.advance(200 * 24 * 60 * MINUTE);
        let later = see(&visitor, "/bachelor/apply").await;
        assert_ne!(later.header("etag"), tag);
        assert_ne!(later.page()["props"]["info"]["nextIntake"], first.page()["props"]["info"]["nextIntake"]);
    }

    async fn bad_addresses_get_an_answer_of_their_own(database: Database) {
        // The area "ssr" of tests/cases/bad-inputs.jsonl, row by row.
        let world = World::start(database.db()).await;
        let visitor = world.visitor();
        see(&visitor, "/masters").await.assert_redirect(302, "/masters/apply"); // SSR-02
        see(&visitor, "/apply").await.assert_document(404, "problem"); // SSR-04
        see(&visitor, "/masters/apply/?dialog=login").await.assert_redirect(302, "/masters/apply?dialog=login");
        see(&visitor, "/dashboard/account/").await.assert_redirect(302, "/dashboard/account");
        for unknown in ["/apply/", "//masters/apply/", "//evil.example/"] {
            let answer = see(&visitor, unknown).await;
            answer.assert_document(404, "problem");
            assert_eq!(answer.location(), "");
        }
        see(&visitor, "/bachelor/apply%00").await.assert_document(400, "problem"); // SSR-06
        see(&visitor, "/bachelor/apply%ff").await.assert_document(400, "problem");
        let outside = see(&visitor, "//evil.example/%2f..").await; // SSR-08
        outside.assert_document(404, "problem");
        assert_eq!(outside.location(), "");
        let mapped = see(&visitor, "/bachelor/apply?dialog=login&redirect=/application").await; // SSR-10
        assert_eq!(mapped.assert_document(200, "apply")["props"]["dialog"]["redirect"], "/bachelor/application");
        for query in ["?dialog=login&x=</script><script>alert(1)</script>", "?dialog=login&x=%E2%80%A8%E2%80%A9"] {
            see(&visitor, &format!("/bachelor/apply{query}")).await.assert_document(200, "apply"); // SSR-12, SSR-14
        }
        let long = see(&visitor, &format!("/bachelor/apply?x={}", "x".repeat(20_000))).await;
        long.assert_document(414, "problem"); // SSR-16, as far as the HTTP library lets it through
        // The HTTP library's own answers to requests longer than it passes on, and than it reads.
        for (length, line) in
            [(100_000, "HTTP/1.1 414 URI Too Long"), (1_000_000, "HTTP/1.1 431 Request Header Fields Too Large")]
        {
            let query = "x".repeat(length);
            let endless = format!("GET /bachelor/apply?x={query} HTTP/1.1\r\nHost: example.org\r\n\r\n");
            assert_eq!(world.status_line_of(&endless).await, line);
        }
        see(&visitor, &"/a".repeat(8_192)).await.assert_document(414, "problem"); // SSR-18
        let forwarded = visitor.get("/bachelor/apply?dialog=login").header("x-forwarded-host", "evil.example").send().await;
        assert!(!forwarded.text.contains("evil.example")); // SSR-20
        for cookie in ["matricula_session=garbage".to_owned(), format!("matricula_session={}", "x".repeat(8_000))] {
            let answer = visitor.get("/bachelor/apply").header("cookie", &cookie).send().await; // SSR-22
            assert_eq!(answer.assert_document(200, "apply")["shared"]["viewer"], Value::Null);
            assert_eq!(answer.set_cookie("matricula_session").as_deref(), Some(""), "it is cleared");
        }
        let many: Vec<String> = (0..200).map(|n| format!("c{n}=1")).collect();
        visitor.get("/bachelor/apply").header("cookie", &many.join("; ")).send().await.assert_document(200, "apply");
        see(&visitor, "/dashboard/documents").await // SSR-24
            .assert_redirect(302, "/bachelor/apply?dialog=login&redirect=%2Fdashboard%2Fdocuments");
        assert_eq!(visitor.post("/bachelor/apply").send().await.status, 405); // SSR-26
        let crash = see(&visitor, "/bachelor/apply?fault=throw").await; // SSR-28
        crash.assert_document(500, "crash");
        assert!(crash.text.contains("Something went wrong") && crash.text.contains("Reload Application"));
        assert!(crash.text.contains(&format!("<code>{}</code>", crash.header("x-request-id"))));
        assert!(!crash.text.contains("A fault was asked for"), "the inside is not told");
        for fault in ["heap", "loop"] {
            let shell = see(&visitor, &format!("/bachelor/apply?fault={fault}")).await; // SSR-30
            shell.assert_document(503, "apply");
            assert!(shell.text.contains("data-client-only") && shell.text.contains("<noscript>"));
            assert!(shell.text.contains(&format!("<code>{}</code>", shell.header("x-request-id"))));
            assert_ne!(shell.header("retry-after"), "");
            see(&visitor, "/bachelor/apply?dialog=login").await.assert_document(200, "apply");
        }
    }

    async fn the_policy_trusts_only_this_documents_scripts(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        let mut nonces = HashSet::new();
        for path in ["/dashboard", "/dashboard", "/bachelor/application"] {
            let answer = see(&applicant, path).await;
            let policy = answer.header("content-security-policy");
            assert!(!policy.contains("unsafe"), "{policy}");
            assert!(policy.contains("frame-ancestors 'none'") && policy.contains("default-src 'none'"), "{policy}");
            let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap();
            assert!(answer.text.contains("<script type=\"module\" src=\"/assets/"));
            assert!(answer.text.matches(&format!("nonce=\"{nonce}\"")).count() >= 1, "{answer:?}");
            assert!(!answer.text.contains(" style=\""), "no style attributes");
            assert!(nonces.insert(nonce.to_owned()), "a nonce is used once");
        }
        let landing = see(&world.visitor(), "/bachelor/apply").await;
        let policy = landing.header("content-security-policy");
        assert!(policy.contains("script-src 'self';") && policy.contains("'sha256-"), "{policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "strict-origin-when-cross-origin"),
            ("x-frame-options", "DENY"),
            ("strict-transport-security", ""),
        ] {
            assert_eq!(landing.header(name), value, "{name}");
        }
    }

    async fn production_has_no_mailbox_no_faults_and_https_only(database: Database) {
        let world = World::start_in_production(database.db()).await;
        let visitor = world.visitor();
        see(&visitor, "/mailbox").await.assert_document(404, "problem");
        see(&visitor, "/bachelor/apply?fault=throw").await.assert_document(200, "apply");
        let landing = see(&visitor, "/bachelor/apply").await;
        assert!(landing.header("strict-transport-security").starts_with("max-age="));
        let email = visitor.email.clone();
        let entered = visitor.post("/auth/register").form(&registration_form(&email, "bachelor")).send().await;
        let cookies: Vec<_> = entered.headers.get_all("set-cookie").iter().map(|c| c.to_str().unwrap()).collect();
        assert!(cookies.iter().all(|c| c.contains("; Secure") && c.contains("HttpOnly")), "{cookies:?}");
    }

    async fn a_form_comes_back_with_what_was_typed_and_what_is_wrong(database: Database) {
        let world = World::start(database.db()).await;
        let visitor = world.visitor();
        let answer = visitor
            .post("/auth/register")
            .form(&[
                ("firstName", "Demo"),
                ("country", "US"),
                ("phoneNumber", "12x"),
                ("email", "nonsense"),
                ("password", "short"),
                ("passwordRepeat", "short"),
                ("program", "masters"),
            ])
            .send()
            .await;
        let page = answer.assert_document(422, "apply");
        let dialog = &page["props"]["dialog"];
        assert_eq!((&dialog["mode"], &dialog["values"]["firstName"]), (&json!("register"), &json!("Demo")));
        assert!(!answer.text.contains("short"), "passwords never come back");
        let errors: Vec<_> = dialog["errors"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(errors, ["lastName", "dateOfBirth", "phoneNumber", "state", "email", "password"], "in the form's order");
        assert!(answer.text.contains("Enter an email address in the format name@example.com."));

        let email = visitor.email.clone();
        let mut differing = registration_form(&email, "bachelor");
        differing.retain(|(name, _)| *name != "passwordRepeat");
        differing.push(("passwordRepeat", "something else entirely"));
        differing.retain(|(name, _)| *name != "lastName");
        let answer = visitor.post("/auth/register").form(&differing).send().await;
        let errors = &answer.assert_document(422, "apply")["props"]["dialog"]["errors"];
        assert_eq!(errors["passwordRepeat"], "Passwords do not match");
        assert!(errors["lastName"].is_string(), "what else is wrong is told at once: {errors}");

        let taken = registered(&world, "bachelor").await;
        let answer = visitor.post("/auth/register").form(&registration_form(&taken.email, "bachelor")).send().await;
        assert!(answer.assert_document(409, "apply")["props"]["dialog"]["errors"]["email"].as_str().unwrap().contains("already exists"));

        let wrong = visitor.post("/auth/login").form(&[("email", &taken.email), ("password", "wrong password")]).send().await;
        let unknown = visitor.post("/auth/login").form(&[("email", "nobody@example.org"), ("password", "wrong password")]).send().await;
        let say = |answer: &Answer| answer.assert_document(401, "apply")["props"]["dialog"]["error"].clone();
        assert_eq!((say(&wrong), say(&unknown)), (json!("Email or password is incorrect."), json!("Email or password is incorrect.")));
    }

    async fn logging_in_leads_where_one_wanted_and_never_elsewhere(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "masters").await;
        for (wanted, to) in [
            ("/dashboard/account", "/dashboard/account"),
            ("/application", "/masters/application"),
            ("//evil.example", "/masters/application"),
            ("https://evil.example/dashboard", "/masters/application"),
            ("/bachelor/application", "/masters/application"),
            ("", "/masters/application"),
        ] {
            let form = [("email", applicant.email.as_str()), ("password", PASSWORD), ("redirect", wanted), ("program", "bachelor")];
            world.visitor().post("/auth/login").form(&form).send().await.assert_redirect(303, to);
        }
    }

    async fn forms_of_other_sites_are_refused(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        let fields = "personalInfo.state=CA&_action=save&revision=1";
        let post = |site: &'static str| {
            applicant.post("/bachelor/application/about-you").raw("application/x-www-form-urlencoded", fields)
                .header("sec-fetch-site", site).with_cookie(&applicant).send()
        };
        for site in ["cross-site", "same-site"] {
            post(site).await.assert_document(403, "problem");
        }
        post("same-origin").await.assert_redirect(303, "/bachelor/application");
        let multipart = applicant.post("/bachelor/application").raw("text/plain", fields)
            .header("sec-fetch-site", "same-origin").with_cookie(&applicant).send().await;
        multipart.assert_document(415, "problem");
        // A pasted NUL is removed, and the rest is kept.
        let pasted = [("employment.currentEmployer.name", "De\0mo")];
        let nul = applicant.post("/bachelor/application/employment").form(&pasted).with_cookie(&applicant).send().await;
        assert_eq!(nul.status, 303, "{nul:?}");
        let page = see(&applicant, "/bachelor/application/employment").await.assert_document(200, "application");
        assert_eq!(page["props"]["application"]["data"]["employment"]["currentEmployer"]["name"], "Demo");
        let large = "x".repeat(300_000);
        let large = applicant.post("/bachelor/application").form(&[("x", large.as_str())]).with_cookie(&applicant).send().await;
        large.assert_document(413, "problem");
    }

    async fn sections_are_saved_one_after_another_without_javascript(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        const EMPLOYMENT: &str = "/bachelor/application/employment";
        let post = async |path: &str, fields: &[(&str, &str)]| {
            applicant.post(path).form(fields).with_cookie(&applicant).send().await
        };
        let employment = async |fields: &[(&str, &str)]| post(EMPLOYMENT, fields).await;
        let props = async |path: &str| see(&applicant, path).await.assert_document(200, "application")["props"].clone();

        // Each leads to the next, or to where the button says, or back to where the applicant came from.
        let about_you = [("revision", "1"), ("personalInfo.isUSCitizen", "no"), ("personalInfo.state", "")];
        let next = post("/bachelor/application/about-you", &[&about_you[..], &[("_action", "continue")]].concat()).await;
        next.assert_redirect(303, "/bachelor/application/military");
        for (path, revision, action, to) in [
            ("/bachelor/application/about-you", "2", "save", "/bachelor/application"),
            ("/bachelor/application/about-you?from=check", "3", "continue", "/bachelor/application/check"),
            ("/bachelor/application/about-you?from=nowhere", "4", "", "/bachelor/application/military"),
        ] {
            post(path, &[("revision", revision), ("_action", action), ("personalInfo.isUSCitizen", "no")]).await
                .assert_redirect(303, to);
        }
        let none = post("/bachelor/application/credit-transfer", &[
            ("revision", "5"), ("_action", "continue"), ("creditTransfer.selectedPrograms", ""),
        ]).await;
        none.assert_redirect(303, "/bachelor/application/questions");

        employment(&[
            ("revision", "6"),
            ("_action", "save"),
            ("employment.isCurrentlyEmployed", "no"),
            ("employment.currentEmployer.hoursPerWeek", "hidden, and not read"),
            ("employment.hasPreviousEmployment", "yes"),
            ("employment.previousEmployers.0.name", "Demo Works"),
            ("employment.previousEmployers.0.hoursPerWeek", "40"),
        ]).await.assert_redirect(303, "/bachelor/application");
        let list = props("/bachelor/application").await;
        let application = &list["application"];
        assert_eq!(application["revision"], 7);
        assert_eq!(application["savedText"], "Saved 7:00\u{a0}AM", "in the institute's zone");
        assert_eq!(application["data"]["personalInfo"]["isUSCitizen"], false);
        assert_eq!(application["data"]["employment"]["previousEmployers"][0]["name"], "Demo Works");
        assert_eq!(application["data"]["employment"]["currentEmployer"]["hoursPerWeek"], 0);
        assert_eq!((&list["section"], &application["sections"]["about-you"]), (&Value::Null, &json!("complete")));
        assert_eq!(list["missing"][0]["section"], "military");
        let page = props(EMPLOYMENT).await;
        assert_eq!((&page["section"], &page["missing"]), (&json!("employment"), &json!([])));

        let wrong = employment(&[
            ("revision", "7"),
            ("_action", "continue"),
            ("employment.currentEmployer.hoursPerWeek", "200"),
            ("employment.currentEmployer.name", "<Demo & Sons>"),
        ]).await;
        let page = wrong.assert_document(422, "application");
        let form = &page["props"]["form"];
        assert_eq!(page["props"]["section"], "employment");
        assert_eq!(form["errors"]["employment.currentEmployer.hoursPerWeek"], "Hours per week must be between 0 and 168.");
        assert_eq!(form["values"]["employment.currentEmployer.name"], "<Demo & Sons>");
        assert!(wrong.text.contains("value=\"&lt;Demo &amp; Sons&gt;\""), "what was typed is on the page");

        // Another tab has saved meanwhile: both values are shown, and nothing is overwritten.
        let stale = employment(&[("revision", "6"), ("_action", "continue"), ("employment.isCurrentlyEmployed", "yes")]).await;
        let page = stale.assert_document(409, "application");
        assert_eq!(page["props"]["conflict"], json!(["employment.isCurrentlyEmployed"]));
        assert_eq!(page["props"]["form"]["values"]["employment.isCurrentlyEmployed"], "yes");
        assert_eq!(page["props"]["application"]["data"]["employment"]["isCurrentlyEmployed"], false);
        assert_eq!(page["props"]["application"]["revision"], 7);
        employment(&[("revision", "7"), ("_action", "keep-mine"), ("employment.isCurrentlyEmployed", "yes")]).await
            .assert_redirect(303, EMPLOYMENT);
        employment(&[("_action", "take-theirs")]).await.assert_redirect(303, EMPLOYMENT);

        let more = employment(&[("revision", "8"), ("_action", "add-previous-employer"), ("employment.previousEmployers.0.name", "A")]).await;
        assert!(more.assert_document(200, "application")["props"]["form"]["values"]["employment.previousEmployers.1.name"].is_string());

        // The session has ended: what was typed is still on the page.
        let form = [("revision", "8"), ("_action", "continue"), ("employment.currentEmployer.name", "Typed just now")];
        let ended = world.visitor().post(EMPLOYMENT).form(&form).send().await;
        ended.assert_document(401, "application");
        assert!(ended.text.contains("Typed just now"));
        post("/bachelor/application", &[("revision", "8"), ("_action", "nonsense")]).await.assert_document(400, "problem");
    }

    async fn an_application_is_checked_and_submitted_without_javascript(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        let post = async |path: &str, fields: &[(&str, &str)]| {
            applicant.post(path).form(fields).with_cookie(&applicant).send().await
        };
        let look = async |path: &str, route: &str| see(&applicant, path).await.assert_document(200, route)["props"].clone();
        const CHECK: &str = "/bachelor/application/check";
        const LAST: &str = "/bachelor/application/questions";

        // Missing answers are listed with links to where they can be given.
        let page = see(&applicant, CHECK).await;
        let props = page.assert_document(200, "check")["props"].clone();
        assert_eq!(props["missing"][0]["path"], "personalInfo.isUSCitizen");
        assert_eq!(props["sections"]["education"], "not-started");
        let change = "href=\"/bachelor/application/about-you?from=check#f-personalInfo.isUSCitizen\"";
        assert!(page.text.contains(change) && !page.text.contains("Submit your application"), "{page:?}");
        let early = post(CHECK, &[("revision", "1"), ("key", "early"), ("declaration", "yes")]).await;
        assert_eq!(early.assert_document(422, "check")["props"]["missing"].as_array().unwrap().len(), 16);
        see(&applicant, "/masters/application/check").await.assert_redirect(302, "/masters/application");
        see(&applicant, "/thankyou").await.assert_redirect(302, "/dashboard");

        post(LAST, &complete_form()).await.assert_redirect(303, CHECK);
        let props = look(CHECK, "check").await;
        assert_eq!((&props["missing"], &props["revision"]), (&json!([]), &json!(2)));
        let key = props["idempotencyKey"].as_str().unwrap();

        let unticked = post(CHECK, &[("revision", "2"), ("key", key)]).await;
        let form = unticked.assert_document(422, "check")["props"]["form"].clone();
        assert_eq!(form["errors"], json!({ "declaration": "Read the declaration and check the box." }));
        assert!(unticked.text.contains("id=\"f-declaration-error\""), "{unticked:?}");
        for revision in ["1", ""] {
            let stale = post(CHECK, &[("revision", revision), ("key", key), ("declaration", "yes")]).await;
            assert!(stale.assert_document(409, "check")["props"]["form"]["error"].as_str().unwrap().contains("another tab"));
        }
        let submit = [("revision", "2"), ("key", key), ("declaration", "yes")];
        post("/masters/application/check", &submit).await.assert_redirect(303, "/masters/application");
        post(CHECK, &submit).await.assert_redirect(303, "/thankyou");
        post(CHECK, &submit).await.assert_redirect(303, "/thankyou");
        assert_eq!(database.count("snapshots").await, 1);
        // From another tab that was open: nothing is done twice.
        post(CHECK, &[("revision", "3"), ("key", "another"), ("declaration", "yes")]).await.assert_redirect(303, "/bachelor/application");
        assert_eq!(database.count("snapshots").await, 1);

        let thanks = look("/thankyou", "thankYou").await;
        let reference = thanks["reference"].as_str().unwrap().to_owned();
        assert_eq!((&thanks["interview"], &thanks["submittedText"]), (&json!(null), &json!("Mon, May 4, 2026, 7:00\u{a0}AM CDT")));
        see(&applicant, CHECK).await.assert_redirect(302, "/bachelor/application");
        see(&applicant, "/masters/application").await.assert_redirect(302, "/bachelor/application");
        let dashboard = look("/dashboard", "dashboard").await;
        assert_eq!((&dashboard["application"]["title"], &dashboard["application"]["reference"]), (&json!("Submitted"), &json!(reference)));
        assert_eq!(dashboard["nextStep"]["title"], "Book your interview");
        assert_eq!(dashboard["timeline"][0], json!({ "label": "Applied", "state": "done", "date": "Submitted May\u{a0}4,\u{a0}2026" }));

        // It can be read but not changed, until it is taken back.
        let sent = see(&applicant, "/bachelor/application").await;
        let props = sent.assert_document(200, "application")["props"].clone();
        assert_eq!((&props["sent"]["reference"], &props["sent"]["canUnsubmit"]), (&json!(reference), &json!(true)));
        assert!(!sent.text.contains("name=\"personalInfo.isUSCitizen\""), "nothing to fill in");
        let late = post("/bachelor/application/about-you", &[("revision", "3"), ("_action", "save"), ("personalInfo.isUSCitizen", "yes")]).await;
        let late = late.assert_document(409, "application")["props"]["sent"]["form"]["error"].clone();
        assert_eq!(late, "You have submitted this application. Take it back first to change an answer.");
        let unsubmit = [("revision", "3"), ("key", "back"), ("_action", "unsubmit")];
        post("/bachelor/application", &unsubmit).await.assert_redirect(303, "/bachelor/application");
        assert_eq!(look("/bachelor/application", "application").await["sent"], Value::Null);
        assert_eq!(look("/dashboard", "dashboard").await["nextStep"]["title"], "Submit your application again");
        post(CHECK, &[("revision", "4"), ("key", "again"), ("declaration", "yes")]).await.assert_redirect(303, "/thankyou");
        assert_eq!(look("/thankyou", "thankYou").await["reference"], reference);
    }

    async fn a_withdrawal_needs_a_reason_and_can_be_undone_on_the_dashboard(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "masters").await;
        let post = async |path: &str, fields: &[(&str, &str)]| {
            applicant.post(path).form(fields).with_cookie(&applicant).send().await
        };
        let look = async |path: &str, route: &str| see(&applicant, path).await.assert_document(200, route)["props"].clone();
        post("/masters/application/credit-transfer", &complete_form()).await;
        post("/masters/application/check", &[("revision", "2"), ("key", "one"), ("declaration", "yes")]).await
            .assert_redirect(303, "/thankyou");

        let withdraw = |reason: &'static str| [("revision", "3"), ("key", "w"), ("_action", "withdraw"), ("reason", reason)];
        let without = post("/masters/application", &withdraw(" ")).await;
        let form = without.assert_document(422, "application")["props"]["sent"]["form"].clone();
        assert_eq!(form["errors"], json!({ "reason": "Tell us in a few words why you are withdrawing." }));
        let closed = world.visitor().post("/masters/application").form(&withdraw("Why not")).send().await;
        assert_eq!(closed.status, 401);
        post("/masters/application", &withdraw("I move.\r\nFar away.")).await.assert_redirect(303, "/dashboard");
        post("/masters/application", &withdraw("I move.\r\nFar away.")).await.assert_redirect(303, "/dashboard");

        let props = look("/dashboard", "dashboard").await;
        assert_eq!((&props["application"], &props["undo"]["untilText"]), (&Value::Null, &json!("7:15\u{a0}AM CDT")));
        see(&applicant, "/masters/application").await.assert_redirect(302, "/masters/apply");
        let revision = props["undo"]["revision"].to_string();
        let undo = |key: &'static str| [("revision", revision.as_str()), ("key", key), ("_action", "undo-withdraw")];
        let first = undo("u");
        post("/dashboard", &first).await.assert_redirect(303, "/dashboard");
        post("/dashboard", &first).await.assert_redirect(303, "/dashboard");
        assert_eq!(look("/dashboard", "dashboard").await["application"]["title"], "Submitted");
        post("/dashboard", &[("_action", "nonsense")]).await.assert_document(400, "problem");

        let again = [("revision", "5"), ("key", "w2"), ("_action", "withdraw"), ("reason", "After all")];
        post("/masters/application", &again).await.assert_redirect(303, "/dashboard");
        world.clock.advance(15 * MINUTE);
        assert_eq!(look("/dashboard", "dashboard").await["undo"], Value::Null);
        let late = post("/dashboard", &[("revision", "6"), ("key", "u2"), ("_action", "undo-withdraw")]).await;
        let late = late.assert_document(409, "dashboard");
        assert!(late["props"]["form"]["error"].as_str().unwrap().contains("The 15 minutes to undo this are over."), "{late}");
    }

    async fn moving_to_the_other_program_is_asked_for_first(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        let page = see(&applicant, "/masters/application").await.assert_document(200, "application");
        assert_eq!(page["props"]["otherProgram"]["path"], "bachelor");
        let post = async |action: &str| {
            let form = [("revision", "1"), ("_action", action), ("personalInfo.state", "CA")];
            applicant.post("/masters/application/about-you").form(&form).with_cookie(&applicant).send().await
        };
        // What was typed on a page of the other program is carried along.
        let asked = post("continue").await;
        assert_eq!(asked.assert_document(409, "application")["props"]["otherProgram"]["path"], "bachelor");
        assert!(asked.text.contains("name=\"personalInfo.state\" value=\"CA\""), "{asked:?}");
        post("switch-program").await.assert_redirect(303, "/masters/application/about-you");
        let page = see(&applicant, "/masters/application").await.assert_document(200, "application");
        assert_eq!(page["props"]["otherProgram"], Value::Null);
        assert_eq!(page["props"]["application"]["data"]["personalInfo"]["state"], "CA");
        let back = [("_action", "switch-program")];
        applicant.post("/bachelor/application").form(&back).with_cookie(&applicant).send().await
            .assert_redirect(303, "/bachelor/application");
    }

    async fn a_forgotten_password_is_reset_by_mail_and_looking_spends_nothing(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        let asked = applicant.post("/auth/forgot-password").form(&[("email", &applicant.email)]).send().await;
        assert!(asked.assert_document(200, "apply")["props"]["dialog"]["message"].as_str().unwrap().starts_with("If there is an account"));
        let mails = world.mails(10).await;
        let mail = mails.iter().find(|mail| mail.subject == "Reset your password").unwrap();
        assert!(mail.text.contains("http://apply.example.org/reset-password?token="), "{}", mail.text);
        let token = mail.text.split("token=").nth(1).unwrap().lines().next().unwrap().to_owned();
        for _ in 0..3 {
            let page = see(&world.visitor(), &format!("/reset-password?token={token}")).await.assert_document(200, "resetPassword");
            assert_eq!(page["props"]["token"], token);
            assert!(page["props"]["errors"]["token"].is_null());
        }
        let new = "a wholly different phrase";
        let form = [("token", token.as_str()), ("password", new), ("passwordRepeat", new)];
        let done = applicant.post("/reset-password").form(&form).send().await;
        assert_eq!(done.assert_document(200, "resetPassword")["props"]["done"], true);
        see(&applicant, "/dashboard").await.assert_redirect(302, "/bachelor/apply?dialog=login&redirect=%2Fdashboard");
        let again = applicant.post("/reset-password").form(&form).send().await;
        assert!(again.assert_document(422, "resetPassword")["props"]["errors"]["token"].is_string());
        let dead = see(&world.visitor(), &format!("/reset-password?token={token}")).await;
        let told = dead.assert_document(200, "resetPassword")["props"]["errors"]["token"].clone();
        assert!(told.as_str().is_some_and(|told| told.contains("link")), "{told}");
        let login = applicant.post("/auth/login").form(&[("email", &applicant.email), ("password", new)]).send().await;
        assert_eq!(login.status, 303);
    }

    async fn the_account_page_changes_profile_password_and_sessions(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        let elsewhere = applicant.log_in().await;
        let post = async |fields: &[(&str, &str)]| {
            applicant.post("/dashboard/account").form(fields).with_cookie(&applicant).send().await
        };
        post(&[("_action", "profile"), ("firstName", "Other"), ("lastName", "Sample"), ("dateOfBirth", "1990-02-28"),
            ("country", "DE"), ("phoneNumber", "30 123456"), ("state", "TX"), ("timeZone", "Europe/Berlin")]).await
            .assert_redirect(303, "/dashboard/account?done=profile");
        let page = see(&applicant, "/dashboard/account").await.assert_document(200, "account");
        let profile = &page["props"]["profile"];
        assert_eq!((&profile["firstName"], &profile["phoneNumber"], &profile["state"]), (&json!("Other"), &json!("+4930123456"), &Value::Null));
        assert_eq!(page["props"]["sessions"].as_array().unwrap().len(), 2);

        let wrong = post(&[("_action", "password"), ("currentPassword", "not it"), ("password", "a much better phrase"), ("passwordRepeat", "a much better phrase")]).await;
        assert!(wrong.assert_document(422, "account")["props"]["forms"]["password"]["errors"]["currentPassword"].is_string());
        post(&[("_action", "password"), ("currentPassword", PASSWORD), ("password", "a much better phrase"), ("passwordRepeat", "a much better phrase")]).await
            .assert_redirect(303, "/dashboard/account?done=password");
        elsewhere.get("/api/users/me").send().await.assert_problem(401, "session.revoked");
        see(&applicant, "/dashboard").await.assert_document(200, "dashboard");
        assert_eq!(post(&[("_action", "nonsense")]).await.status, 400);

        let out = applicant.post("/auth/logout").form(&[]).with_cookie(&applicant).send().await;
        assert_eq!((out.status, out.set_cookie("matricula_session").as_deref()), (303, Some("")));
        assert_eq!(see(&applicant, "/dashboard").await.status, 302);
    }

    async fn the_theme_is_remembered_and_leads_back_to_our_own_pages_only(database: Database) {
        let world = World::start(database.db()).await;
        let visitor = world.visitor();
        let chosen = visitor.post("/theme").form(&[("theme", "dark"), ("back", "/masters/apply")]).send().await;
        chosen.assert_redirect(303, "/masters/apply");
        assert_eq!(chosen.set_cookie("theme").as_deref(), Some("dark"));
        let page = visitor.get("/masters/apply").header("cookie", "theme=dark").send().await;
        assert!(page.text.contains("<html lang=\"en\" data-theme=\"dark\">"));
        for back in ["//evil.example", "https://evil.example", "/\\evil.example", ""] {
            visitor.post("/theme").form(&[("theme", "light"), ("back", back)]).send().await.assert_redirect(303, "/");
        }
    }

    async fn without_its_database_the_public_pages_go_on(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        world.stop_database().await;
        see(&world.visitor(), "/bachelor/apply").await.assert_document(200, "apply");
        see(&applicant, "/bachelor/apply").await.assert_document(200, "apply");
        let answer = see(&applicant, "/dashboard").await;
        answer.assert_document(503, "problem");
        assert_ne!(answer.header("retry-after"), "");
        assert_eq!(answer.set_cookie("matricula_session"), None, "the session may be good: the cookie stays");
        assert_eq!(see(&applicant, "/readyz").await.status, 503);
        assert_eq!(see(&applicant, "/healthz").await.status, 200);
    }

    async fn an_application_that_cannot_be_loaded_never_offers_a_new_one(database: Database) {
        let world = World::start(database.db()).await;
        let applicant = registered(&world, "bachelor").await;
        database.run("UPDATE applications SET answers = 'damaged'").await.unwrap();
        let answer = see(&applicant, "/bachelor/application").await;
        let page = answer.assert_document(200, "application");
        assert_eq!(page["props"]["application"], Value::Null);
        assert!(answer.text.contains("We could not load your application") && answer.text.contains("Retry"), "{answer:?}");
        let page = see(&applicant, "/bachelor/apply").await.assert_document(200, "apply");
        assert_eq!(page["props"]["action"], "continue");
        let page = see(&applicant, "/dashboard").await.assert_document(200, "dashboard");
        assert_eq!(page["props"]["loadFailed"], true);
    }
}
