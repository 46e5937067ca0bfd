import DataTables

// Values in strings and in place of words.
extension Session {
  /// The text of a string with the values of its expressions.
  mutating func text(of interpolation: Interpolation) async throws -> String {
    var text = ""
    for segment in interpolation.segments {
      switch segment {
      case .text(let part): text += part
      case .value(let expression): text += try await value(of: expression).insertedText
      }
    }
    return text
  }

  /// The stage with the texts of strings that contain expressions, and with the values of words such
  /// as `$name` where a word must be a number, a Boolean or a choice. Other words, and expressions, are
  /// evaluated by the command.
  ///
  /// - Parameter isPiped: whether `|` passes the first argument.
  mutating func inserting(valuesIn stage: Stage, isPiped: Bool) async throws -> Stage {
    guard stage.hasInsertions else { return stage }
    var atoms: [Atom] = []
    var words: [String] = []
    for (index, atom) in stage.atoms.enumerated() {
      let parameter = stage.command.parameter(at: index + (isPiped ? 1 : 0), after: words)
      let type = (parameter ?? stage.command.parameters.last)?.type
      if case .word(let word) = atom.kind { words.append(word) }
      atoms.append(try await inserting(valuesIn: atom, of: type))
    }
    var labels: [LabeledValue] = []
    let known = stage.command.allLabels
    for label in stage.labels {
      guard case .groups(let groups) = label.content else {
        labels.append(label)
        continue
      }
      let type = known.first { $0.name == label.label.text }?.type
      var inserted: [[Atom]] = []
      for group in groups {
        var words: [Atom] = []
        for atom in group { words.append(try await inserting(valuesIn: atom, of: type)) }
        inserted.append(words)
      }
      labels.append(
        LabeledValue(
          label: label.label, content: .groups(inserted), isKey: label.isKey, span: label.span))
    }
    return stage.replacing(atoms: atoms, labels: labels)
  }

  private mutating func inserting(valuesIn atom: Atom, of type: ArgumentType?) async throws -> Atom
  {
    switch atom.kind {
    case .interpolated(let interpolation):
      return Atom(kind: .quoted(try await text(of: interpolation)), span: atom.span)
    case .list(let elements):
      var atoms: [Atom] = []
      for element in elements { atoms.append(try await inserting(valuesIn: element, of: type)) }
      return Atom(kind: .list(atoms), span: atom.span)
    case .record(let pairs):
      var inserted: [(key: Word, value: Atom)] = []
      for (key, value) in pairs {
        inserted.append((key, try await inserting(valuesIn: value, of: nil)))
      }
      return Atom(kind: .record(inserted), span: atom.span)
    case .word:
      guard let name = atom.variable, type?.isReadFromWord ?? false else { return atom }
      let operand = try variable(name, at: atom.span)
      guard case .value(let value) = operand else { return atom }
      return Atom(kind: .word(value.insertedText), span: atom.span)
    case .quoted, .parenthesized, .environment: return atom
    }
  }
}

extension ArgumentType {
  /// Whether a command reads the argument from its word, without evaluating it.
  fileprivate var isReadFromWord: Bool {
    switch self {
    case .choice, .boolean, .integer, .seconds, .character, .outputStyle: true
    case .list(let element), .phrase(let element, _): element.isReadFromWord
    case .either(let types): types.contains(where: \.isReadFromWord)
    default: false
    }
  }
}

extension Value {
  /// The value within a string: a string without quotes, and a date or a number as it was written.
  fileprivate var insertedText: String {
    switch self {
    case .string(let text): text
    case .date(let date): date.text
    default: json
    }
  }
}
