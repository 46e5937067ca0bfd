import DataTables

// Errors of arguments by position that were meant as something else. Each fix is the whole command,
// to be pasted.
extension Stage {
  /// The error of a label without its colon, as in `filtered foods where kind == 'fruit'`; nil if no
  /// argument is the name of a label with a value after it.
  ///
  /// - Parameter count: the number of arguments at the start that are not labels.
  func labelWithoutColon(after count: Int) -> Diagnostic? {
    let known = command.labelsAreKeys ? [] : command.allLabels.map(\.name)
    var names: [(label: String, span: Span)] = []
    var index = count
    while index + 1 < atoms.count {
      if let phrase = labelPhrase(at: index, among: known) {
        names.append(phrase)
        index = atoms.firstIndex { $0.span.start >= phrase.span.end } ?? atoms.count
      } else if let word = atoms[index].bareWord, known.contains(word) {
        names.append((word, atoms[index].span))
        index += 1
      }
      index += 1
    }
    guard let first = names.first else { return nil }
    let fix = replacing(names.map { ($0.span, "\($0.label):") })
    return Diagnostic(
      .badArgument, "a label ends with a colon: `\(fix)`", at: first.span)
  }

  /// The error of `order by: name` and its like, whose first word is an argument by position; nil for
  /// other labels.
  func labelOfTwoWords(known: [String]) -> Diagnostic? {
    // Before a label that the command has, the word is an argument, such as the name of a source.
    guard let by = labels.first?.label, by.text.lowercased() == "by", !known.contains(by.text),
      let atom = atoms.last, let word = atom.bareWord,
      let label = LabelSynonyms.label(for: word + "by", among: known)
    else { return nil }
    let phrase = atom.span.through(by.span)
    return Diagnostic(
      .badArgument, "\(command.name) has no label `\(phrase.text)`", suggestion: "\(label):",
      at: phrase)
  }

  /// The label that `order by` or `group by` means, where two arguments are these words.
  private func labelPhrase(
    at index: Int, among known: [String]
  ) -> (label: String, span: Span)? {
    guard index + 1 < atoms.count, atoms[index + 1].bareWord?.lowercased() == "by",
      let word = atoms[index].bareWord,
      let label = LabelSynonyms.label(for: word + "by", among: known)
    else { return nil }
    return (label, atoms[index].span.through(atoms[index + 1].span))
  }

  /// The error of a predicate without its label; nil if no argument follows the ones that were taken.
  ///
  /// - Parameter rest: the arguments that were not taken.
  func predicateWithoutLabel(_ rest: ArraySlice<Atom>) -> Diagnostic? {
    guard let first = rest.first else { return nil }
    let label = PredicateArgument.label.name
    // The value of another label cannot be part of the predicate.
    let fix = replacing([(Span(span.script, first.span.start..<first.span.start), "\(label): ")])
    return Diagnostic(
      .badArgument, "a predicate follows `\(label):`: `\(fix)`", at: first.span)
  }

  /// The error of a path with spaces; nil if the arguments that were not taken do not follow a path, or
  /// are not words.
  func pathWithSpaces(_ rest: ArraySlice<Atom>) -> Diagnostic? {
    guard rest.startIndex > 0, let last = rest.last, command.parameters.last?.type.isFile == true,
      rest.allSatisfy({ $0.bareWord != nil })
    else { return nil }
    let path = atoms[rest.startIndex - 1]
    guard path.bareWord != nil else { return nil }
    let whole = path.span.through(last.span)
    let fix = replacing([(whole, SuggestedLabels.written(whole.text))])
    return Diagnostic(
      .badArgument, "put quotes around a path with spaces: `\(fix)`", at: rest[rest.startIndex].span
    )
  }

  /// The text of the command with other texts in the place of parts, which are in order.
  private func replacing(_ parts: [(span: Span, text: String)]) -> String {
    var text = ""
    var start = span.start
    for part in parts where part.span.start >= start && part.span.end <= span.end {
      text += span.script.string(start..<part.span.start) + part.text
      start = part.span.end
    }
    return text + span.script.string(start..<span.end)
  }
}

extension Atom {
  /// The text of an unquoted word; nil for other values.
  fileprivate var bareWord: String? { if case .word(let word) = kind { word } else { nil } }
}

extension ArgumentType {
  /// Whether values are paths of files, which may contain spaces.
  fileprivate var isFile: Bool {
    switch self {
    case .path, .target: true
    default: false
    }
  }
}
