//! Which services on other machines may be reached without TLS, as their addresses are configured.

use std::net::IpAddr;

use crate::config::Config;

/// Returns the variables that name a service on another machine without requiring TLS.
pub(super) fn not_required_by(config: &Config) -> Vec<&'static str> {
    let database = config.database_url.as_ref().is_some_and(|url| is_open_database(url.reveal()));
    let mail = config.smtp_url.as_ref().is_some_and(|url| is_open_mail_server(url.reveal()));
    let found = [("DATABASE_URL", database), ("SMTP_URL", mail)];
    found.into_iter().filter(|(_, is_open)| *is_open).map(|(variable, _)| variable).collect()
}

fn is_open_database(url: &str) -> bool {
    store::hosts_without_tls(url).iter().any(|host| !is_this_machine(host))
}

fn is_open_mail_server(url: &str) -> bool {
    mail::host_without_tls(url).is_some_and(|host| !is_this_machine(&host))
}

fn is_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_elsewhere_are_told_of_without_tls() {
        for (url, expected) in [
            ("postgres://u:p@db.example.org/m", true),
            ("postgres://u@db.example.org/m?sslmode=prefer", true),
            ("postgres://u@db.example.org/m?sslmode=verify-full", false),
            ("postgres://u@localhost,127.0.0.1:5433,[::1]:5434/m", false),
            ("postgres://u@localhost,db2.example.org:5433/m", true),
            ("postgres:///m?host=/run/postgresql", false),
            ("sqlite:/data/matricula.db", false),
        ] {
            assert_eq!(is_open_database(url), expected, "{url}");
        }
    }

    #[test]
    fn mail_servers_elsewhere_are_told_of_without_tls() {
        for (url, expected) in [
            ("smtp://mail.example.org:587", true),
            ("smtp://mail.example.org:587?tls=opportunistic", true),
            ("smtp://mail.example.org:587?tls=required", false),
            ("smtps://u:p@mail.example.org", false),
            ("smtp://127.0.0.1:1025", false),
        ] {
            assert_eq!(is_open_mail_server(url), expected, "{url}");
        }
    }
}
