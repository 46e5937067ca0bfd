extension Parser {
  mutating func labels(of verb: String) throws(Diagnostic) -> [LabelledValue] {
    var labels: [LabelledValue] = []
    while try scanner.peek(.arguments).kind == .label {
      let token = try scanner.next(.arguments)
      let name = try scanner.text(of: token)
      let word = Word(text: name, span: scanner.span(token.start..<token.end))
      if labels.contains(where: { $0.label.text == name }) {
        throw error("`\(name):` is given twice", at: token)
      }
      try checkValue(of: name, verb: verb, at: token)
      let content: LabelledValue.Content =
        name == "where" ? .predicate(try predicate()) : .groups(try groups(of: name, verb: verb))
      labels.append(
        LabelledValue(
          label: word, content: content, span: scanner.span(token.start..<scanner.offset)))
    }
    return labels
  }

  private mutating func checkValue(
    of name: String, verb: String, at label: Token
  ) throws(Diagnostic) {
    let next = try scanner.peek(.arguments)
    if next.beginsAtom { return }
    if case .punctuation(UInt8(ascii: "|")) = next.kind, name == "delimiter" {
      throw error("quote the bar: `\(name): \"|\"`", at: next)
    }
    let example = commands[verb]?.allLabels.first { $0.name == name }?.example
    let mend = example.map { ", for example `\(name): \($0)`" } ?? ""
    throw error("`\(name):` has no value\(mend)", at: label)
  }

  /// Parts between commas; a line may end after a comma.
  private mutating func groups(of label: String, verb: String) throws(Diagnostic) -> [[Atom]] {
    var groups: [[Atom]] = []
    while true {
      var group: [Atom] = []
      while true {
        let token = try scanner.peek(.arguments)
        guard token.beginsAtom else { break }
        try checkSpace(token, verb: verb)
        group.append(try literal())
      }
      groups.append(group)
      let comma = try scanner.peek(.arguments)
      guard comma.is(",") else { return groups }
      _ = try scanner.next(.arguments)
      scanner.offset = scanner.skippingTrivia(from: scanner.offset, lineEnds: true)
      let next = try scanner.peek(.arguments)
      if next.kind == .label { throw commaBefore(try scanner.text(of: next), at: comma) }
      guard next.beginsAtom else {
        throw error("nothing comes after this comma of `\(label):`", at: comma)
      }
    }
  }
}
