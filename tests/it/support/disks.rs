//! Small disks for single stories, on machines that let us mount them.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tempfile::TempDir;

/// Unmounted on drop, and when the test process ends, however it ends.
pub struct Disk {
    folder: TempDir,
    child: Child,
    /// Open until dropped.
    told: Option<ChildStdin>,
    said: BufReader<ChildStdout>,
}

/// Its commands: freeze, thaw.
const SUPERVISOR: &str = r#"
trap '' INT TERM HUP
case $1 in
ram) mount -t tmpfs -o "size=$2" tmpfs "$3/disk" ;;
file) truncate -s "$2" "$3/image" && mkfs.ext4 -q "$3/image" && mount -o loop "$3/image" "$3/disk" ;;
esac 2>&1 || exit 1
echo ready
while read -r word; do
    case $word in
    freeze) fsfreeze -f "$3/disk" 2>&1 ;;
    thaw) fsfreeze -u "$3/disk" 2>&1 ;;
    esac
    echo "$word"
done
fsfreeze -u "$3/disk" 2>/dev/null
exec >/dev/null 2>&1
umount "$3/disk" || umount -l "$3/disk"
"#;

impl Disk {
    /// In memory, with room for `size`, in the format of `mount`.
    pub fn in_memory(size: &str) -> Result<Disk, String> {
        Disk::mount("ram", size)
    }

    /// One that can be frozen.
    pub fn in_a_file(size: &str) -> Result<Disk, String> {
        let mut disk = Disk::mount("file", size)?;
        disk.tell("freeze")?;
        disk.tell("thaw")?;
        Ok(disk)
    }

    fn mount(kind: &str, size: &str) -> Result<Disk, String> {
        let folder = TempDir::new().unwrap();
        std::fs::create_dir(folder.path().join("disk")).unwrap();
        let mut child = Command::new("sh")
            .args(["-c", SUPERVISOR, "sh", kind, size])
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (told, said) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut disk = Disk { folder, child, told, said };
        disk.hear("ready").map_err(|said| format!("no disk can be mounted: {said}"))?;
        Ok(disk)
    }

    pub fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("disk")
    }

    /// Blocks all writes, and the processes that try, until the value is dropped. Drop it before waiting for such a
    /// process.
    pub fn freeze(&mut self) -> Frozen<'_> {
        self.tell("freeze").unwrap();
        Frozen(self)
    }

    fn tell(&mut self, word: &str) -> Result<(), String> {
        writeln!(self.told.as_mut().unwrap(), "{word}").unwrap();
        self.hear(word)
    }

    fn hear(&mut self, word: &str) -> Result<(), String> {
        let mut line = String::new();
        tokio::task::block_in_place(|| self.said.read_line(&mut line)).unwrap();
        if line.trim_end() == word { Ok(()) } else { Err(line.trim_end().to_owned()) }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        self.told = None;
        let _ = self.child.wait();
    }
}

pub struct Frozen<'d>(&'d mut Disk);

impl Drop for Frozen<'_> {
    fn drop(&mut self) {
        let _ = self.0.tell("thaw");
    }
}

/// Leaves at most `free` bytes of a disk, by means of a file that can be removed.
pub fn fill(ballast: &Path, free: u64) {
    let mut file = std::fs::File::create(ballast).unwrap();
    let piece = vec![0xa5; 4096];
    let mut size = 0;
    while let Ok(written @ 1..) = file.write(&piece) {
        size += written as u64;
    }
    file.set_len(size.saturating_sub(free)).unwrap();
}
