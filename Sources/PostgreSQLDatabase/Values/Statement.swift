import DataTables
import Databases

/// A statement with its values as texts, ready to be sent.
struct Statement: Sendable {
  let text: String
  /// nil for null.
  let arguments: [String?]

  /// - Throws: ``DatabaseError`` for a character NUL, which the server's strings cannot contain.
  init(_ sql: SQL) throws(DatabaseError) {
    text = sql.text { _, position in "$\(position + 1)" }
    guard !text.utf8.contains(0) else {
      throw DatabaseError(.engine, "a statement cannot contain the character NUL")
    }
    var arguments: [String?] = []
    for (position, value) in sql.values.enumerated() {
      let argument = value.serverText
      if argument?.utf8.contains(0) == true {
        throw DatabaseError(
          .engine,
          "argument \(position + 1) contains the character NUL, which PostgreSQL cannot store",
          statement: text)
      }
      arguments.append(argument)
    }
    self.arguments = arguments
  }

  /// A text without values, made by this module.
  init(text: String) {
    self.text = text
    arguments = []
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
