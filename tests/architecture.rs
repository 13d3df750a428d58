//! The shape of the code: which module may know which, where the platform and SQL may appear, how long a file may be.
//!
//! It reads the sources as text. Comments and test code are left out: a test may know more than what it tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The modules, from the ground up. Each may import only those before it; `lib.rs` stands above all.
const FLOORS: [&str; 18] = [
    "rules", "clock", "ruleset", "wire", "record", "playout", "assess", "game", "players", "lobby", "bot",
    "gtp", // pure
    "log", "http", "random", "store", // the edges
    "objects", "api",
];

/// The modules that know no platform, read no clock, draw no random number and wait for nothing.
const PURE: &[&str] = &[
    "rules", "clock", "ruleset", "wire", "record", "playout", "assess", "game", "players", "lobby", "bot",
    "gtp",
];

/// What belongs to the platform, or changes from one run to the next.
const IMPURE: [&str; 10] = [
    "worker::",
    "js_sys",
    "wasm_bindgen",
    "getrandom",
    "SystemTime",
    "Instant::now",
    "thread_rng",
    "std::env",
    "async ",
    ".await",
];

/// How SQL statements begin.
const STATEMENTS: [&str; 8] = [
    "select ",
    "insert into ",
    "insert or ",
    "update ",
    "delete from ",
    "create table ",
    "alter table ",
    "drop table ",
];

/// The names of the rulesets, which only their values may know.
const RULESET_NAMES: [&str; 4] = ["\"baduk\"", "\"hex\"", "\"aga\"", "\"nine\""];

/// Where the names may stand: their values, and the names of boards, of which some begin as a ruleset's does.
const MAY_NAME: [&str; 2] = ["src/ruleset/values.rs", "src/rules/geometry.rs"];

/// How many lines of code a file may have without a reason.
const LONGEST: usize = 500;

/// The files that are longer, each with its reason.
const LONGER: &[(&str, &str)] = &[];

/// A source file, without comments and test code.
struct Source {
    /// From the package on: `src/rules/mod.rs`.
    path: String,
    /// The lines of code, with their numbers.
    lines: Vec<(usize, String)>,
}

impl Source {
    fn read(root: &Path, path: &Path) -> Source {
        let text =
            std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let relative = path.strip_prefix(root).expect("a file of the package");
        Source::new(&relative.to_string_lossy().replace('\\', "/"), &text)
    }

    fn new(path: &str, text: &str) -> Source {
        // An inline test module is the last thing in its file.
        let tests = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
        let code = text[..tests].lines().map(without_comment).zip(1..);
        let lines = code
            .filter(|(line, _)| !line.trim().is_empty())
            .map(|(line, number)| (number, line.to_owned()));
        Source {
            path: path.to_owned(),
            lines: lines.collect(),
        }
    }

    /// The module at the top to which the file belongs.
    fn module(&self) -> &str {
        let inside = self.path.strip_prefix("src/").unwrap_or(&self.path);
        inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs")
    }

    /// The lines that are as given, each with its place.
    fn places(&self, offends: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
        let offending = self.lines.iter().filter(move |(_, line)| offends(line));
        offending.map(|(number, line)| format!("{}:{number}: {}", self.path, line.trim()))
    }

    /// Where it imports a module that it may not.
    fn imports_upwards(&self) -> Vec<String> {
        let floor = |name: &str| FLOORS.iter().position(|each| *each == name);
        let Some(own) = floor(self.module()) else {
            return Vec::new();
        };
        let upwards = |line: &str| {
            let mut imported = line.split("crate::").skip(1).map(first_word);
            imported.any(|name| floor(name).is_some_and(|other| other > own))
        };
        self.places(upwards).collect()
    }

    /// Whether it may hold SQL.
    fn stores(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        self.module() == "store"
            || self.module() == "objects" && (name == "store.rs" || name.ends_with("_store.rs"))
    }
}

/// A line without the comment at its end. An address in a text is taken for one, which hides nothing of what is
/// looked for here.
fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

fn is_impure(line: &str) -> bool {
    IMPURE.iter().any(|each| line.contains(each))
}

fn first_word(text: &str) -> &str {
    text.split(|character: char| !character.is_alphanumeric() && character != '_')
        .next()
        .unwrap_or_default()
}

fn starts_sql(line: &str) -> bool {
    let line = line.to_lowercase();
    // At the beginning of a text, or of a line of a longer one.
    STATEMENTS
        .iter()
        .any(|each| line.trim_start().starts_with(each) || line.contains(&format!("\"{each}")))
}

/// Every source file but those that exist for tests only.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    collect(&root.join("src"), &mut files);
    let tests: BTreeSet<PathBuf> = files.iter().flat_map(|file| test_files(file)).collect();
    files.retain(|file| !tests.iter().any(|test| file.starts_with(test)));
    files.sort();
    files.iter().map(|file| Source::read(root, file)).collect()
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(directory).expect("a directory of sources");
    for entry in entries.map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            collect(&entry, files);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            files.push(entry);
        }
    }
}

/// The files and directories of the modules that a file declares for tests only.
fn test_files(file: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let directory = match file.file_stem().and_then(|stem| stem.to_str()) {
        Some("mod" | "lib") => file.with_file_name(""),
        _ => file.with_extension(""),
    };
    let declared = text.split("#[cfg(test)]\n").skip(1).filter_map(|rest| {
        let name = rest.lines().next()?.strip_suffix(';')?.rsplit_once("mod ")?.1;
        Some([directory.join(format!("{name}.rs")), directory.join(name)])
    });
    declared.flatten().collect()
}

/// Fails with a line for each offence.
#[track_caller]
fn none(offences: impl IntoIterator<Item = String>) {
    let offences: Vec<String> = offences.into_iter().collect();
    assert!(offences.is_empty(), "\n{}\n", offences.join("\n"));
}

#[test]
fn every_module_has_a_floor() {
    let sources = sources();
    assert!(sources.len() > 40, "only {} files were found", sources.len());
    let modules: BTreeSet<&str> = sources
        .iter()
        .map(Source::module)
        .filter(|&module| module != "lib")
        .collect();
    assert_eq!(modules, BTreeSet::from(FLOORS));
}

#[test]
fn imports_only_point_down() {
    none(sources().iter().flat_map(Source::imports_upwards));
}

#[test]
fn the_pure_modules_know_no_platform_no_time_and_no_chance_and_wait_for_nothing() {
    let pure = sources()
        .into_iter()
        .filter(|source| PURE.contains(&source.module()));
    none(pure.flat_map(|source| source.places(is_impure).collect::<Vec<_>>()));
}

#[test]
fn sql_is_only_in_the_stores() {
    let others = sources().into_iter().filter(|source| !source.stores());
    none(others.flat_map(|source| source.places(starts_sql).collect::<Vec<_>>()));
}

#[test]
fn no_code_asks_for_the_name_of_a_ruleset() {
    let names = |line: &str| RULESET_NAMES.iter().any(|name| line.contains(name));
    let others = sources()
        .into_iter()
        .filter(|source| !MAY_NAME.contains(&source.path.as_str()));
    none(others.flat_map(|source| source.places(names).collect::<Vec<_>>()));
}

#[test]
fn no_file_is_long_without_a_reason() {
    let excused = |path: &str| LONGER.iter().any(|(file, _)| *file == path);
    let sources = sources();
    none(
        sources
            .iter()
            .filter(|source| source.lines.len() > LONGEST && !excused(&source.path))
            .map(|source| format!("{}: {} lines", source.path, source.lines.len())),
    );
    // An excuse that is not needed any more goes.
    none(
        LONGER
            .iter()
            .filter(|(file, _)| {
                !sources
                    .iter()
                    .any(|source| source.path == *file && source.lines.len() > LONGEST)
            })
            .map(|(file, _)| format!("{file} is not longer than {LONGEST} lines")),
    );
}

#[test]
fn offences_would_be_found() {
    let upwards = Source::new(
        "src/game/x.rs",
        "use crate::rules::Color;\nuse crate::http::Problem;\n// crate::api\n",
    );
    assert_eq!(
        upwards.imports_upwards(),
        ["src/game/x.rs:2: use crate::http::Problem;"]
    );
    let inline = Source::new(
        "src/objects/x.rs",
        "fn f() { crate::game::step(); crate::api::handle() }",
    );
    assert_eq!(inline.imports_upwards().len(), 1);
    let tested = Source::new(
        "src/rules/x.rs",
        "fn f() {}\n#[cfg(test)]\nmod tests {\n    use crate::api;\n}\n",
    );
    assert_eq!(tested.imports_upwards(), [""; 0]);
    assert_eq!(tested.lines.len(), 1);
    for impure in [
        "async fn f() {}",
        "let x = f().await;",
        "worker::Date::now()",
        "Instant::now()",
    ] {
        assert!(is_impure(impure), "{impure}");
    }
    assert!(!is_impure("let awaited = is_async;"));
    assert!(starts_sql("db.prepare(\"SELECT 1\")") && starts_sql("    insert into games (id)"));
    assert!(!starts_sql("fn select(&self) {") && !starts_sql("let update = 1;"));
    let store = |path| Source::new(path, "").stores();
    assert!(
        store("src/store/games.rs")
            && store("src/objects/table/store.rs")
            && store("src/objects/lobby_store.rs")
    );
    assert!(!store("src/api/store.rs") && !store("src/objects/table/shell.rs"));
}
