//! What search engines read: the landing pages, and open days to come.

use std::fmt::Write;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::{PagesState, document, open_days};
use domain::language::Language;
use domain::program::Program;

pub async fn robots(State(state): State<PagesState>) -> String {
    format!(
        "User-agent: *\nDisallow: /api/\nDisallow: /twentyEighty/\nDisallow: /admin-panel\nDisallow: /dashboard\n\
         Disallow: /reset-password\nDisallow: /login/\nDisallow: /inquiries/\nDisallow: /unsubscribe\n\
         Disallow: /open-days/booking\nDisallow: /reference\n\nSitemap: {}/sitemap.xml\n",
        state.app.settings.public_url
    )
}

pub async fn sitemap(State(state): State<PagesState>) -> Response {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n",
    );
    let mut pages: Vec<String> = Program::ALL.iter().map(|program| format!("/{}/apply", program.path())).collect();
    for program in Program::ALL {
        let days = state.app.upcoming_open_days(program, usize::MAX).await;
        for page in days.iter().map(|day| open_days::href(&day.id)) {
            // An open day may be of both programs.
            if !pages.contains(&page) {
                pages.push(page);
            }
        }
    }
    for page in pages {
        let canonical = format!("{}{page}", state.app.settings.public_url);
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
