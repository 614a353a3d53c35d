//! What search engines read: only the landing pages.

use std::fmt::Write;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::{PagesState, document};
use domain::language::Language;
use domain::program::Program;

pub async fn robots(State(state): State<PagesState>) -> String {
    format!(
        "User-agent: *\nDisallow: /api/\nDisallow: /twentyEighty/\nDisallow: /admin-panel\nDisallow: /dashboard\n\
         Disallow: /reset-password\nDisallow: /login/\n\nSitemap: {}/sitemap.xml\n",
        state.app.settings.public_url
    )
}

pub async fn sitemap(State(state): State<PagesState>) -> Response {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n",
    );
    for program in Program::ALL {
        let canonical = format!("{}/{}/apply", state.app.settings.public_url, program.path());
        let addresses: Vec<_> = document::alternates(&canonical).collect();
        for language in Language::ALL {
            let _ = write!(xml, "<url><loc>{}</loc>", document::address_in(language, &canonical));
            for (language, address) in &addresses {
                let _ = write!(xml, "<xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"{address}\"/>");
            }
            xml.push_str("</url>\n");
        }
    }
    xml.push_str("</urlset>\n");
    ([(header::CONTENT_TYPE, "application/xml; charset=utf-8")], xml).into_response()
}
