//! From a file's bytes to text. The charset comes first: in Shift_JIS and GBK the second byte of a character may look
//! like `]` or a backslash.

use super::error::{SgfError, SgfErrorKind, WarningKind, excerpt};
use super::lexer::is_space;
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// The text of a file, and what had to be put up with.
///
/// A byte order mark decides; else `CA` in the first node; else the bytes are UTF-8 if they can be, and otherwise
/// Latin-1 (as Windows-1252), which FF[4] names as the default.
pub(super) fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Option<WarningKind>), SgfError> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return Ok(decode_as(bytes, encoding));
    }
    let label = declared_charset(bytes).unwrap_or_default();
    // The label of a charset that decodes every text to one U+FFFD is as good as unknown.
    let known = Encoding::for_label_no_replacement(label);
    let known = known.filter(|&each| each != UTF_16LE && each != UTF_16BE);
    match (known, std::str::from_utf8(bytes)) {
        (Some(encoding), _) => Ok(decode_as(bytes, encoding)),
        (None, Ok(text)) if label.trim_ascii().is_empty() => Ok((text.into(), None)),
        (None, Ok(text)) => Ok((text.into(), Some(WarningKind::UnknownCharset))),
        (None, Err(_)) if label.trim_ascii().is_empty() => Ok(decode_as(bytes, WINDOWS_1252)),
        (None, Err(_)) => Err(SgfError {
            offset: 0,
            kind: SgfErrorKind::UnsupportedCharset(excerpt(&String::from_utf8_lossy(label))),
        }),
    }
}

fn decode_as<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> (Cow<'a, str>, Option<WarningKind>) {
    let (text, _, bad) = encoding.decode(bytes);
    // Windows-1252 leaves no byte out, so only the other charsets can have bad ones.
    debug_assert!(encoding != WINDOWS_1252 || !bad);
    (text, bad.then_some(WarningKind::BadBytes))
}

/// The value of `CA` in the first game's first node, looked for byte by byte, as nothing can be decoded before it is found.
fn declared_charset(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = first_game(bytes)?;
    let mut name = Vec::new();
    let mut nodes = 0;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'[' => {
                let end = value_end(rest);
                if name == b"CA" {
                    return rest.get(..end);
                }
                rest = rest.get(end + 1..)?;
                name.clear();
            }
            b'A'..=b'Z' => name.push(byte),
            b';' if nodes == 0 => nodes = 1,
            b';' | b')' => return None,
            _ => {}
        }
    }
    None
}

/// What follows the `(` that starts the first game: as in [`Lexer::skip_to_game`](super::lexer::Lexer::skip_to_game), one
/// with a node or a property behind it, for there may be text before the game, with parentheses of its own.
fn first_game(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes;
    loop {
        let open = rest.iter().position(|&byte| byte == b'(')?;
        rest = rest.get(open + 1..)?;
        let node = skip(rest, is_space);
        let name = skip(node, |byte| byte.is_ascii_alphabetic());
        let is_property = name.len() < node.len() && skip(name, is_space).first() == Some(&b'[');
        if node.first() == Some(&b';') || is_property {
            return Some(rest);
        }
    }
}

fn skip(bytes: &[u8], skipped: impl Fn(u8) -> bool) -> &[u8] {
    let end = bytes.iter().position(|&byte| !skipped(byte));
    bytes.get(end.unwrap_or(bytes.len())..).unwrap_or_default()
}

/// The number of bytes before the `]` that ends a value.
fn value_end(bytes: &[u8]) -> usize {
    let mut escaped = false;
    let end = bytes.iter().position(|&byte| {
        let ends = byte == b']' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str, warning: Option<WarningKind>) {
        let (text, found) = decode(bytes).expect("decodes");
        assert_eq!((text.as_ref(), found), (expected, warning));
    }

    #[test]
    fn the_declared_charset_decides() {
        check(
            b"(;CA[ISO-8859-1]PB[J\xfcrgen])",
            "(;CA[ISO-8859-1]PB[Jürgen])",
            None,
        );
        check(b"(;CA[Shift_JIS]PB[\x95\\])", "(;CA[Shift_JIS]PB[表])", None);
        check(b"(;CA[GBK]PB[\x96]\xd5]])", "(;CA[GBK]PB[朷誡])", None);
        check(
            b"(;C[\\]CA[x]CA[utf-8]PB[\xff])",
            "(;C[\\]CA[x]CA[utf-8]PB[\u{fffd}])",
            Some(WarningKind::BadBytes),
        );
    }

    #[test]
    fn text_before_the_game_does_not_hide_the_charset() {
        for before in [
            &b""[..],
            b"Saved by me (Aki)\n",
            b"(see below) (",
            b":-( (CA of it: none) [",
            b"( (\0\r\n",
        ] {
            let check_game = |game: &[u8], shown: &str| {
                let text = String::from_utf8_lossy(before).into_owned() + shown;
                check(&[before, game].concat(), &text, None);
            };
            check_game(b"(;GM[1]CA[Shift_JIS]PB[\x95\\])", "(;GM[1]CA[Shift_JIS]PB[表])");
            check_game(b"( ; CA [GBK]PB[\x96]\xd5]])", "( ; CA [GBK]PB[朷誡])");
            check_game(b"(CA[Shift_JIS]PB[\x95\\])", "(CA[Shift_JIS]PB[表])");
        }
        // Nor does text that looks like one make it up.
        check(
            "CA[Shift_JIS] (CA) (;PB[é])".as_bytes(),
            "CA[Shift_JIS] (CA) (;PB[é])",
            None,
        );
    }

    #[test]
    fn a_charset_that_is_only_a_name_loses_no_text() {
        for label in ["HZ-GB-2312", "ISO-2022-KR", "ISO-2022-CN", "replacement"] {
            let text = format!("(;CA[{label}]SZ[9];B[ee])");
            check(text.as_bytes(), &text, Some(WarningKind::UnknownCharset));
        }
    }

    #[test]
    fn without_one_utf8_is_tried_before_latin1() {
        check("(;PB[井山])".as_bytes(), "(;PB[井山])", None);
        check(b"(;PB[J\xfcrgen]CA[])", "(;PB[Jürgen]CA[])", None);
        check(b"", "", None);
    }

    #[test]
    fn byte_order_marks_are_heeded_and_dropped() {
        check(b"\xef\xbb\xbf(;)", "(;)", None);
        check(b"\xff\xfe(\0;\0)\0", "(;)", None);
        check(b"\xfe\xff\0(\0;\0)", "(;)", None);
    }

    #[test]
    fn an_unknown_charset_is_refused_unless_the_bytes_are_utf8() {
        check(
            b"(;CA[klingon])",
            "(;CA[klingon])",
            Some(WarningKind::UnknownCharset),
        );
        let error = decode(b"(;CA[klingon]C[\xff])").expect_err("no such charset");
        assert_eq!(error.kind, SgfErrorKind::UnsupportedCharset("klingon".to_owned()));
    }
}
