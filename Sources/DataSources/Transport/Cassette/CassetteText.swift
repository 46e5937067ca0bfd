/// Exchanges as a text to read, to compare and to edit:
///
///     dsshell cassette 1
///
///     GET http://127.0.0.1:8000/posts?page=1
///     > Accept: application/json
///     < 200
///     < Content-Type: application/json
///     ~ 10
///     | [{"id": 1},
///     |  {"id": 2}]
///     |
///
///     GET http://127.0.0.1:8000/posts?page=2
///     ! dropped: 127.0.0.1:8000 closed the connection
///
/// The first character of a line says what it holds:
/// - `GET`, a request; `>`, a header of it;
/// - `<`, the status of the answer, with the URL it came from when that is another; then its
///   headers;
/// - `~`, how long the pieces of the body were, but for the last, which takes the rest:
///   `10 4096x3`;
/// - `|`, a line of the body; between two lines stands a line feed, so that an empty one at the end
///   is a line feed at the end;
/// - `=`, a body that is no text, in base64;
/// - `!`, the fault that ended the exchange: `dropped`, `network`, `timeout SECONDS`,
///   `limit SETTING`, then a colon and what it says;
/// - `#`, a comment; `#GET` in the place of `GET`, an exchange that is left out, as it was not written
///   to its end.
///
/// A space follows. A `\` in its place says that what follows has escapes: `\r`, `\t`, `\n`, `\s`
/// for a space at the end, `\\`, and `\u{…}` for what cannot be seen.
enum CassetteText {
  static let heading = "dsshell cassette"
  static let version = 1
  /// Stands before an exchange, where the line before it ends, until all of it is written.
  static let unfinished = UInt8(ascii: "#")
}
