//! What the files say: names, comments, set-up stones, komi, results, clocks.

use super::{all_games, describe, first_game, move_list, place_name, warning_list};
use hoshi::record::{Imported, RecordResult, Repetition, SgfError, WinBy, read_sgf, replay};
use hoshi::rules::{Color, HalfPoints, PerColor, Point};

/// Black's name, White's, the first comment; `-` for none.
fn texts(imported: &Imported) -> [&str; 3] {
    let record = &imported.record;
    [
        &record.players.black.name,
        &record.players.white.name,
        &record.comment,
    ]
    .map(|text| text.as_deref().unwrap_or("-"))
}

#[test]
fn names_and_comments_are_what_was_meant() {
    let cases: [(&str, [&str; 3]); 15] = [
        (
            "h01-escapes.sgf",
            [
                "A ] B",
                "back\\slash",
                "bracket ] backslash \\ colon : plain : colon, paren ) ( ; semicolon, open [ bracket",
            ],
        ),
        (
            "h02-utf8.sgf",
            [
                "柯洁 九段",
                "신진서",
                "emoji 🎉 (4 bytes), combining e\u{301}, RTL \u{5e9}\u{5dc}\u{5d5}\u{5dd}, zero-width\u{200b}space",
            ],
        ),
        ("h03-latin1.sgf", ["Jürgen Müller", "François", "£ § é ß ÿ"]),
        ("h04-latin1-undeclared.sgf", ["Jürgen", "-", "déjà vu"]),
        (
            "h05-utf8-undeclared.sgf",
            ["井山裕太", "-", "no CA, but valid UTF-8"],
        ),
        (
            "h06-utf8-declared-bad-bytes.sgf",
            ["ok", "-", "bad byte \u{fffd}\u{fffd} and a cut sequence \u{fffd}"],
        ),
        ("h07-shiftjis-backslash.sgf", ["表 太郎", "-", "ソ能表"]),
        ("h08-gbk-bracket.sgf", ["朷誡", "-", "臷朶昡誠"]),
        ("h09-bom.sgf", ["BOM é", "-", "-"]),
        ("h10-utf16.sgf", ["wide", "-", "-"]),
        (
            "h11-crlf.sgf",
            ["a", "-", "line one\nline two\nline three\nline four"],
        ),
        ("h56-whitespace.sgf", [" spaced  name ", "-", "-"]),
        (
            "h61-control-chars.sgf",
            ["nul byte", "-", "tab here bell  esc [31mred vt ff end"],
        ),
        ("h62-comment-parens.sgf", ["-", "-", "(;B[aa];W[bb])"]),
        (
            "h77-cjk-brackets.sgf",
            ["【黒】「先番」", "-", "fullwidth ［ ］ ； （ ） are text"],
        ),
    ];
    for (name, expected) in cases {
        let Some(imported) = first_game(name) else { return };
        assert_eq!(texts(&imported), expected, "{name}");
    }
}

#[test]
fn comments_stay_with_their_moves() {
    let cases: [(&str, &[Option<&str>]); 5] = [
        (
            "h01-escapes.sgf",
            &[
                Some("soft break vanishes\nhard break stayssoft CRLF vanishes too"),
                Some("ends in backslash \\"),
            ],
        ),
        (
            "h28-missing-close-bracket.sgf",
            &[None, None, Some("never closed ;W[gc")],
        ),
        ("h62-comment-parens.sgf", &[Some("));;(("), None]),
        (
            "h75-result-and-score.sgf",
            &[None, None, Some("white passes at once")],
        ),
        ("h78-backslash-at-eof.sgf", &[Some("trailing ")]),
    ];
    for (name, expected) in cases {
        let Some(imported) = first_game(name) else { return };
        let comments: Vec<_> = imported
            .record
            .moves
            .iter()
            .map(|each| each.comment.as_deref())
            .collect();
        assert_eq!(comments, expected, "{name}");
    }
}

#[test]
fn text_that_looks_like_markup_stays_text() {
    let Some(imported) = first_game("h60-xss.sgf") else {
        return;
    };
    assert_eq!(
        imported.record.players.black.name.as_deref(),
        Some("<script>alert(1)</script>")
    );
    assert!(
        imported
            .record
            .comment
            .is_some_and(|comment| comment.contains("&lt;b&gt; '; DROP TABLE games; --"))
    );
}

#[test]
fn start_positions_are_set_up_by_point_and_rectangle() {
    let cases = [
        ("h14-handicap-ab.sgf", "D4 Q4 D16 Q16", "", Color::White),
        ("h15-handicap-no-ab.sgf", "", "", Color::White),
        (
            "h22-compressed-list.sgf",
            "E15 A17 B17 C17 A18 B18 C18 A19 B19 C19",
            "G17 G18 G19",
            Color::White,
        ),
        (
            "h23-compressed-reversed.sgf",
            "A7 B7 C7 A8 B8 C8 A9 B9 C9",
            "G9 H9 J9",
            Color::Black,
        ),
        ("h54-pl.sgf", "C7", "G3", Color::White),
        ("h63-setup-conflict.sgf", "C7", "E5", Color::Black),
        ("h64-move-and-setup-mixed.sgf", "C7", "G3", Color::Black),
        ("kg-foxlike.sgf", "D4 Q16", "", Color::White),
    ];
    for (name, black, white, first) in cases {
        let Some(Imported { record, .. }) = first_game(name) else {
            return;
        };
        let names = |points: &Vec<Point>| {
            points
                .iter()
                .map(|&point| place_name(record.board, Some(point)))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(
            record.setup.map(names),
            PerColor {
                black: black.to_owned(),
                white: white.to_owned()
            },
            "{name}"
        );
        assert_eq!(record.first, first, "{name}");
    }
    let Some(Imported { record, .. }) = first_game("h22-compressed-list.sgf") else {
        return;
    };
    assert_eq!(
        (record.territory.black.len(), record.territory.white.len()),
        (9, 1)
    );
}

#[test]
fn komi_keeps_its_sign_and_is_never_nonsense() {
    let komi = |imported: &Imported| imported.record.komi.map(|komi| komi.to_string());
    let cases = [
        ("h46-komi-6.5.sgf", "6.5"),
        ("h47-komi-0.sgf", "0"),
        ("h48-komi-negative.sgf", "-3.5"),
        ("h49-komi-comma.sgf", "7.5"),
        ("kg-foxlike.sgf", "6.5"),
    ];
    for (name, expected) in cases {
        let Some(imported) = first_game(name) else { return };
        assert_eq!(komi(&imported).as_deref(), Some(expected), "{name}");
    }
    let Some(games) = all_games("h50-komi-odd.sgf") else {
        return;
    };
    let found: Vec<(Option<String>, String)> = games
        .iter()
        .flatten()
        .map(|imported| (komi(imported), warning_list(imported)))
        .collect();
    let expected = [
        (None, ""),
        (None, "Unreadable(\"KM\")"),
        (Some("6.5"), ""),
        (Some("7.5"), ""),
        (Some("7.5"), "Repaired(\"KM\")"),
        (None, "KomiRefused"),
        (None, "KomiRefused"),
        (Some("6.5"), "SeveralValues(\"KM\")"),
    ];
    assert_eq!(
        found,
        expected.map(|(komi, warnings)| (komi.map(str::to_owned), warnings.to_owned()))
    );
}

#[test]
fn results_are_read_where_they_are_certain() {
    let result = |game: &Result<Imported, SgfError>| {
        let imported = game.as_ref().expect("reads");
        imported.record.result.map_or("-".to_owned(), describe)
    };
    let Some(standard) = all_games("h70-result-collection.sgf") else {
        return;
    };
    let expected = [
        "B resign",
        "B resign",
        "W resign",
        "W resign",
        "B time",
        "W time",
        "B forfeit",
        "W forfeit",
        "B 0.5",
        "W 12.5",
        "B 64",
        "W 3.75",
        "B unstated",
        "W unstated",
        "draw",
        "draw",
        "void",
        "unknown",
    ];
    assert_eq!(standard.iter().map(result).collect::<Vec<_>>(), expected);
    let Some(wild) = all_games("h71-result-nonstandard.sgf") else {
        return;
    };
    let expected = [
        "B resign", "B 3.5", "B 3.5", "unknown", "W resign", "draw", "draw", "unknown", "unknown", "unknown",
        "unknown", "B resign", "-", "draw", "B 3.5",
    ];
    assert_eq!(wild.iter().map(result).collect::<Vec<_>>(), expected);
    let raw = wild
        .iter()
        .flatten()
        .filter_map(|imported| imported.result_text.as_deref())
        .nth(7);
    assert_eq!(raw, Some("黑中盘胜"));
}

#[test]
fn games_of_a_collection_are_read_each() {
    let Some(games) = all_games("h31-collection.sgf") else {
        return;
    };
    let sizes = games
        .iter()
        .flatten()
        .map(|game| (game.record.board.side(), game.record.moves.len()));
    assert_eq!(sizes.collect::<Vec<_>>(), [(9, 1), (13, 2), (19, 0)]);
    let Some(games) = all_games("h39-size-zero-negative.sgf") else {
        return;
    };
    assert_eq!(games.len(), 3);
    assert!(games.iter().all(Result::is_err));
    let Some(games) = all_games("h76-ru-forms.sgf") else {
        return;
    };
    let rules: Vec<_> = games
        .iter()
        .flatten()
        .map(|game| game.record.rules.as_deref().unwrap_or("-"))
        .collect();
    assert_eq!(rules.len(), 14);
    assert_eq!(rules[..2], ["Japanese", "Chinese"]);
    assert_eq!(
        rules[11..],
        ["koSITUATIONALscoreAREAtaxNONEsui0", "-", "unknown rules 1949"]
    );
}

#[test]
fn clocks_dates_and_places_are_kept() {
    let Some(Imported { record, .. }) = first_game("h55-unknown-props.sgf") else {
        return;
    };
    let clocks: Vec<_> = record
        .moves
        .iter()
        .map(|each| (each.time_left.map(|left| left.as_millis()), each.moves_left))
        .collect();
    assert_eq!(clocks, [(Some(299_500), Some(3)), (Some(300_000), Some(5))]);
    let Some(Imported { record, .. }) = first_game("h59-dates-times.sgf") else {
        return;
    };
    assert_eq!(
        record.date.map(|date| date.to_string()).as_deref(),
        Some("2024-02-28")
    );
    assert_eq!(record.place.as_deref(), Some("Online, [main hall]"));
    assert_eq!(record.main_time.map(|time| time.as_secs()), Some(3600));
    assert_eq!(record.overtime.as_deref(), Some("5x30 byo-yomi"));
    let Some(Imported { record, .. }) = first_game("kg-foxlike.sgf") else {
        return;
    };
    assert_eq!(
        record.players.map(|player| player.rank.clone()).white.as_deref(),
        Some("5段")
    );
    assert_eq!((record.result, record.handicap), (Some(RecordResult::Draw), 2));
}

#[test]
fn gnu_gos_games_have_their_stones_and_results() {
    let cases = [
        ("gg-9-027.sgf", (29, 30), "W+36.5"),
        ("gg-9-041.sgf", (26, 25), "W+44"),
        ("gg-9-055.sgf", (26, 21), "B+18"),
        ("gg-9-054.sgf", (21, 15), "B+70"),
        ("gg-13-023.sgf", (50, 56), "W+104.5"),
        ("gg-13-010.sgf", (59, 57), "B+6"),
        ("gg-13-039.sgf", (46, 44), "B+82"),
        ("gg-19-006.sgf", (120, 118), "B+63.5"),
        ("gg-19-002.sgf", (120, 120), "B+33.5"),
        ("gg-19-004.sgf", (104, 99), "B+47.5"),
    ];
    for (name, (black, white), result) in cases {
        let Some(Imported { record, .. }) = first_game(name) else {
            return;
        };
        let played = replay(&record, Repetition::Forbidden).expect("a position");
        let stones = PerColor::from_fn(|color| played.position.stones_of(color).count());
        assert_eq!(
            (played.illegal, stones),
            (None, PerColor { black, white }),
            "{name}"
        );
        assert_eq!(
            record.result.map(|each| each.to_string()).as_deref(),
            Some(result),
            "{name}"
        );
    }
}

#[test]
fn a_counted_game_agrees_with_its_result() {
    let Some(Imported { record, .. }) = first_game("h75-result-and-score.sgf") else {
        return;
    };
    let played = replay(&record, Repetition::Forbidden).expect("a position");
    let area = hoshi::rules::count_area(&played.position, &[]).area;
    let lead = HalfPoints::from_points(area.black as i32 - area.white as i32) - record.komi.expect("a komi");
    let by_score = RecordResult::Win {
        winner: Color::Black,
        by: WinBy::Points(lead),
    };
    assert_eq!(record.result, Some(by_score));
}

/// Not stored in the corpus but described in its `EXPECT.md`.
#[test]
fn a_comment_of_a_megabyte_is_read_whole() {
    let piece = "a\\]b\\\\ ";
    let text = format!("(;FF[4]GM[1]SZ[9]C[{}];B[ee])", piece.repeat(174_763));
    let imported = read_sgf(text.as_bytes()).expect("reads");
    assert_eq!(move_list(&imported.record), "B E5");
    assert_eq!(imported.record.comment, Some("a]b\\ ".repeat(174_763)));
}

/// As above.
#[test]
fn a_hundred_thousand_nested_variations_are_refused_by_a_stated_limit() {
    let text = "(;B[aa]".repeat(100_000) + &")".repeat(100_000);
    let error = read_sgf(text.as_bytes()).expect_err("is refused");
    assert_eq!(
        error.to_string(),
        "at byte 70000: variations are nested more than 10000 deep"
    );
}
