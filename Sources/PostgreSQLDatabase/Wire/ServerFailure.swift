import CPostgreSQL
import DataSources
import Databases

/// An error that the server reported for a statement.
struct ServerFailure {
  /// Five characters, such as `42P01`; "" if the connection broke.
  let code: String
  private let message: String
  private let detail: String?
  private let hint: String?
  private let context: String?
  private let position: Int?

  /// - Parameter result: a failed one.
  init(_ result: WireResult) {
    code = result.errorField(CPQ_FIELD_SQLSTATE) ?? ""
    message = result.errorField(CPQ_FIELD_MESSAGE) ?? result.errorMessage
    detail = result.errorField(CPQ_FIELD_DETAIL)
    hint = result.errorField(CPQ_FIELD_HINT)
    context = result.errorField(CPQ_FIELD_CONTEXT)
    position = result.errorField(CPQ_FIELD_POSITION).flatMap { Int($0) }
  }

  /// Whether a request of this connection or of another one canceled the statement, or a timeout.
  var isCanceled: Bool { code == "57014" }

  /// Whether the server ended the connection.
  var isDisconnection: Bool {
    code.isEmpty || code.hasPrefix("08") || code == "25P03" || Self.shutdowns.contains(code)
  }

  private static let shutdowns: Set = ["57P01", "57P02", "57P03", "57P05"]

  /// - Parameters:
  ///   - statement: as it was sent; nil for a statement of this module.
  ///   - hasTimeout: whether the connection limits the time of statements.
  func error(statement: String?, hasTimeout: Bool) -> DatabaseError {
    if isDisconnection {
      let reason = code.isEmpty ? "" : ": " + message.clause
      return DatabaseError(.connection, "the server closed the connection" + reason, code: code)
    }
    return DatabaseError(
      kind(hasTimeout: hasTimeout), explanation, code: code, statement: statement,
      offset: statement == nil ? nil : position.map { $0 - 1 })
  }

  private func kind(hasTimeout: Bool) -> DatabaseError.Kind {
    switch code {
    case "42P01": .unknownTable(message.firstQuoted ?? message)
    case "42703": .unknownColumn(unknownColumn)
    case "25006": .denied
    case "42P07": .exists(message.firstQuoted ?? message)
    case "57014" where hasTimeout || message.contains("timeout"): .timeout
    case "42501": .access
    case _ where code.hasPrefix("28"): .access
    default: .engine
    }
  }

  /// The name in `column "x" does not exist` or `column t.x does not exist`.
  private var unknownColumn: String {
    if let quoted = message.firstQuoted { return quoted }
    let words = message.split(separator: " ")
    return words.count > 1 ? String(words[1].split(separator: ".").last ?? words[1]) : message
  }

  /// The message; with the value that violates a constraint, the line of a `COPY`, and the hint.
  private var explanation: String {
    var clauses = [message.clause]
    if let detail, code.hasPrefix("23") { clauses.append(detail.clause) }
    if let context, context.hasPrefix("COPY ") { clauses.append("in " + context.clause) }
    if let hint { clauses.append(hint.clause) }
    return clauses.joined(separator: "; ")
  }
}

extension String {
  /// The text as a clause: without the period at its end, beginning with a lowercase letter unless
  /// the first word is an abbreviation.
  var clause: String {
    var text = self
    while let last = text.last, last.isWhitespace || last == "." { text.removeLast() }
    if let first = text.first, first.isUppercase, text.dropFirst().first?.isLowercase == true {
      text = first.lowercased() + text.dropFirst()
    }
    return text
  }

  /// The text between the first two quotation marks; nil without them.
  fileprivate var firstQuoted: String? {
    let marks: Set<Character> = ["\"", "«", "»", "„", "“", "”"]
    guard let start = firstIndex(where: marks.contains) else { return nil }
    let rest = self[index(after: start)...]
    guard let end = rest.firstIndex(where: marks.contains) else { return nil }
    return String(rest[..<end])
  }
}
