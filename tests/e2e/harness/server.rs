//! The servers: one that all stories share, and one for the stories that break it.

use super::wrangler::{self, Kept};
use super::{Client, PATIENCE};
use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The key that signs the tokens of the servers under test, so that tests can make tokens too.
pub const SECRET: &str = "the end-to-end tests sign with this key";

/// A site that the servers under test let in (X4).
pub const FRIEND: &str = "https://friend.example";

/// Hoshi's own configuration.
const HOSHI: &str = "wrangler.toml";

/// The variables that limit how often something may be done (S5).
const LIMITS: [&str; 9] = [
    "LIMIT_GUESTS",
    "LIMIT_ACCOUNTS",
    "LIMIT_SIGN_INS_FROM",
    "LIMIT_SIGN_INS_TO",
    "LIMIT_TABLES",
    "LIMIT_CHALLENGES",
    "LIMIT_SEEKS",
    "LIMIT_CHAT",
    "LIMIT_REPORTS",
];

/// What they are where nobody tests them.
const HIGH: &str = "100000/1m";

/// How often a starting server is asked whether it is ready.
const POLL: Duration = Duration::from_millis(50);

/// A running Hoshi: the Worker on workerd, with a database and objects of its own.
pub struct Server {
    config: &'static str,
    log_level: &'static str,
    limits: &'static str,
    /// Those that are otherwise, by name.
    limited: &'static [(&'static str, &'static str)],
    port: u16,
    state: PathBuf,
    log: PathBuf,
    running: Option<Kept>,
}

/// The server that all stories share. It is never restarted, and nobody makes faults in it.
pub fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::start("shared", HOSHI, "info"))
}

/// The server of the stories that kill it or make it fail: one story at a time has it.
pub fn breakable() -> MutexGuard<'static, Server> {
    static SERVER: OnceLock<Mutex<Server>> = OnceLock::new();
    let server = SERVER.get_or_init(|| Mutex::new(Server::start("breakable", HOSHI, "info")));
    // A story that failed leaves a server that still serves.
    let mut server = server.lock().unwrap_or_else(PoisonError::into_inner);
    if server.running.is_none() {
        server.run();
    }
    server
}

impl Server {
    /// Any Worker, to be measured: it logs nothing but errors. It has to answer `/healthz`.
    #[allow(dead_code, reason = "the benches share this file, and only they measure")]
    pub fn measured(name: &str, config: &'static str) -> Server {
        Server::start(name, config, "error")
    }

    /// Hoshi for one story alone, which breaks it while others go on with theirs. Its log has errors only: the local
    /// wrangler takes long over each line.
    #[allow(dead_code, reason = "the benches share this file, and break nothing")]
    pub fn alone(name: &str) -> Server {
        Server::start(name, HOSHI, "error")
    }

    /// The same, where everything may be done this often only.
    #[allow(
        dead_code,
        reason = "the benches share this file, and are not to be slowed down"
    )]
    pub fn limited(name: &str, limits: &'static str) -> Server {
        Server::with_limits(name, (HOSHI, "error"), limits, &[])
    }

    /// The same, where these things may be done so often only, each by its variable, and all else as often as anybody likes.
    #[allow(
        dead_code,
        reason = "the benches share this file, and are not to be slowed down"
    )]
    pub fn limited_in(name: &str, limited: &'static [(&'static str, &'static str)]) -> Server {
        Server::with_limits(name, (HOSHI, "error"), HIGH, limited)
    }

    fn start(name: &str, config: &'static str, log_level: &'static str) -> Server {
        Server::with_limits(name, (config, log_level), HIGH, &[])
    }

    fn with_limits(
        name: &str,
        (config, log_level): (&'static str, &'static str),
        limits: &'static str,
        limited: &'static [(&'static str, &'static str)],
    ) -> Server {
        let state = scratch().join(name);
        copy(migrated(), &state).expect("the migrated database is copied");
        let log = logs().join(format!("e2e-{name}.log"));
        fs::write(&log, "").expect("a log");
        let mut server = Server {
            config,
            log_level,
            limits,
            limited,
            port: free_port(),
            state,
            log,
            running: None,
        };
        server.run();
        server
    }

    /// Ends the server as a power cut would: wrangler and workerd, with whatever they are doing.
    pub fn kill(&mut self) {
        self.running = None;
    }

    /// Kills the server and starts it again, on the same address with what it had stored.
    pub fn restart(&mut self) {
        self.kill();
        self.run();
    }

    /// Where it keeps the database and the tables' own storage.
    pub fn state(&self) -> &Path {
        &self.state
    }

    /// Pulls the scheduled trigger.
    pub fn tick(&self) {
        let path = "/cdn-cgi/handler/scheduled?cron=*+*+*+*+*";
        Client::new(self).get(path).ok(200);
    }

    /// Pulls the scheduled trigger as if it were that many milliseconds later. It is later for everybody then: sessions end, too.
    #[allow(dead_code, reason = "the benches share this file, and do not wait")]
    pub fn tick_after(&self, millis: i64) {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let time = now.expect("a clock").as_millis() as i64 + millis;
        let path = format!("/cdn-cgi/handler/scheduled?cron=*+*+*+*+*&time={time}");
        Client::new(self).get(&path).ok(200);
    }

    /// Makes an account an operator, from the command line.
    #[allow(dead_code, reason = "the benches share this file, and have no operators")]
    pub fn make_operator(&self, name: &str) {
        // The database's file is written by the server as well; now and then the command finds it locked.
        let mut output = wrangler::make_operator(&self.state, name);
        for _ in 0..10 {
            if !String::from_utf8_lossy(&output.stderr).contains("SQLITE_BUSY") {
                break;
            }
            output = wrangler::make_operator(&self.state, name);
        }
        assert!(output.status.success(), "{output:?}");
    }

    /// The address, `http://…`.
    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Starts the server and waits until it answers.
    fn run(&mut self) {
        let vars = [
            ("FAULTS", "on"),
            ("OBJECT_TIMEOUT_MS", "5000"),
            ("SIGNING_SECRET", SECRET),
            ("ALLOWED_ORIGINS", FRIEND),
            ("PUBLIC_URL", ""),
            ("LOG_LEVEL", self.log_level),
        ];
        for (name, _) in self.limited {
            assert!(LIMITS.contains(name), "{name} limits nothing");
        }
        let otherwise = |name: &str| self.limited.iter().find(|(each, _)| *each == name);
        let limits = LIMITS.map(|name| (name, otherwise(name).map_or(self.limits, |(_, limit)| *limit)));
        let vars: Vec<(&str, &str)> = vars.into_iter().chain(limits).collect();
        self.running = Some(wrangler::serve(
            self.config,
            &self.state,
            self.port,
            &vars,
            &self.log,
        ));
        show_on_failure(&self.log);
        let deadline = Instant::now() + 2 * PATIENCE;
        let client = Client::new(self);
        while !client.answers() {
            assert!(
                Instant::now() < deadline,
                "the Worker did not start; see {}",
                self.log.display()
            );
            std::thread::sleep(POLL);
        }
    }
}

/// An address that nobody uses.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// The state of a server that was never used: the migrations, applied once for all servers.
fn migrated() -> &'static Path {
    static MIGRATED: OnceLock<PathBuf> = OnceLock::new();
    MIGRATED.get_or_init(|| {
        let state = scratch().join("migrated");
        wrangler::migrate(&state, &logs().join("e2e-migrations.log"));
        state
    })
}

/// Where the servers keep their state: emptied at the beginning of a run, left for inspection at its end.
fn scratch() -> &'static Path {
    static SCRATCH: OnceLock<PathBuf> = OnceLock::new();
    SCRATCH.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("e2e");
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory for the servers' state");
        path
    })
}

fn logs() -> PathBuf {
    let path = wrangler::root().join("target/logs");
    fs::create_dir_all(&path).expect("a directory for the logs");
    path
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The logs of the servers that run, whose ends are shown when a test fails.
static SHOWN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Makes a failing test show the end of a server's log.
fn show_on_failure(log: &Path) {
    static HOOK: Once = Once::new();
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if !shown.iter().any(|each| each == log) {
        shown.push(log.to_owned());
    }
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            before(info);
            for log in SHOWN.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                eprintln!(
                    "--- the end of {}\n{}",
                    log.display(),
                    end_of(log).unwrap_or_default()
                );
            }
        }));
    });
}

/// The last lines of a log that tell of something else than what is usual.
fn end_of(log: &Path) -> io::Result<String> {
    const BYTES: u64 = 16 * 1024;
    const LINES: usize = 15;
    let mut file = fs::File::open(log)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(BYTES)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let quiet = |line: &&str| !line.contains(r#""level":"info""#) && !line.starts_with("[wrangler:info]");
    let lines: Vec<&str> = text.lines().filter(quiet).collect();
    Ok(lines[lines.len().saturating_sub(LINES)..].join("\n"))
}
