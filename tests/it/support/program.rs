//! The program in its own process.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_matricula");

/// The program, which is killed and restarted under the same address.
pub struct Program {
    pub folder: TempDir,
    pub database: String,
    pub port: u16,
    /// More environment variables.
    pub more: Vec<(&'static str, String)>,
}

/// A process that is killed on drop, on failure too: one that is left would keep the pipe of the tests' output open.
pub struct Running(pub Child);

impl Running {
    /// SIGKILL: nothing is finished, flushed or reported.
    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Program {
    /// Configures `command`, which is or becomes the program.
    fn told(&self, mut command: Command) -> Command {
        let data: &Path = self.folder.path();
        command
            .env_clear()
            .current_dir(data)
            .env("MATRICULA_DATA_DIR", data.join("data"))
            .env("MATRICULA_BIND", format!("127.0.0.1:{}", self.port))
            .env("MATRICULA_REGISTRATIONS_PER_HOUR", "100")
            .env("MATRICULA_ISOLATES", "1")
            .env("MATRICULA_LOG", "error")
            .env("DATABASE_URL", &self.database)
            .envs(self.more.iter().cloned());
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, words: &[&str]) -> Output {
        self.told(Command::new(PROGRAM)).args(words).output().expect("it was built")
    }

    /// Starts serving; returns once it says so.
    pub fn start(&self) -> Child {
        serving(self.told(Command::new(PROGRAM)))
    }

    /// The same, with its log in a file in its folder.
    pub fn start_logging(&self) -> Child {
        let mut command = self.told(Command::new(PROGRAM));
        command.stderr(File::create(self.log()).unwrap());
        serving(command)
    }

    pub fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// The same, ignoring the signal for exceeding a file size limit: the write fails instead.
    pub fn start_with_files_limited(&self) -> Child {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", "trap '' XFSZ; exec \"$0\"", PROGRAM]);
        serving(self.told(shell))
    }

    /// Starts once `prepare` has used the process id.
    pub async fn start_after(&self, prepare: impl AsyncFnOnce(u32)) -> Child {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", "read _ && exec \"$0\"", PROGRAM]);
        let mut command = self.told(shell);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("there is a shell");
        prepare(child.id()).await;
        child.stdin.take().unwrap().write_all(b"\n").unwrap();
        child
    }
}

fn serving(mut command: Command) -> Child {
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it was built");
    let mut line = String::new();
    let mut words = BufReader::new(child.stdout.take().unwrap());
    // It may depend on a task of this thread.
    tokio::task::block_in_place(|| words.read_line(&mut line)).unwrap();
    if !line.starts_with("Matricula is at") {
        let _ = child.kill();
        let _ = child.wait();
        panic!("it does not start: {line}");
    }
    child
}
