// Verbs of other tools, which are answered with the commands of this language.
extension Parser {
  /// The error of a verb of another tool, with the command that does its work; nil for other words.
  func foreignVerb(at token: Token, isPiped: Bool = false) -> Diagnostic? {
    let verb = span(token).text
    guard
      let advice = ForeignVerb.advice(
        for: verb, source: isPiped ? nil : subject(after: token), isPiped: isPiped)
    else { return nil }
    return Diagnostic(.unknownVerb, "no command named `\(verb)`; \(advice)", at: span(token))
  }

  /// The name that a foreign verb is probably about: the one after `from`, else the first one that is
  /// not in a list or compared; nil without such a name.
  private func subject(after verb: Token) -> String? {
    var scanner = scanner
    scanner.offset = verb.end
    var names: [String] = []
    var isAfterFrom = false
    var isList = false
    // More words than a clause has; a long line is not scanned to its end.
    for _ in 0..<32 {
      guard let token = try? scanner.next(.arguments), !token.endsCommand, !token.is("|"),
        !token.is(")")
      else { break }
      guard token.kind == .word else {
        if token.is(",") { isList = true }
        continue
      }
      let word = scanner.script.string(token.start..<token.end)
      if isAfterFrom { return Name.isValidPath(word) ? word : nil }
      isAfterFrom = word.lowercased() == "from"
      if Name.isValidPath(word), !isAfterFrom { names.append(word) }
      // The only name before an operator is a key.
      if names.count == 1, let sign = word.first, "=<>!".contains(sign) { isList = true }
    }
    return isList || names.first == "by" ? nil : names.first
  }
}
