extension LinePattern {
  /// A pattern that takes all this one takes, and another line: words that differ become holes of the
  /// narrowest kind that takes both, else everything from the first difference to the last one.
  func widened(for line: String) -> LinePattern {
    guard let text = plainText else {
      // A third text beside a hole: what there was is widened as a whole.
      return LinePattern([.hole(.anything, name: nil, text: "*")])
    }
    return Self.byWords(text, line) ?? Self.byEnds(text, line)
  }

  private static func byWords(_ left: String, _ right: String) -> LinePattern? {
    let leftWords = left.split(separator: " ", omittingEmptySubsequences: false)
    let rightWords = right.split(separator: " ", omittingEmptySubsequences: false)
    guard leftWords.count == rightWords.count else { return nil }
    var segments: [Segment] = []
    var literal = ""
    for (index, (first, second)) in zip(leftWords, rightWords).enumerated() {
      if index > 0 { literal += " " }
      if first.utf8.elementsEqual(second.utf8) {
        literal += first
        continue
      }
      guard !first.isEmpty, !second.isEmpty else { return nil }
      if !literal.isEmpty { segments.append(.text(Array(literal.utf8))) }
      literal = ""
      segments.append(hole(for: first, second))
    }
    if !literal.isEmpty { segments.append(.text(Array(literal.utf8))) }
    return LinePattern(segments)
  }

  private static func hole(for first: Substring, _ second: Substring) -> Segment {
    let left = Array(first.utf8)[...]
    let right = Array(second.utf8)[...]
    var names = ["int", "num", "date", "duration", "uuid"]
    if min(left.count, right.count) >= 6 { names.append("hex") }
    if first.contains("/"), second.contains("/") { names.append("path") }
    for name in names {
      if let hole = Hole(name), hole.matches(left), hole.matches(right) {
        return .hole(hole, name: nil, text: name)
      }
    }
    return .hole(.anything, name: nil, text: "*")
  }

  private static func byEnds(_ left: String, _ right: String) -> LinePattern {
    let start = zip(left, right).prefix { $0 == $1 }.map(\.0)
    let restLeft = left.dropFirst(start.count)
    let restRight = right.dropFirst(start.count)
    let end = zip(restLeft.reversed(), restRight.reversed()).prefix { $0 == $1 }.map(\.0)
    var segments: [Segment] = []
    if !start.isEmpty { segments.append(.text(Array(String(start).utf8))) }
    segments.append(.hole(.anything, name: nil, text: "*"))
    if !end.isEmpty { segments.append(.text(Array(String(end.reversed()).utf8))) }
    return LinePattern(segments)
  }
}
