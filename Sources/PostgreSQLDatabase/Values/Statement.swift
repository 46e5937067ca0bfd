import DataSources
import DataTables
import Databases

/// A statement with its values as texts, ready to be sent.
struct Statement: Sendable {
  struct Argument: Sendable {
    /// nil for null.
    let text: String?
    /// The identifier of the type; 0 for the type that the place of the value needs.
    let type: UInt32
  }

  let text: String
  let arguments: [Argument]

  /// - Throws: ``DatabaseError`` for a character NUL, which the server's strings cannot contain.
  init(_ sql: SQL) throws(DatabaseError) {
    text = sql.text { _, position in "$\(position + 1)" }
    guard !text.utf8.contains(0) else {
      throw DatabaseError(.engine, "a statement cannot contain the character NUL")
    }
    var arguments: [Argument] = []
    for (position, value) in sql.values.enumerated() {
      let argument = value.serverText
      if argument?.utf8.contains(0) == true {
        throw DatabaseError(
          .engine,
          "argument \(position + 1) contains the character NUL, which PostgreSQL cannot store",
          statement: text)
      }
      arguments.append(Argument(text: argument, type: value.argumentType))
    }
    self.arguments = arguments
  }
}

extension Value {
  /// The type of the value as an argument. Numbers, dates and truth values have the types of SQL's
  /// literals, so that they are compared by value: the server would read 18.5 for an integer column
  /// as an integer, and a time for a date column as its day. Other values have the type that their
  /// place needs.
  fileprivate var argumentType: UInt32 {
    switch self {
    case .null, .string, .data, .array, .record: 0
    case .bool: 16
    case .integer(let integer): Int32(exactly: integer) == nil ? 20 : 23
    case .real(let real): real.isFinite ? 1700 : 0
    case .date(let date): !date.hasTime ? 1082 : date.offset == nil ? 1114 : 1184
    }
  }
}

extension String {
  /// The name as an identifier of SQL.
  var quotedName: String { "\"\(doubling("\""))\"" }

  /// The string as a literal of SQL, where `standard_conforming_strings` is on.
  var quotedLiteral: String { "'\(doubling("'"))'" }

  // Scalars, not characters: a quote and an accent after it are one character.
  private func doubling(_ quote: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar == quote { result.append(quote) }
      result.append(scalar)
    }
    return String(result)
  }
}

extension TableName {
  /// The name as an identifier of SQL, with its schema if it has one.
  var quotedName: String { (schema.map { $0.quotedName + "." } ?? "") + name.quotedName }
}
