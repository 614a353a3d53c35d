//! Two PostgreSQL servers, one following the other.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use super::databases::{as_postgres, programs};
use super::ports::free_port;

/// A primary and a synchronous standby. Commits are on both before they are acknowledged.
///
/// Stopped and removed when the test process ends, however it ends.
pub struct Pair {
    pub first: u16,
    pub second: u16,
    child: Child,
    /// Open until dropped.
    told: Option<ChildStdin>,
    said: BufReader<ChildStdout>,
}

/// Its commands: kill (the first, without warning), promote (the second), back (the first, as if nothing had happened).
const SUPERVISOR: &str = r#"
trap '' INT TERM HUP
bin=$1 first=$2 second=$3
folder=$(mktemp -d) || exit 1
cd "$folder" || exit 1
start() { "$bin/pg_ctl" -D "$1" -l "$1.log" -w -o "-p $2 -k $folder -c listen_addresses=127.0.0.1 -c fsync=off $3" start; }
{
    "$bin/initdb" -D one -U postgres -A trust -E UTF8 --locale=C --no-sync &&
    start one "$first" "-c synchronous_standby_names=*" &&
    "$bin/pg_basebackup" -h 127.0.0.1 -p "$first" -U postgres -D two -R -X stream -c fast --no-sync &&
    start two "$second"
} >start.log 2>&1 && echo ready || tail -n 5 start.log ./*.log
while read -r word; do
    case $word in
    kill) kill -9 "$(head -n 1 one/postmaster.pid)" ;;
    promote) "$bin/pg_ctl" -D two -w promote >promote.log 2>&1 ;;
    back) start one "$first" >back.log 2>&1 ;;
    esac
    echo "$word"
done
for server in one two; do "$bin/pg_ctl" -D $server -m immediate stop >stop.log 2>&1; done
rm -rf "$folder"
"#;

impl Pair {
    /// `None` if PostgreSQL's programs are not installed, or if `DATABASE_URL` names a server.
    pub fn start() -> Option<Pair> {
        let programs = programs()?;
        let (first, second) = (free_port(), free_port());
        let mut child = as_postgres("sh")
            .args(["-c", SUPERVISOR, "sh"])
            .arg(programs)
            .args([first.to_string(), second.to_string()])
            .env_remove("TMPDIR")
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (told, said) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut pair = Pair { first, second, child, told, said };
        let mut line = String::new();
        tokio::task::block_in_place(|| pair.said.read_line(&mut line)).unwrap();
        assert_eq!(line, "ready\n", "two servers were started");
        Some(pair)
    }

    pub fn url(&self, port: u16) -> String {
        format!("postgres://postgres@127.0.0.1:{port}/postgres")
    }

    /// Sends a command and waits until it is done.
    pub fn tell(&mut self, word: &str) {
        writeln!(self.told.as_mut().unwrap(), "{word}").unwrap();
        let mut line = String::new();
        tokio::task::block_in_place(|| self.said.read_line(&mut line)).unwrap();
        assert_eq!(line.trim_end(), word);
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        self.told = None;
        let _ = self.child.wait();
    }
}
