//! The command line.

use std::io::{self, IsTerminal, Read, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;

use matricula::boot::{self, BootError};
use matricula::config::{self, AdminCommand, ApplicantCommand, Cli, Command};
use matricula::{http, render};

/// Pages are built from many strings on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = config::read();
    let command = cli.command.as_ref().unwrap_or(&Command::Serve);
    if matches!(command, Command::Serve | Command::Doctor { .. }) {
        // The engine must be initialised by the first thread, before there are others.
        render::init_engine();
    }
    let workers = cli.config.workers.map_or_else(config::usual_workers, NonZeroUsize::get);
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&format!("no threads could be started: {error}")),
    };
    match runtime.block_on(run(&cli, command)) {
        Ok(code) => code,
        Err(error) => failed(&boot::explain(&error)),
    }
}

async fn run(cli: &Cli, command: &Command) -> Result<ExitCode, BootError> {
    let config = &cli.config;
    match command {
        Command::Serve => boot::serve(config).await?,
        Command::Migrate => {
            boot::open_store(config).await?;
            say("The database is up to date.");
        }
        Command::Seed { demo, season } => {
            let app = boot::open_app(config).await?;
            match app.seed_questions().await? {
                0 => say("Every program has its questions."),
                begun => say(&format!("{begun} programs ask their first questions.")),
            }
            if *demo {
                say(&app.seed_demo().await?);
            }
            if let Some(count) = *season {
                let through = |done: u32| {
                    if done.is_multiple_of(50) && io::stderr().is_terminal() {
                        let _ = write!(io::stderr(), "\r{done} of {count}");
                    }
                };
                say(&app.seed_season(count, through).await?);
            }
        }
        Command::Openapi => say(http::openapi_json().trim_end()),
        Command::Doctor { anchor } => {
            let (report, healthy) = boot::doctor(config, anchor.as_deref()).await;
            say(report.trim_end());
            return Ok(if healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        Command::Backup { to } => return Ok(done(boot::backup(config, to).await?)),
        Command::Restore { from, take_over } => return Ok(done(boot::restore(config, from, *take_over).await?)),
        Command::Verify { from } => return Ok(done(boot::verify(from).await?)),
        Command::Copy { to } => say(&boot::copy(config, to).await?),
        Command::Storage { command } => say(&boot::storage(config, command).await?),
        Command::Admin { command: AdminCommand::Create { email, role } } => {
            let password = read_password()?;
            let app = boot::open_app(config).await?;
            let staff = app.create_staff(email, &password, *role).await?;
            say(&format!("{} can log in at {}/admin-panel/login.", staff.email, config.public_url()));
        }
        Command::Admin { command: AdminCommand::AcceptSecret } => say(if boot::accept_secret(config).await? {
            "The database is used with the present secret from now on."
        } else {
            "The database is used with this secret already."
        }),
        Command::Admin { command: AdminCommand::ResetSecondFactor { email } } => {
            let app = boot::open_app(config).await?;
            if !app.drop_second_factor_of(email).await? {
                return Ok(failed("There is no staff account with this email that has a second factor."));
            }
            say("The second factor is removed. The password alone logs in now.");
        }
        Command::Decide { command } => say(&boot::decide(config, command).await?),
        Command::Applicant { command } => {
            let (email, disabled) = match command {
                ApplicantCommand::Disable { email } => (email, true),
                ApplicantCommand::Enable { email } => (email, false),
            };
            let app = boot::open_app(config).await?;
            if !app.set_applicant_disabled(email, disabled).await? {
                return Ok(failed("There is no applicant with this email."));
            }
            say(if disabled { "The account is locked." } else { "The account is open again." });
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints what was done. Exit code 3: it was done, but something is lacking.
fn done((text, whole): (String, bool)) -> ExitCode {
    say(&text);
    if whole { ExitCode::SUCCESS } else { ExitCode::from(3) }
}

fn say(text: &str) {
    // If nobody listens any more, there is nothing left to do.
    let _ = writeln!(io::stdout(), "{text}");
}

fn failed(message: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "{message}");
    ExitCode::FAILURE
}

/// Reads the first line of standard input.
fn read_password() -> Result<String, BootError> {
    if io::stdin().is_terminal() {
        let _ = write!(io::stderr(), "Password (it is shown as you type): ");
        let mut line = String::new();
        io::stdin().read_line(&mut line).map_err(BootError::Input)?;
        return Ok(line.trim_end_matches(['\r', '\n']).to_owned());
    }
    let mut all = String::new();
    io::stdin().take(10_000).read_to_string(&mut all).map_err(BootError::Input)?;
    Ok(all.lines().next().unwrap_or_default().to_owned())
}
