//! Messages on a connection: bytes without NUL, ended by one NUL. Used by both sides.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// The longest message that is not the text of a game, such as a move.
pub(crate) const MAX_MESSAGE: usize = 1 << 18;

/// What ends every message.
const END: u8 = 0;

/// Why there is no message.
#[derive(Debug)]
pub(crate) enum WireError {
    /// The other side has closed the connection, or it broke.
    Closed,
    /// A message is longer than allowed.
    TooLong,
    /// Nothing came, or nothing was taken, in time.
    TimedOut,
}

impl From<std::io::Error> for WireError {
    fn from(error: std::io::Error) -> WireError {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => WireError::TimedOut,
            _ => WireError::Closed,
        }
    }
}

/// Bytes that have arrived, cut into messages.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    bytes: Vec<u8>,
    /// Up to here there is no end of a message.
    looked_at: usize,
}

impl Messages {
    /// Adds bytes as they come.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole message, if it has arrived and has at most `limit` bytes.
    pub(crate) fn pop(&mut self, limit: usize) -> Result<Option<Vec<u8>>, WireError> {
        let end = self.bytes[self.looked_at..].iter().position(|&byte| byte == END);
        let length = end.map_or(self.bytes.len(), |end| self.looked_at + end);
        if length > limit {
            return Err(WireError::TooLong);
        }
        if end.is_none() {
            self.looked_at = length;
            return Ok(None);
        }
        let rest = self.bytes.split_off(length + 1);
        let mut message = std::mem::replace(&mut self.bytes, rest);
        message.pop();
        self.looked_at = 0;
        Ok(Some(message))
    }
}

/// The side of a connection on which messages come.
#[derive(Debug)]
pub(crate) struct Incoming {
    stream: TcpStream,
    messages: Messages,
}

impl Incoming {
    pub(crate) fn new(stream: TcpStream) -> Incoming {
        Incoming { stream, messages: Messages::default() }
    }

    /// Waits for the next message of at most `limit` bytes, `until` a moment or for ever.
    pub(crate) fn receive(
        &mut self,
        limit: usize,
        until: Option<Instant>,
    ) -> Result<Vec<u8>, WireError> {
        let mut chunk = [0; 1 << 14];
        loop {
            if let Some(message) = self.messages.pop(limit)? {
                return Ok(message);
            }
            self.stream.set_read_timeout(until.map(time_left).transpose()?)?;
            match self.stream.read(&mut chunk) {
                Ok(0) => return Err(WireError::Closed),
                Ok(count) => self.messages.push(&chunk[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// The side of a connection on which messages go.
#[derive(Debug)]
pub(crate) struct Outgoing {
    stream: TcpStream,
}

impl Outgoing {
    pub(crate) fn new(stream: TcpStream) -> Outgoing {
        Outgoing { stream }
    }

    /// Sends a message. The time is for all of it, so a reader who takes a byte now and then does not get more.
    pub(crate) fn send(&mut self, message: &str, within: Duration) -> Result<(), WireError> {
        let until = after(within);
        let mut bytes = Vec::with_capacity(message.len() + 1);
        bytes.extend_from_slice(message.as_bytes());
        bytes.push(END);
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            self.stream.set_write_timeout(Some(time_left(until)?))?;
            match self.stream.write(rest) {
                Ok(0) => return Err(WireError::Closed),
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Says that nothing more is sent; what was sent still arrives.
    pub(crate) fn finish(&self) {
        // A connection that is gone already needs no farewell.
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Ends the connection at once.
    pub(crate) fn cut(&self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// The moment that is this long from now, or at least a century.
pub(crate) fn after(time: Duration) -> Instant {
    const CENTURY: Duration = Duration::from_secs(100 * 365 * 86_400);
    Instant::now() + time.min(CENTURY)
}

/// The time until a moment.
fn time_left(until: Instant) -> Result<Duration, WireError> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(WireError::TimedOut) } else { Ok(left) }
}

/// A time as the protocol writes it: seconds with six digits behind the point.
pub(crate) fn write_seconds(time: Duration) -> String {
    format!("{:.6}", time.as_secs_f64())
}

/// Reads a time; `None` if it is not one. A time without end may be a number of 309 digits, which becomes
/// [`Duration::MAX`].
pub(crate) fn read_seconds(message: &[u8]) -> Option<Duration> {
    let seconds: f64 = std::str::from_utf8(message).ok()?.trim().parse().ok()?;
    if seconds.is_nan() || seconds < 0.0 {
        return None;
    }
    Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// A message for people: short, without what a terminal or a log might stumble over.
pub(crate) fn shown(message: &[u8]) -> String {
    const MOST: usize = 60;
    let text = String::from_utf8_lossy(message);
    let mut shown: String =
        text.chars().take(MOST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_split_and_joined() {
        let mut messages = Messages::default();
        let mut all = Vec::new();
        for piece in [&b"rea"[..], b"", b"dy\x001 3", b" 2 4\0\x00x", b"\0"] {
            messages.push(piece);
            while let Some(message) = messages.pop(7).expect("short") {
                all.push(String::from_utf8(message).expect("text"));
            }
        }
        assert_eq!(all, ["ready", "1 3 2 4", "", "x"]);
    }

    #[test]
    fn long_messages_are_refused_before_and_with_their_end() {
        let mut messages = Messages::default();
        messages.push(b"12345");
        assert!(matches!(messages.pop(5), Ok(None)));
        messages.push(b"6");
        assert!(matches!(messages.pop(5), Err(WireError::TooLong)));
        let mut messages = Messages::default();
        messages.push(b"123456\0");
        assert!(matches!(messages.pop(5), Err(WireError::TooLong)));
    }

    #[test]
    fn a_reader_who_does_not_read_is_noticed() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let stream = TcpStream::connect(listener.local_addr().expect("it listens"));
        let (_deaf, _) = listener.accept().expect("someone has connected");
        let mut outgoing = Outgoing::new(stream.expect("someone listens"));
        let more_than_fits = "x".repeat(64 << 20);
        let sent = outgoing.send(&more_than_fits, Duration::from_millis(100));
        assert!(matches!(sent, Err(WireError::TimedOut)));
    }

    #[test]
    fn times_are_written_as_by_printf_and_read_whatever_their_size() {
        assert_eq!(write_seconds(Duration::from_millis(30_000)), "30.000000");
        assert_eq!(write_seconds(Duration::from_millis(1)), "0.001000");
        let endless = format!("{:.6}", f64::MAX);
        assert_eq!(endless.len(), 316);
        assert_eq!(read_seconds(endless.as_bytes()), Some(Duration::MAX));
        assert_eq!(read_seconds(b"0.500000"), Some(Duration::from_millis(500)));
        for bad in [&b""[..], b"nan", b"-1", b"soon", b"\xff"] {
            assert_eq!(read_seconds(bad), None);
        }
    }
}
