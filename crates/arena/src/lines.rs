//! Lines of bounded length from a reader that is not trusted.

use std::io::{self, BufRead};

/// What a reader gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line without its end.
    Text(String),
    /// A line that was longer than allowed; it has been skipped.
    TooLong,
    /// There is nothing more.
    End,
}

/// Reads a line of at most `limit` bytes. What is not UTF-8 is replaced.
pub(crate) fn read_line(reader: &mut impl BufRead, limit: usize) -> io::Result<Line> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let part = match reader.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = part.iter().position(|&byte| byte == b'\n');
        let taken = &part[..end.unwrap_or(part.len())];
        is_too_long |= line.len() + taken.len() > limit;
        if !is_too_long {
            line.extend_from_slice(taken);
        }
        let (used, was_empty) = (end.map_or(part.len(), |end| end + 1), part.is_empty());
        reader.consume(used);
        if was_empty && line.is_empty() && !is_too_long {
            return Ok(Line::End);
        }
        if end.is_some() || was_empty {
            break;
        }
    }
    if is_too_long {
        return Ok(Line::TooLong);
    }
    let text = String::from_utf8_lossy(&line);
    Ok(Line::Text(text.trim_end_matches('\r').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_skipped() {
        let mut reader = io::Cursor::new("ab\r\n12345\n\nend");
        let mut next = || read_line(&mut reader, 4).expect("memory can be read");
        assert_eq!(next(), Line::Text("ab".to_owned()));
        assert_eq!(next(), Line::TooLong);
        assert_eq!(next(), Line::Text(String::new()));
        assert_eq!(next(), Line::Text("end".to_owned()));
        assert_eq!(next(), Line::End);
    }
}
