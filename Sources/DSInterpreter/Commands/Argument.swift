package import DataTables

/// One argument of a command, with its place; what it means depends on what the command wants.
package struct Argument {
  enum Form {
    case atom(Atom)
    /// What `|` passed.
    case piped(Operand)
  }
  let form: Form
  package let span: Span

  /// The word, when it is a bare one.
  package var word: String? {
    if case .atom(let atom) = form, case .word(let text) = atom.kind { text } else { nil }
  }

  /// The text of a bare word or of a quoted string.
  package var text: String? {
    guard case .atom(let atom) = form else { return nil }
    switch atom.kind {
    case .word(let text), .quoted(let text): return text
    default: return nil
    }
  }

  /// The elements, when it is a list.
  var elements: [Argument]? {
    guard case .atom(let atom) = form, case .list(let atoms) = atom.kind else { return nil }
    return atoms.map { Argument(form: .atom($0), span: $0.span) }
  }

  func error(_ kind: ErrorKind, _ message: String, suggestion: String? = nil) -> Diagnostic {
    Diagnostic(kind, message, suggestion: suggestion, at: span)
  }

  /// One of the words of an enumeration.
  func choice(of words: [String], for what: String) throws -> String {
    if let text, words.contains(text) { return text }
    let near = text.flatMap { Suggestion.nearest(to: $0, among: words) }
    throw error(
      .badArgument, "`\(span.text)` is no \(what); there are \(words.joined(separator: ", "))",
      suggestion: near)
  }

  /// `true`/`false`.
  func bool() throws -> Bool {
    try choice(of: ["true", "false"], for: "truth value") == "true"
  }

  /// A whole number that is not negative.
  func natural() throws -> Int {
    guard let number = try wholeNumber(), number >= 0 else {
      throw error(.badArgument, "`\(span.text)` is no whole number from 0 on")
    }
    return number
  }

  /// nil for what is none.
  /// - Throws: ``Diagnostic`` of kind `outOfRange` for one beyond 64 bits.
  func wholeNumber() throws -> Int? {
    guard let text else { return nil }
    if let number = Int(text) { return number }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    throw error(.outOfRange, "`\(span.text)` is out of range: no source has that many objects")
  }
}

// What needs the session.
extension Argument {
  /// The literal value; a command in parentheses is run.
  package func value(in session: inout Session) async throws -> Value {
    switch form {
    case .piped(let operand): return try await session.value(of: operand, at: span)
    case .atom(let atom): return try await session.value(of: atom)
    }
  }

  /// A string: a word, a quoted string, or what parentheses give.
  package func string(in session: inout Session) async throws -> String {
    if let text { return text }
    guard case .string(let text) = try await value(in: &session) else {
      throw error(.badArgument, "a text is wanted here; `\(span.text)` is none")
    }
    return text
  }
}

extension Session {
  /// The value that is written in an atom.
  mutating func value(of atom: Atom) async throws -> Value {
    switch atom.kind {
    case .word("_"):
      return try await value(of: try operand(named: "_", at: atom.span), at: atom.span)
    case .word(let text): return Value(literal: text)
    case .quoted(let text): return .string(text)
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
      let operand = try await evaluate(pipe).operand
      return try await value(of: operand, at: atom.span)
    case .environment(let name):
      throw Diagnostic(
        .denied, "`env \(name)` is secret, and what stands here is shown", at: atom.span)
    }
  }
}
