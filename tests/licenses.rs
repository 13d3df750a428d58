//! What `GET /licenses` serves names every library of the Worker: it is made from the lock file by `scripts/licenses.sh`.

use std::path::Path;
use std::process::Command;

#[test]
fn x3_the_list_of_licences_is_that_of_the_libraries() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let kept = std::fs::read_to_string(root.join("src/api/licenses.txt")).expect("the list");
    let output = Command::new(root.join("scripts/licenses.sh"))
        .arg("print")
        .env("CARGO", env!("CARGO"))
        .output()
        .expect("runs");
    assert!(output.status.success(), "{output:?}");
    let made = String::from_utf8(output.stdout).expect("text");
    assert!(made.lines().count() > 50, "{made}");
    assert!(
        made == kept,
        "the libraries have changed: run scripts/licenses.sh"
    );
    // A library that does not say under what it is would be missing here.
    for line in made.lines() {
        let (_, licence) = line.split_once(": ").unwrap_or_else(|| panic!("{line}"));
        assert!(
            licence.starts_with(|first: char| first.is_ascii_uppercase() || first == '('),
            "{line}"
        );
    }
}
