//! Running wrangler, and making sure that it and its workerd end with the tests.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Runs what it is given in a process group of its own. A line of input kills the whole group at once. When the input
/// ends, as it does when the test process is done or dies, the group is asked to end, and soon killed.
const KEEPER: &str = r#"
set -m; "$@" </dev/null & child=$!; set +m
if ! read -r _; then
  kill -TERM -- "-$child"
  for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 -- "-$child" && sleep 0.3; done
fi
kill -9 -- "-$child"
"#;

/// A command that runs, with all its children, until this is dropped or the test process ends.
pub struct Kept(Child);

/// Dropping it is a power cut: nothing gets to clean up.
impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(mut input) = self.0.stdin.take() {
            let _ = input.write_all(b"kill\n");
        }
        let _ = self.0.wait();
    }
}

/// The directory of the package.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Applies the migrations to the database under `state`.
pub fn migrate(state: &Path, log: &Path) {
    let mut command = wrangler(&["d1", "migrations", "apply", "DB", "--local", "--persist-to"]);
    let out = File::create(log).expect("a log");
    let status = command
        .arg(state)
        .env("CI", "1")
        .stdin(Stdio::null())
        .stdout(out.try_clone().expect("a log"))
        .stderr(out)
        .status();
    let applied = status.is_ok_and(|status| status.success());
    assert!(applied, "the migrations were not applied; see {}", log.display());
}

/// Makes an account an operator, by the command that is there for it. The database is that under `state`.
#[allow(dead_code, reason = "the benches share this file, and have no operators")]
pub fn make_operator(state: &Path, name: &str) -> std::process::Output {
    let shell = wrangler(&[]);
    let mut command = Command::new(root().join("scripts/operator.sh"));
    command
        .arg(name)
        .envs(shell.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .env("STATE", state)
        .current_dir(root())
        .stdin(Stdio::null());
    command.output().expect("bash runs")
}

/// Starts a Worker on a port. What it prints is added to the log.
pub fn serve(config: &str, state: &Path, port: u16, vars: &[(&str, &str)], log: &Path) -> Kept {
    let worker = root().join("build/index.js");
    assert!(worker.is_file(), "there is no Worker to test; run:  make build");
    let mut dev = wrangler(&["dev", "--ip", "127.0.0.1", "--inspector-port", "0"]);
    dev.args([
        "--config",
        config,
        "--show-interactive-dev-session=false",
        "--port",
        &port.to_string(),
    ])
    .arg("--persist-to")
    .arg(state);
    for (name, value) in vars {
        dev.args(["--var", &format!("{name}:{value}")]);
    }
    let out = File::options()
        .create(true)
        .append(true)
        .open(log)
        .expect("a log");
    let mut kept = Command::new("bash");
    kept.args(["-c", KEEPER, "keeper"])
        .arg(dev.get_program())
        .args(dev.get_args())
        .envs(dev.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(out.try_clone().expect("a log"))
        .stderr(out);
    // Ctrl-C in a terminal goes to the whole group of the tests: the keeper must live on to clean up.
    std::os::unix::process::CommandExt::process_group(&mut kept, 0);
    Kept(kept.spawn().expect("bash runs"))
}

fn wrangler(args: &[&str]) -> Command {
    let program = match std::env::var_os("HOSHI_WRANGLER") {
        Some(program) => PathBuf::from(program),
        None => root().join("node_modules/.bin/wrangler"),
    };
    assert!(program.is_file(), "there is no wrangler; run:  make build");
    let tools = root().join("node_modules/.bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(tools).chain(std::env::split_paths(&path)));
    let mut command = Command::new(program);
    command
        .args(args)
        .current_dir(root())
        .env("PATH", path.expect("directories without colons"))
        .env("WRANGLER_SEND_METRICS", "false")
        .env("CLOUDFLARE_CF_FETCH_ENABLED", "false");
    command
}
