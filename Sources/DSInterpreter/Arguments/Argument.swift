import DataSources
package import DataTables

/// One argument of a command, with its location and its declared type.
package struct Argument {
  enum Form {
    case atom(Atom)
    /// The value that `|` passed.
    case piped(Operand)
  }
  let form: Form
  package let span: Span
  let type: ArgumentType
  /// nil for an argument by position.
  let label: String?

  init(_ form: Form, at span: Span, type: ArgumentType, label: String? = nil) {
    self.form = form
    self.span = span
    self.type = type
    self.label = label
  }

  init(_ atom: Atom, type: ArgumentType = .value, label: String? = nil) {
    self.init(.atom(atom), at: atom.span, type: type, label: label)
  }

  /// The same argument as a value of another type.
  func typed(_ type: ArgumentType) -> Argument {
    Argument(form, at: span, type: type, label: label)
  }

  /// A bare word.
  package var word: String? {
    if case .atom(let atom) = form, case .word(let text) = atom.kind { text } else { nil }
  }

  /// The string of a bare word or of a quoted string.
  package var text: String? {
    guard case .atom(let atom) = form else { return nil }
    switch atom.kind {
    case .word(let text), .quoted(let text): return text
    default: return nil
    }
  }

  /// The name in `$name`; nil for any other argument.
  var variable: String? { if case .atom(let atom) = form { atom.variable } else { nil } }

  /// The elements of a list.
  var elements: [Argument]? {
    guard case .atom(let atom) = form, case .list(let atoms) = atom.kind else { return nil }
    return atoms.map { Argument($0, type: type, label: label) }
  }

  /// Whether the argument is a command in parentheses.
  var isCommand: Bool {
    guard case .atom(let atom) = form, case .parenthesized = atom.kind else { return false }
    return true
  }

  /// The entries of a record.
  var entries: [(key: Word, value: Atom)]? {
    guard case .atom(let atom) = form, case .record(let pairs) = atom.kind else { return nil }
    return pairs
  }

  /// Whether the argument is `null`, which restores the default of a setting.
  var isNull: Bool { word == "null" }

  /// Whether the argument is `off`, which removes a cassette or a stub.
  var isOff: Bool { word == OnOff.off.rawValue }

  package func error(
    _ kind: ErrorKind, _ message: String, suggestion: String? = nil
  ) -> Diagnostic {
    Diagnostic(kind, message, suggestion: suggestion, at: span)
  }

  /// The error of an argument of the wrong type: `expected an index path, not …`. For the value of
  /// a label, the message begins with the label and `must be`.
  func mismatch(suggestion: String? = nil) -> Diagnostic {
    let expected = label.map { "`\($0):` must be" } ?? "expected"
    return error(
      .badArgument, "\(expected) \(type.phrase), not `\(span.text)`", suggestion: suggestion)
  }

  /// Runs `body` and adds the location of the argument to any error that it throws.
  func locating<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      let facts = Diagnostic(facts: error)
      throw self.error(facts.kind, facts.message, suggestion: facts.suggestion)
    }
  }
}

// Literal values, which are read without a session.
extension Argument {
  /// The argument as one of the words that its type accepts.
  package func choice() throws -> String {
    guard let choices = type.choices else { throw mismatch() }
    return try choice(of: choices)
  }

  func choice(of choices: Choices) throws -> String {
    if let text, choices.contains(text) { return text }
    if let text, let refusal = choices.refusal?(text) { throw error(.badArgument, refusal) }
    let near = text.flatMap { Suggestion.nearest(to: $0, among: choices.words + choices.aliases) }
    throw error(
      .badArgument,
      "unknown \(choices.noun) `\(span.text)`; expected \(choices.words.joined(separator: ", "))"
        + (choices.others.map { ", or \($0)" } ?? ""), suggestion: near)
  }

  /// The case of an enumeration whose raw value is the argument.
  func choice<Case: RawRepresentable>(
    as type: Case.Type = Case.self
  ) throws -> Case where Case.RawValue == String {
    guard let choice = Case(rawValue: try choice()) else { throw mismatch() }
    return choice
  }

  /// `true` or `false`.
  package func boolean() throws -> Bool {
    switch text {
    case "true": return true
    case "false": return false
    default:
      throw mismatch(
        suggestion: text.flatMap { Suggestion.nearest(to: $0, among: ["true", "false"]) })
    }
  }

  /// An integer in the range of the type.
  package func integer() throws -> Int {
    guard let integer = try anyInteger() else { throw mismatch() }
    if case .integer(let range) = type, !range.contains(integer) { throw mismatch() }
    return integer
  }

  /// The argument as an integer, whatever the range of its type; nil if it is not an integer.
  /// - Throws: ``Diagnostic`` of kind `outOfRange` for an integer beyond 64 bits.
  func anyInteger() throws -> Int? {
    guard let text else { return nil }
    if let integer = Int(text) { return integer }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    throw error(.outOfRange, "`\(span.text)` is out of range: integers have 64 bits")
  }

  /// A number of seconds in the range of the type: `5`, `5s`, `500ms`, `2min`, `1h`.
  func seconds() throws -> Double {
    let units: [(name: String, seconds: Double)] = [
      ("ms", 0.001), ("min", 60), ("s", 1), ("h", 3_600),
    ]
    let unit = text.flatMap { text in units.first { text.hasSuffix($0.name) } }
    guard let text, let number = Double(text.dropLast(unit?.name.count ?? 0)),
      case .seconds(let greatest) = type
    else { throw mismatch() }
    let seconds = number * (unit?.seconds ?? 1)
    guard seconds > 0, seconds <= Double(greatest) else { throw mismatch() }
    return seconds
  }

  /// A number from 0 to 1.
  func fraction() throws -> Double {
    guard let number = text.flatMap({ Double($0) }), (0...1).contains(number) else {
      throw mismatch()
    }
    return number
  }

  /// One ASCII character, or `tab`.
  func character(_ text: String) throws -> UInt8 {
    if text == "tab" { return UInt8(ascii: "\t") }
    guard text.utf8.count == 1, let byte = text.utf8.first, byte < 0x80 else { throw mismatch() }
    return byte
  }

  /// A name that can be bound.
  func newName() throws -> String {
    guard let word, Name.isValid(word), !Name.reserved.contains(word.lowercased()) else {
      throw error(.badArgument, "`\(span.text)` cannot be a name")
    }
    return word
  }

  func checkLocale(_ name: String) throws {
    _ = try locating { try Collation(.localized, locale: name) }
  }

  func zone(_ text: String) throws -> Zone { try locating { try Zone(parsing: text) } }
}

// Values that may be the result of a command in parentheses.
extension Argument {
  /// A literal value, the value that `|` passed, or the result of a command in parentheses, which
  /// this method runs.
  package func value(in session: inout Session) async throws -> Value {
    switch form {
    case .piped(let operand): return try await session.value(of: operand, at: span)
    case .atom(let atom): return try await session.value(of: atom)
    }
  }

  /// A word, a quoted string, or a string that a command in parentheses returns.
  package func string(in session: inout Session) async throws -> String {
    if let text, variable == nil { return text }
    guard case .string(let text) = try await value(in: &session) else {
      throw error(.badArgument, "expected a string, not `\(span.text)`")
    }
    return text
  }

  /// The name of a locale that exists; nil for `null`.
  func localeName(in session: inout Session) async throws -> String? {
    if isNull { return nil }
    let name = try await string(in: &session)
    try checkLocale(name)
    return name
  }

  /// The time zone that the argument names; GMT for `null`.
  func zone(in session: inout Session) async throws -> Zone {
    if isNull { return .gmt }
    return try zone(try await string(in: &session))
  }
}

extension Session {
  /// The value of an atom. A command in parentheses is run to get its value.
  mutating func value(of atom: Atom) async throws -> Value {
    switch atom.kind {
    case .word("_"):
      return try await value(of: try operand(named: "_", at: atom.span), at: atom.span)
    case .word(let text):
      guard let name = atom.variable else { return Value(literal: text) }
      return try await value(of: try variable(name, at: atom.span), at: atom.span)
    case .quoted(let text): return .string(text)
    case .interpolated(let interpolation): return .string(try await text(of: interpolation))
    case .list(let atoms):
      var values: [Value] = []
      values.reserveCapacity(atoms.count)
      for atom in atoms { values.append(try await value(of: atom)) }
      return .array(values)
    case .record(let pairs):
      var values: [(String, Value)] = []
      values.reserveCapacity(pairs.count)
      for (key, atom) in pairs { values.append((key.text, try await value(of: atom))) }
      return .record(Record(values))
    case .parenthesized(let pipe):
      let operand = try await evaluateInParentheses(pipe)
      return try await value(of: operand, at: atom.span)
    case .environment(let name):
      throw Diagnostic(
        .denied, "`env \(name)` is secret and cannot be used where values are shown",
        at: atom.span)
    }
  }
}
