import DSInterpreter
import DataSources

/// Replaces text that differs between runs of a recorded script with holes.
struct RecordedHoles {
  private var commands: [RecordedCommand]
  /// The number of holes created.
  private(set) var count = 0
  private var failed: [(index: Int, message: String)] = []

  init(_ commands: [RecordedCommand]) { self.commands = commands }

  var text: String { Recording.firstLine + commands.map(\.written).joined() }

  /// - Parameter runs: the output of each command in another run, in order.
  mutating func compare(_ runs: [CapturedOutput]) {
    for index in commands.indices {
      guard index < runs.count else {
        fail(index, "the command was not run again")
        continue
      }
      let run = runs[index]
      if commands[index].errors.isEmpty, let failure = run.failures.first {
        fail(index, "the command failed when it was run again: \(failure.message)")
        continue
      }
      if commands[index].isDefinition { continue }
      commands[index].output = holes(in: commands[index].output, run.output)
      commands[index].errors = holes(in: commands[index].errors, run.errors)
    }
  }

  private mutating func fail(_ index: Int, _ message: String) {
    if !failed.contains(where: { $0.index == index }) { failed.append((index, message)) }
  }

  /// Messages about commands that failed or did not run in another run, with their lines in the
  /// script.
  func failures(in path: String) -> [String] {
    failed.map { index, message in
      let line = 2 + commands[..<index].reduce(0) { $0 + $1.numberOfLines }
      return "\(path):\(line): \(message)"
    }
  }

  private mutating func holes(in expected: [ExpectedLine], _ actual: [String]) -> [ExpectedLine] {
    guard expected.count == actual.count || expected.contains(where: \.isAnyLines) else {
      // Keep the lines that match at both ends.
      count += 1
      let start = zip(expected, actual).prefix { $0.mayMatch($1, Captures()) }.count
      let rest = min(expected.count, actual.count) - start
      let end = zip(expected.reversed(), actual.reversed()).prefix(max(0, rest))
        .prefix { $0.mayMatch($1, Captures()) }.count
      return expected.prefix(start) + [ExpectedLine(kind: .anyLines)] + expected.suffix(end)
    }
    if expected.contains(where: \.isAnyLines) { return expected }
    return zip(expected, actual).map { line, actualLine in
      if line.mayMatch(actualLine, Captures()) { return line }
      let widened = line.pattern.widened(for: actualLine)
      count += max(1, widened.numberOfHoles - line.pattern.numberOfHoles)
      return ExpectedLine(kind: .pattern(widened))
    }
  }
}

extension ExpectedLine {
  fileprivate var pattern: LinePattern {
    switch kind {
    case .text(let text): LinePattern(text: text)
    case .pattern(let pattern): pattern
    case .anyLines: LinePattern([])
    case .digest(let digest): LinePattern(text: digest.text)
    }
  }
}

/// A typed command with its output as expectations.
struct RecordedCommand {
  let text: String
  var output: [ExpectedLine]
  var errors: [ExpectedLine]
  /// Whether the command ran before the recording, so that its output is not expected.
  var isDefinition = false

  init(definition text: String) {
    self.text = text
    output = []
    errors = []
    isDefinition = true
  }

  /// - Parameter redact: replaces secrets by ``TransportRouter/secretMark``; holes take their places.
  init(
    text: String, _ captured: CapturedOutput, hiding redact: (String) -> String = { $0 }
  ) {
    self.text = text
    output = captured.output.map { line in
      ExpectedLine(kind: Self.pattern(line, redact).map { .pattern($0) } ?? .text(line))
    }
    errors = captured.errors.map { line in
      ExpectedLine(kind: .pattern(Self.pattern(line, redact) ?? LinePattern(text: line)))
    }
  }

  /// The line with holes in the places of secrets; nil without any.
  private static func pattern(_ line: String, _ redact: (String) -> String) -> LinePattern? {
    let safe = redact(line)
    if safe == line { return nil }
    var segments: [LinePattern.Segment] = []
    let parts = safe.split(
      separator: TransportRouter.secretMark, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index > 0 { segments.append(.hole(.anything, name: nil, text: "*")) }
      if !part.isEmpty { segments.append(.text(Array(part.utf8))) }
    }
    return LinePattern(segments)
  }

  /// The command and its expectations as lines of a script.
  var written: String {
    var lines = [text]
    for line in writtenOutput {
      switch line.kind {
      case .text(let text): lines.append(Marker.outputLine(text))
      case .pattern(let pattern): lines.append(Marker.outputLine(pattern))
      case .anyLines: lines.append(Marker.anyLines.text)
      case .digest(let digest): lines.append(Marker.anyLines.line(digest.text))
      }
    }
    for line in errors {
      guard case .pattern(let pattern) = line.kind else { continue }
      lines.append(Marker.errorLine(pattern))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The expectations of the output. Many lines that are the same in each run are written as their digest,
  /// as by an update.
  private var writtenOutput: [ExpectedLine] {
    guard output.count > LineRewriting.mostWrittenLines else { return output }
    let texts = output.compactMap { line -> String? in
      if case .text(let text) = line.kind { text } else { nil }
    }
    guard texts.count == output.count else { return output }
    return [ExpectedLine(kind: .digest(LinesDigest(of: texts)))]
  }

  /// Whether its lines parse as one command with all of its expectations.
  func parsesAlone(_ commands: CommandTable) -> Bool {
    let script = ReplayScript(written, path: "", commands: commands)
    return script.mistakes.isEmpty
      && script.commands.map(\.expectations.count) == [writtenOutput.count + errors.count]
  }

  var numberOfLines: Int { written.utf8.count { $0 == UInt8(ascii: "\n") } }
}

extension LinePattern {
  /// A pattern that matches `line` and every line that this pattern matches.
  ///
  /// Differing words become holes of the narrowest kind that matches both. If the numbers of words
  /// differ or a differing word is empty, one `{*}` spans the first to the last difference.
  func widened(for line: String) -> LinePattern {
    guard let text = plainText else {
      // A line that already has holes becomes a single `{*}`.
      return LinePattern([.hole(.anything, name: nil, text: "*")])
    }
    return Self.byWords(text, line) ?? Self.byEnds(text, line)
  }

  /// A pattern that matches a line, with holes in place of the cells that differ from those of an
  /// earlier line; nil if the lines have other numbers of cells. Two or more spaces are between cells.
  static func byCells(_ earlier: String, _ line: String) -> LinePattern? {
    let (old, new) = (cells(of: earlier), cells(of: line))
    guard old.count == new.count, new.count > 1 else { return nil }
    var segments: [Segment] = []
    var literal = ""
    for (old, new) in zip(old, new) {
      literal += new.gap
      if old.text.utf8.elementsEqual(new.text.utf8) {
        literal += new.text
        continue
      }
      guard !old.text.isEmpty, !new.text.isEmpty else { return nil }
      if !literal.isEmpty { segments.append(.text(Array(literal.utf8))) }
      literal = ""
      segments.append(hole(for: old.text, new.text))
    }
    if !literal.isEmpty { segments.append(.text(Array(literal.utf8))) }
    return LinePattern(segments)
  }

  /// The cells of a line, each with the spaces before it.
  private static func cells(of line: String) -> [(gap: Substring, text: Substring)] {
    var cells: [(gap: Substring, text: Substring)] = []
    var rest = line[...]
    while !rest.isEmpty {
      let gap = rest.prefix { $0 == " " }
      rest = rest.dropFirst(gap.count)
      let text = rest[..<(rest.firstRange(of: "  ")?.lowerBound ?? rest.endIndex)]
      cells.append((gap, text))
      rest = rest.dropFirst(text.count)
    }
    return cells
  }

  static func byWords(_ left: String, _ right: String) -> LinePattern? {
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
