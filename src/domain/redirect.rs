//! Where somebody may be sent after logging in: to one of our pages and nowhere else.

use super::guard::Route;
use super::program::Program;

/// Returns the path to redirect to for the requested `target`. A target that starts with `/application` means the
/// current program's form; anything that is not one of our pages returns `None`.
pub fn target(target: &str, program: Program) -> Option<String> {
    let own_path = target.starts_with('/')
        && !target.starts_with("//")
        && target.len() <= 500
        && !target.contains(|c: char| c.is_control() || c == '\\' || c == '@');
    if !own_path {
        return None;
    }
    let mapped = match target.strip_prefix("/application") {
        Some(rest) if rest.is_empty() || rest.starts_with(['/', '?']) => {
            format!("/{}/application{rest}", program.path())
        }
        _ => target.to_owned(),
    };
    let path = mapped.split(['?', '#']).next().unwrap_or_default();
    match Route::parse(path) {
        Route::Unknown | Route::Mailbox | Route::LoginCode | Route::SignOn | Route::SignedOn => None,
        _ => Some(mapped),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_ours_and_application_is_mapped() {
        for (wanted, got) in [
            ("/application", Some("/masters/application")),
            ("/application?x=1", Some("/masters/application?x=1")),
            ("/application/fee?checkout=1", Some("/masters/application/fee?checkout=1")),
            ("/applications", None),
            ("/dashboard", Some("/dashboard")),
            ("/dashboard/account", Some("/dashboard/account")),
            ("/bachelor/application", Some("/bachelor/application")),
            ("//evil.example", None),
            ("/\\evil.example", None),
            ("https://evil.example/dashboard", None),
            ("/dashboard\r\nLocation: //evil.example", None),
            ("javascript:alert(1)", None),
            ("/nowhere", None),
            ("/admin-panel", None),
            ("", None),
        ] {
            assert_eq!(target(wanted, Program::Masters).as_deref(), got, "{wanted:?}");
        }
    }
}
