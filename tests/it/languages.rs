//! The languages of pages, mails and the API.

use serde_json::{Value, json};

use crate::api::account::mails_to;
use crate::pages::{registered, registration_form, see};
use crate::support::databases::story;
use crate::support::server::{Client, World, registration};

const SPANISH: &str = "language=es";

fn is_spanish(text: &str) -> bool {
    text.contains("<html lang=\"es\"")
}

/// The page at a path as a client with these headers gets it.
async fn shown(client: &Client, path: &str, headers: &[(&'static str, &str)]) -> String {
    let mut call = client.get(path);
    if client.cookie.is_some() {
        call = call.with_cookie(client);
    }
    for (name, value) in headers {
        call = call.header(name, value);
    }
    call.send().await.text
}

story! {
    async fn the_language_is_chosen_then_the_accounts_then_the_browsers(database: Database) {
        let world = World::start(database.db()).await;
        let visitor = world.visitor();
        for (headers, spanish) in [
            (&[][..], false),
            (&[("accept-language", "es-MX,es;q=0.9,en;q=0.5")], true),
            (&[("accept-language", "de,fr;q=0.9")], false),
            (&[("accept-language", "es"), ("cookie", "language=en")], false),
            (&[("cookie", SPANISH)], true),
            (&[("cookie", "language=xx")], false),
        ] {
            for path in ["/bachelor/apply", "/bachelor/apply?dialog=login", "/nowhere"] {
                assert_eq!(is_spanish(&shown(&visitor, path, headers).await), spanish, "{path} {headers:?}");
            }
        }
        let applicant = registered(&world, "bachelor").await;
        let change = json!({ "language": "es" });
        let entered = applicant.log_in().await;
        assert_eq!(entered.call("PATCH", "/api/users/profile").json(&change).send().await.json()["language"], "es");
        assert!(is_spanish(&shown(&applicant, "/dashboard", &[]).await));
        assert!(is_spanish(&shown(&applicant, "/dashboard", &[("accept-language", "en")]).await));
        assert!(!is_spanish(&shown(&applicant, "/dashboard", &[("cookie", "language=en")]).await));
        // Pages for staff and for development are in English.
        for path in ["/admin-panel/login", "/mailbox"] {
            assert!(!is_spanish(&shown(&applicant, path, &[("cookie", SPANISH)]).await), "{path}");
        }
        let bad = entered.call("PATCH", "/api/users/profile").json(&json!({ "language": "xx" })).send().await;
        bad.assert_problem(422, "language.unknown");
    }

    async fn the_choice_is_posted_and_leads_back(database: Database) {
        let world = World::start(database.db()).await;
        let visitor = world.visitor();
        let choose = async |language: &str, back: &str| {
            visitor.post("/language").form(&[("language", language), ("back", back)]).send().await
        };
        for (back, to) in [
            ("/masters/apply?dialog=login", "/masters/apply?dialog=login"),
            ("/masters/apply?lang=en", "/masters/apply"),
            ("//elsewhere.example.org", "/"),
            ("https://elsewhere.example.org", "/"),
        ] {
            let answer = choose("es", back).await;
            answer.assert_redirect(303, to);
            assert_eq!(answer.set_cookie("language").as_deref(), Some("es"));
        }
        assert_eq!(choose("xx", "/").await.set_cookie("language").as_deref(), Some("en"));
        let page = shown(&visitor, "/bachelor/apply", &[("cookie", SPANISH)]).await;
        assert!(page.contains("Idioma") && page.contains("action=\"/language\""));
    }

    async fn landing_pages_are_kept_and_found_in_each_language(database: Database) {
        let world = World::start(database.db()).await;
        let visitor = world.visitor();
        let english = visitor.get("/bachelor/apply").send().await;
        let spanish = visitor.get("/bachelor/apply?lang=es").send().await;
        assert!(!is_spanish(&english.text) && is_spanish(&spanish.text));
        assert_ne!(english.header("etag"), spanish.header("etag"));
        assert_eq!(spanish.set_cookie("language").as_deref(), Some("es"), "the pages that follow are in it too");
        assert_eq!(english.set_cookie("language"), None);
        assert!(english.header("vary").contains("Accept-Language"));
        // A cached page in one language is not used for the other.
        let etag = english.header("etag").to_owned();
        let again = visitor.get("/bachelor/apply").header("if-none-match", &etag).send().await;
        let other = visitor.get("/bachelor/apply?lang=es").header("if-none-match", &etag).send().await;
        assert_eq!((again.status, other.status), (304, 200));
        let base = "http://apply.example.org/bachelor/apply";
        assert!(english.text.contains(&format!("rel=\"canonical\" href=\"{base}\"")));
        assert!(spanish.text.contains(&format!("rel=\"canonical\" href=\"{base}?lang=es\"")));
        for page in [&english.text, &spanish.text] {
            for (language, address) in [("en", base.to_owned()), ("es", format!("{base}?lang=es")), ("x-default", base.to_owned())] {
                let link = format!("<link rel=\"alternate\" hreflang=\"{language}\" href=\"{address}\">");
                assert!(page.contains(&link), "{language}");
            }
        }
        let sitemap = visitor.get("/sitemap.xml").send().await.text;
        assert!(sitemap.contains(&format!("<loc>{base}?lang=es</loc>")) && sitemap.contains("hreflang=\"es\""));
        // Only landing pages have an address for each language.
        assert!(!is_spanish(&visitor.get("/nowhere?lang=es").send().await.text));
        assert!(!is_spanish(&visitor.get("/bachelor/apply?lang=xx").send().await.text));
    }

    async fn who_registers_in_spanish_gets_spanish_mails(database: Database) {
        let world = World::start(database.db()).await;
        let mut applicant = world.visitor();
        let email = applicant.email.clone();
        let form = registration_form(&email, "bachelor");
        let answer = applicant.post("/auth/register").form(&form).header("cookie", SPANISH).send().await;
        applicant.cookie = answer.set_cookie("matricula_session");
        assert_eq!(mails_to(&world, &email).await, ["Confirme su correo"]);
        let mail = world.mails(1).await.remove(0);
        assert!(mail.text.starts_with("Estimado/a Demo:\n"), "{}", mail.text);
        assert!(mail.html.contains("<html lang=\"es\">") && mail.html.contains("Confirme su correo"));
        // The account's language applies when no other is chosen, and can be changed without JavaScript.
        assert!(is_spanish(&shown(&applicant, "/dashboard/messages", &[]).await));
        let fields = [("_action", "language"), ("language", "en")];
        let changed = applicant.post("/dashboard/account").form(&fields).with_cookie(&applicant).send().await;
        changed.assert_redirect(303, "/dashboard/account?done=language");
        assert_eq!(changed.set_cookie("language").as_deref(), Some("en"));
        assert!(!is_spanish(&shown(&applicant, "/dashboard/account", &[]).await));
        let wrong = [("_action", "language"), ("language", "xx")];
        let refused = applicant.post("/dashboard/account").form(&wrong).with_cookie(&applicant).send().await;
        let page = refused.assert_document(422, "account");
        assert_eq!(page["props"]["forms"]["language"]["errors"]["language"], "Choose a language from the list.");
        applicant.post("/auth/forgot-password").form(&[("email", email.as_str())]).send().await;
        assert_eq!(mails_to(&world, &email).await[0], "Reset your password");
    }

    async fn an_account_made_by_the_api_has_the_callers_language(database: Database) {
        let world = World::start(database.db()).await;
        let visitor = world.visitor();
        let mut body = registration(&visitor.email);
        body["applicationType"] = json!("ba");
        let call = visitor.post("/api/users/register").json(&body);
        let answer = call.header("accept-language", "es").send().await;
        assert_eq!(answer.json()["user"]["language"], "es");
        assert_eq!(mails_to(&world, &visitor.email).await, ["Confirme su correo"]);
    }

    async fn a_form_without_javascript_is_answered_in_its_language(database: Database) {
        let world = World::start(database.db()).await;
        let visitor = world.visitor();
        let fields = [("firstName", "Demo"), ("email", "nobody"), ("password", "short"), ("program", "bachelor")];
        let answer = visitor.post("/auth/register").form(&fields).header("cookie", SPANISH).send().await;
        let page = answer.assert_document(422, "apply");
        let errors = &page["props"]["dialog"]["errors"];
        assert_eq!(errors["lastName"], "Apellidos: este dato es obligatorio.");
        assert_eq!(errors["email"], "Escriba un correo electrónico con el formato nombre@example.com.");
        assert!(answer.text.contains("Las contraseñas no coinciden"));

        let applicant = registered(&world, "bachelor").await;
        let employment = [("employment.currentEmployer.hoursPerWeek", "200"), ("_action", "continue"), ("revision", "1")];
        let call = applicant.post("/bachelor/application/employment").form(&employment).with_cookie(&applicant);
        let answer = call.header("cookie", SPANISH).send().await;
        let page = answer.assert_document(422, "application");
        let error = &page["props"]["form"]["errors"]["employment.currentEmployer.hoursPerWeek"];
        assert_eq!(error, "Horas por semana: debe estar entre 0 y 168.");
        let dashboard = see(&applicant, "/dashboard").await;
        assert_eq!(dashboard.page()["props"]["timeline"][1]["label"], "Interview");
        let dashboard = shown(&applicant, "/dashboard", &[("cookie", SPANISH)]).await;
        assert!(dashboard.contains("Su próximo paso") && dashboard.contains("Entrevista"));
    }

    async fn the_api_speaks_english_unless_it_is_asked(database: Database) {
        let world = World::start(database.db()).await;
        let visitor = world.visitor();
        let body = json!({ "email": "nobody", "password": "x" });
        let told = async |language: Option<&str>| -> (Value, String) {
            let mut call = visitor.post("/api/users/login").json(&body).header("cookie", SPANISH);
            if let Some(language) = language {
                call = call.header("accept-language", language);
            }
            let answer = call.send().await;
            answer.assert_problem(422, "email.invalid");
            (answer.json(), answer.header("content-language").to_owned())
        };
        let english = "Enter an email address in the format name@example.com.";
        let spanish = "Escriba un correo electrónico con el formato nombre@example.com.";
        for (language, expected, code) in
            [(None, english, "en"), (Some("en-US"), english, "en"), (Some("fr"), english, "en"), (Some("es-US"), spanish, "es")]
        {
            let (body, told) = told(language).await;
            assert_eq!((&body["error"], &body["detail"]), (&json!(expected), &json!(expected)), "{language:?}");
            assert_eq!(body["fields"]["email"], expected);
            assert_eq!(told, code);
        }
    }
}
