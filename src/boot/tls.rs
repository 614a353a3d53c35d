//! Which services on other machines may be spoken to without TLS, as their addresses are configured.

use std::net::IpAddr;

use crate::config::Config;
use crate::{mail, store};

/// The variables that name a service on another machine, and do not require TLS on the way there.
pub(super) fn not_required_by(config: &Config) -> Vec<&'static str> {
    let database = config.database_url.as_ref().map(|url| store::hosts_without_tls(url.reveal())).unwrap_or_default();
    let mail = config.smtp_url.as_ref().and_then(|url| mail::host_without_tls(url.reveal()));
    let is_elsewhere = |host: &String| !is_this_machine(host);
    let mut found = Vec::new();
    if database.iter().any(is_elsewhere) {
        found.push("DATABASE_URL");
    }
    if mail.iter().any(is_elsewhere) {
        found.push("SMTP_URL");
    }
    found
}

fn is_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::config::Cli;

    #[test]
    fn services_elsewhere_are_told_of_without_tls() {
        for (flag, url, expected) in [
            ("--database-url", "postgres://u:p@db.example.org/m", true),
            ("--database-url", "postgres://u@db.example.org/m?sslmode=prefer", true),
            ("--database-url", "postgres://u@db.example.org/m?sslmode=verify-full", false),
            ("--database-url", "postgres://u@localhost,127.0.0.1:5433,[::1]:5434/m", false),
            ("--database-url", "postgres://u@localhost,db2.example.org:5433/m", true),
            ("--database-url", "postgres:///m?host=/run/postgresql", false),
            ("--database-url", "sqlite:/data/matricula.db", false),
            ("--smtp-url", "smtp://mail.example.org:587", true),
            ("--smtp-url", "smtp://mail.example.org:587?tls=opportunistic", true),
            ("--smtp-url", "smtp://mail.example.org:587?tls=required", false),
            ("--smtp-url", "smtps://u:p@mail.example.org", false),
            ("--smtp-url", "smtp://127.0.0.1:1025", false),
        ] {
            let config = Cli::try_parse_from(["matricula", flag, url]).unwrap().config;
            assert_eq!(!not_required_by(&config).is_empty(), expected, "{url}");
        }
    }
}
