//! What comes of each file of the corpus.

use Expected::{Read, ReadMany, Refused};

/// What comes of a file.
pub enum Expected {
    /// Its moves, `B E5 W pass`, and the warnings.
    Read(&'static str, &'static str),
    /// The number of its moves, and the warnings.
    ReadMany(usize, &'static str),
    /// The message.
    Refused(&'static str),
}

/// Every file, as `EXPECT.md` wants it; where that leaves a choice, what this server chose.
pub const FILES: [(&str, Expected); 95] = [
    ("gg-13-010.sgf", ReadMany(126, "")),
    ("gg-13-023.sgf", ReadMany(114, "")),
    ("gg-13-039.sgf", ReadMany(90, "")),
    ("gg-19-002.sgf", ReadMany(260, "")),
    ("gg-19-004.sgf", ReadMany(206, "")),
    ("gg-19-006.sgf", ReadMany(245, "")),
    ("gg-9-027.sgf", ReadMany(67, "")),
    ("gg-9-041.sgf", ReadMany(53, "")),
    ("gg-9-054.sgf", ReadMany(38, "")),
    ("gg-9-055.sgf", ReadMany(54, "")),
    ("h01-escapes.sgf", Read("B E5 W C7", "")),
    ("h02-utf8.sgf", Read("B E5", "")),
    ("h03-latin1.sgf", Read("B E5", "")),
    ("h04-latin1-undeclared.sgf", Read("B E5", "")),
    ("h05-utf8-undeclared.sgf", Read("B E5", "")),
    ("h06-utf8-declared-bad-bytes.sgf", Read("B E5", "BadBytes")),
    ("h07-shiftjis-backslash.sgf", Read("B E5 W C7", "")),
    ("h08-gbk-bracket.sgf", Read("B E5 W C7", "")),
    ("h09-bom.sgf", Read("B E5 W C7", "")),
    ("h10-utf16.sgf", Read("B E5", "")),
    ("h11-crlf.sgf", Read("B E5 W C7", "")),
    ("h12-variations.sgf", Read("B E5 W C7 B G3 W C3", "Variations(3)")),
    (
        "h13-setup-midgame.sgf",
        Read("B E5 W E7", "SetupInMidGame { after: 2 }"),
    ),
    ("h14-handicap-ab.sgf", Read("W R14 B O17", "")),
    ("h15-handicap-no-ab.sgf", Read("W R14 B O17", "HandicapStones(3)")),
    ("h16-handicap-moves.sgf", Read("B Q16 B D4 W D16 B R4", "")),
    ("h17-handicap-setup-second-node.sgf", Read("W D4 B Q16", "")),
    ("h18-pass-tt-19.sgf", Read("B Q16 W D16 B pass W pass", "")),
    ("h19-pass-empty.sgf", Read("B Q16 W pass B pass W pass", "")),
    ("h20-tt-is-a-point-21.sgf", Read("B U2 W U21 B pass", "")),
    ("h21-tt-pass-9.sgf", Read("B E5 W pass B pass", "")),
    ("h22-compressed-list.sgf", Read("W R14", "")),
    ("h23-compressed-reversed.sgf", Read("B E5", "ReversedRectangle")),
    (
        "h24-rectangular.sgf",
        Refused("at byte 15: the board is not square but 9x13"),
    ),
    ("h25-square-pair.sgf", Read("B E5", "")),
    (
        "h26-ff3-lowercase.sgf",
        Read("W C7 B G3 W pass", "OldPropertyName"),
    ),
    ("h27-missing-close-paren.sgf", Read("B E5 W C7 B G3", "CutOff")),
    ("h28-missing-close-bracket.sgf", Read("B E5 W C7 B G3", "")),
    ("h29-extra-close-paren.sgf", Read("B E5 W C7", "TextAround")),
    (
        "h30-junk-before.sgf",
        Read("B E5 W C7", "TextAround MoreGames(1)"),
    ),
    ("h31-collection.sgf", Read("B E5", "MoreGames(2)")),
    ("h32-empty-tree.sgf", Read("", "")),
    ("h33-empty-file.sgf", Refused("at byte 0: no game found")),
    ("h34-no-semicolon.sgf", Read("B E5", "MissingSemicolon")),
    ("h35-no-size.sgf", Read("B Q16 W D16", "")),
    (
        "h36-size-1.sgf",
        Refused("at byte 15: there is no board of size 1"),
    ),
    (
        "h37-size-52.sgf",
        Refused("at byte 15: there is no board of size 52"),
    ),
    (
        "h38-size-bad.sgf",
        Refused("at byte 15: there is no board of size 1000000000"),
    ),
    (
        "h39-size-zero-negative.sgf",
        Refused("at byte 15: the board size is not a whole number above zero"),
    ),
    (
        "h40-off-board.sgf",
        Refused("at byte 26: move 2: \"jj\" is not on the board"),
    ),
    ("h41-occupied.sgf", Read("B E5 W E5 B C7", "")),
    ("h42-suicide-single.sgf", Read("B B9 W E5 B A8 W A9 B G3", "")),
    (
        "h43-suicide-multi.sgf",
        Read("B C9 W A9 B B8 W E5 B A8 W B9 B G3", ""),
    ),
    (
        "h44-superko.sgf",
        Read("B B9 W B8 B A8 W C8 B A7 W D9 B C9 W A9 B B9 W E5", ""),
    ),
    (
        "h45-repeat-by-pass.sgf",
        Read("B E5 W pass B C7 W pass B pass W G3", ""),
    ),
    ("h46-komi-6.5.sgf", Read("B E5", "")),
    ("h47-komi-0.sgf", Read("B E5", "")),
    ("h48-komi-negative.sgf", Read("B E5", "")),
    ("h49-komi-comma.sgf", Read("B E5", "Repaired(\"KM\")")),
    ("h50-komi-odd.sgf", Read("B E5", "MoreGames(7)")),
    (
        "h51-two-colours-one-node.sgf",
        Read("B E5 W C7 B G3", "TwoMovesInNode"),
    ),
    ("h52-double-b.sgf", Read("B E5 W C7 B G3", "SeveralValues(\"B\")")),
    ("h53-no-alternation.sgf", Read("B E5 B C7 W G3 W G7 B C3", "")),
    ("h54-pl.sgf", Read("W E5 B G5", "")),
    ("h55-unknown-props.sgf", Read("B E5 W C7", "")),
    ("h56-whitespace.sgf", Read("B E5 W C7 B G3", "SpacesInPoint")),
    (
        "h57-uppercase-coord.sgf",
        Refused("at byte 20: move 1: \"EE\" is not on the board"),
    ),
    ("h58-markup.sgf", Read("B E5", "")),
    ("h59-dates-times.sgf", Read("B E5", "SeveralValues(\"DT\")")),
    ("h60-xss.sgf", Read("B E5 W C7", "")),
    ("h61-control-chars.sgf", Read("B E5", "ControlCharacters")),
    ("h62-comment-parens.sgf", Read("B E5 W C7", "")),
    ("h63-setup-conflict.sgf", Read("B G3", "SetupConflict")),
    ("h64-move-and-setup-mixed.sgf", Read("B E5 W G7", "MoveWithSetup")),
    ("h65-root-move.sgf", Read("B E5 W C7", "")),
    (
        "h66-gm-other.sgf",
        Refused("at byte 10: this is a record of another game than Go: Othello"),
    ),
    ("h67-no-gm-ff.sgf", Read("B E5 W C7", "")),
    (
        "h68-zero-liberty-setup.sgf",
        Read("B E5", "NoPosition(NoLiberty(Vertex { column: 1, row: 9 }))"),
    ),
    ("h69-ko-immediate.sgf", Read("W C8 B D8 W E5", "")),
    ("h70-result-collection.sgf", Read("B E5 W C7", "MoreGames(17)")),
    (
        "h71-result-nonstandard.sgf",
        Read("B E5 W C7", "MoreGames(14) Repaired(\"RE\")"),
    ),
    ("h72-deep-nesting-5000.sgf", ReadMany(5000, "")),
    ("h73-long-sequence-5000.sgf", ReadMany(5000, "")),
    ("h74-wide-2000.sgf", Read("B A19", "Variations(1999)")),
    ("h75-result-and-score.sgf", Read("B E5 W pass B pass", "")),
    ("h76-ru-forms.sgf", Read("B E5", "MoreGames(13)")),
    ("h77-cjk-brackets.sgf", Read("B E5", "")),
    ("h78-backslash-at-eof.sgf", Read("B E5", "CutOff")),
    (
        "h79-capture-chain.sgf",
        Read("B A8 W A9 B B9 W B8 B C9 W C8 B E5 W D9 B G3 W A9", ""),
    ),
    ("kg-cornermoves.sgf", Read("B Q16 W Q3 B C3 W D15", "")),
    (
        "kg-foxlike.sgf",
        Read("W D17 B C15", "Repaired(\"KM\") Repaired(\"RE\")"),
    ),
    ("kg-humanslbigdiff.sgf", ReadMany(91, "")),
    ("kg-messy.sgf", Read("B F6 W D4 B F4 W D6 B D3", "Variations(6)")),
    ("kg-sampletest7x7.sgf", ReadMany(24, "Variations(2)")),
    ("kg-sampletest9x9.sgf", ReadMany(38, "Variations(5)")),
];
