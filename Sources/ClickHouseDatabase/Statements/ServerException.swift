import DataSources
import Databases

/// An error as the server writes it: `Code: 60, e.displayText() = DB::Exception: …, e.what() = …`,
/// or in new versions `Code: 60. DB::Exception: … (UNKNOWN_TABLE) (version 24.8.4.13)`.
struct ServerException: Equatable {
  let code: Int
  /// Without the version and the stack, on one line.
  let message: String

  private static let codeMark = "Code: "
  private static let oldText = "e.displayText() = "
  private static let oldEnd = ", e.what() = "

  /// The first exception in a text; nil without one.
  init?(in text: some StringProtocol) {
    guard let mark = Self.mark(in: text) else { return nil }
    code = mark.code
    var rest = text[mark.range.upperBound...]
    if let start = rest.firstRange(of: Self.oldText), rest.hasPrefix(",") {
      rest = rest[start.upperBound...]
      if let end = rest.ranges(of: Self.oldEnd).last { rest = rest[..<end.lowerBound] }
    } else if rest.hasPrefix(","), let start = rest.firstRange(of: Self.oldEnd) {
      rest = rest[start.upperBound...]
    } else {
      rest = rest.dropFirst()
      if let end = rest.ranges(of: " (version ").last { rest = rest[..<end.lowerBound] }
      if rest.last == ")", let open = rest.lastIndex(of: "("),
        rest[open...].dropFirst().dropLast().allSatisfy({
          $0.isUppercase || $0 == "_" || $0.isNumber
        })
      {
        rest = rest[..<open]
      }
    }
    if let stack = rest.firstRange(of: "Stack trace:") { rest = rest[..<stack.lowerBound] }
    if let expected = rest.firstRange(of: ". Expected one of: ") {
      rest = rest[..<expected.lowerBound]
    }
    message = Self.sentence(String(rest))
  }

  /// Where an exception begins in a text, up to the end of its code.
  static func mark<Text: StringProtocol>(
    in text: Text
  ) -> (range: Range<Text.Index>, code: Int)? {
    var rest = text[...]
    while let found = rest.firstRange(of: codeMark) {
      let digits = rest[found.upperBound...].prefix { $0.isASCII && $0.isNumber }
      let after = rest[digits.endIndex...]
      let isException =
        after.hasPrefix(", " + oldText) || after.hasPrefix(", e.code() = ")
        || after.hasPrefix(", type: ") || after.hasPrefix(". DB::")
      if let code = Int(digits), isException { return (found.lowerBound..<digits.endIndex, code) }
      rest = rest[found.upperBound...]
    }
    return nil
  }

  /// A text on one line, in lowercase at its beginning, without the names of C++ classes.
  private static func sentence(_ text: String) -> String {
    var text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for name in ["DB::Exception: ", "DB::NetException: ", "DB::ErrnoException: "] {
      text = text.replacing(name, with: "")
    }
    while let last = text.last, ". ,:".contains(last) { text.removeLast() }
    guard let first = text.first, text.dropFirst().first?.isUppercase == false else { return text }
    return first.lowercased() + text.dropFirst()
  }
}

extension ServerException {
  /// - Parameters:
  ///   - statement: the statement as it was sent.
  ///   - database: the default database, which is left out of names.
  func error(statement: String?, database: String) -> DatabaseError {
    DatabaseError(
      kind(database: database), shownMessage, code: String(code), statement: statement,
      offset: statement.flatMap { offset(in: $0) })
  }

  /// The table that a shard lacks: the server reports it as a connection that failed.
  private var tableMissingOnShard: String? {
    code == 279 ? Self.word(after: ["no table "], in: message) : nil
  }

  private func kind(database: String) -> DatabaseError.Kind {
    switch code {
    // The distributed table exists.
    case 60 where isOfShard, 279 where tableMissingOnShard != nil: .engine
    case 60: .unknownTable(tableName(database: database) ?? "")
    case 81: .unknownDatabase(Self.word(after: ["Database ", "database "], in: message) ?? "")
    case 16, 47: .unknownColumn(columnName ?? "")
    case 164: .denied
    case 192, 193, 194, 195, 291, 497, 516: .access
    case 159, 209: .timeout
    case 57: .exists(tableName(database: database) ?? "")
    // The connection with a shard or of a shard.
    case 32, 101, 198, 203, 210, 279, 1000: .connection
    default: .engine
    }
  }

  /// Whether a shard reported the error to the server.
  private var isOfShard: Bool { message.contains("Received from ") }

  /// A dead shard is named once, not once for each try.
  private var shownMessage: String {
    if let table = tableMissingOnShard {
      return "the shard " + (shard ?? "of the table") + " has no table \(table)"
    }
    guard code == 279 || code == 210 || code == 32 || code == 209, let shard else { return message }
    let cause = [
      "Connection refused", "Timeout", "timeout", "Connection reset", "end of file", "eof",
    ]
    .first { message.contains($0) }
    return "the shard \(shard) does not answer" + (cause.map { ": " + $0.lowercased() } ?? "")
  }

  /// `127.0.0.1:9000`, the first address in the message.
  private var shard: String? {
    for part in message.split(whereSeparator: { "(), ".contains($0) }) {
      let sides = part.split(separator: ":", omittingEmptySubsequences: true)
      if sides.count >= 2, let last = sides.last, let port = Int(last), port > 0, port < 65_536,
        part.contains(where: { $0 == "." || $0.isLetter || $0 == "[" })
      {
        return String(part)
      }
    }
    return nil
  }

  private func tableName(database: String) -> String? {
    guard
      let name = Self.word(
        after: ["table expression identifier ", "Table ", "table "], in: message)
    else {
      return nil
    }
    let prefix = database + "."
    return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
  }

  private var columnName: String? {
    Self.word(
      after: ["identifier: ", "identifier ", "No such column ", "no such column ", "column "],
      in: message)
  }

  /// The word after the first of the phrases that occurs, without quotes and punctuation.
  private static func word(after phrases: [String], in message: String) -> String? {
    let text = message.prefix(1).uppercased() + message.dropFirst()
    for phrase in phrases {
      guard let found = text.firstRange(of: phrase) else { continue }
      let rest = text[found.upperBound...]
      if let quote = rest.first, "'`\"".contains(quote) {
        return String(rest.dropFirst().prefix { $0 != quote })
      }
      let word = rest.prefix { !$0.isWhitespace && $0 != "," }
      let trimmed = (word.last == "." ? word.dropLast() : word).filter { $0 != "`" }
      return trimmed.isEmpty ? nil : trimmed
    }
    return nil
  }

  /// The place of a syntax error, in characters from 0: the server counts bytes from 1.
  private func offset(in statement: String) -> Int? {
    guard code == 62, let found = message.firstRange(of: "failed at position "),
      let position = Int(message[found.upperBound...].prefix { $0.isNumber }), position > 0
    else { return nil }
    let bytes = min(position - 1, statement.utf8.count)
    return String(decoding: statement.utf8.prefix(bytes), as: UTF8.self).count
  }
}
