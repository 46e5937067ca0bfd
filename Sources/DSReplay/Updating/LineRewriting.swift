extension OutputComparison {
  /// The edits of the script and its side files that make the actual output the expected output.
  /// - Parameter captures: the captures so far; those of rewritten lines are added.
  func correction(_ captures: inout Captures) -> Correction {
    var rewriting = LineRewriting(self)
    rewriting.rewrite(
      output, expectation.output, lines.shown, .output,
      from: expectation.start(of: command))
    // Without error lines, new ones are inserted below all other expectations.
    let last = expectation.errors.first?.line.map { $0 - 1 } ?? command.lastLine
    rewriting.rewrite(
      errors, expectation.errors, captured.errors, .error, from: .script(last))
    captures = rewriting.captures
    return rewriting.finished()
  }
}

/// Collects the new lines of a command's expectations.
struct LineRewriting {
  enum Stream { case output, error }

  private var correction = Correction()
  private let command: ReplayCommand
  private let files: [SideFile]
  /// The lines of standard output as they were compared.
  private let lines: ComparedLines
  /// The captures of the commands above.
  private let before: Captures
  /// ``before`` and the captures of the lines processed so far, as rewritten.
  private(set) var captures: Captures
  /// Names captured by wrong lines: those captures are lost or have another text.
  private var changedNames: Set<String> = []
  /// The first line that captures each name, as rewritten.
  private var firstLines: [String: Int] = [:]
  /// The number of cells (bytes of a pattern × bytes of a line) left for detailed comparison.
  private var budget = 10 * PatternRepair.maximumCells
  private var replaced: [LineLocation: [String]] = [:]
  /// The inserted lines, by the location that they follow.
  private var inserted: [LineLocation: [String]] = [:]

  init(_ comparison: OutputComparison) {
    command = comparison.command
    files = comparison.expectation.files
    lines = comparison.lines
    before = comparison.before
    captures = command.setting.isUnordered ? comparison.captures : comparison.before
  }

  /// - Parameter start: the location after which a line above all expected lines is inserted.
  mutating func rewrite(
    _ steps: [Alignment.Step], _ expected: [ExpectedLine], _ actual: [String], _ stream: Stream,
    from start: LineLocation
  ) {
    for case .missing(let index) in steps {
      changedNames.formUnion(expected[index].patternWithHoles?.captures ?? [])
    }
    var anchor = start
    var hunks = Alignment.hunks(steps)
    if stream == .output, command.setting.isUnordered {
      // A line inserted at the end may capture names for the lines above.
      anchor = expected.last?.location ?? start
      hunks.reverse()
    }
    for hunk in hunks {
      switch hunk {
      case .same(.match(let index, let line)):
        if stream == .output, lines.ignoresValues {
          keepIgnoring(expected[index], index, line, &anchor)
        } else {
          keep(expected[index], actual[line], &anchor, stream)
        }
      case .same(.any(let index, _)): anchor = expected[index].location ?? anchor
      case .same: break
      case .different(let missing, let extra):
        let (missing, extra) = (missing.map { expected[$0] }, extra.map { actual[$0] })
        if stream == .output, isLong(missing, extra, expected) {
          replaceByDigest(missing, extra, &anchor)
        } else {
          replace(missing, extra, &anchor, stream)
        }
      }
    }
  }

  /// The number of lines of output that an update writes into a script at most, unless so many lines are
  /// there already. More lines are written as their digest.
  static let mostWrittenLines = 100

  private func isLong(
    _ missing: [ExpectedLine], _ extra: [String], _ expected: [ExpectedLine]
  ) -> Bool {
    let isInScript = (missing.first ?? expected.first)?.isInScript ?? true
    let canBeLocated =
      command.setting.isUnordered
      ? missing.count == expected.count
      : expected.count { $0.isAnyLines } < 2
    return extra.count > Self.mostWrittenLines && expected.count <= Self.mostWrittenLines
      && isInScript && files.isEmpty && canBeLocated
  }

  private mutating func replaceByDigest(
    _ missing: [ExpectedLine], _ extra: [String], _ anchor: inout LineLocation
  ) {
    let isUnordered = command.setting.isUnordered
    let lines =
      isUnordered ? extra.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } : extra
    for line in missing {
      anchor = line.location ?? anchor
      replaced[anchor] = []
      correction.lostHoles += line.patternWithHoles?.numberOfHoles ?? 0
    }
    correction.changedLines += max(1, missing.count)
    let digest = LinesDigest(of: lines).text
    if missing.isEmpty {
      inserted[anchor, default: []].append(written(digestLine: digest))
    } else {
      replaced[anchor] = [written(digestLine: digest)]
    }
  }

  private func written(digestLine text: String) -> String {
    String(repeating: " ", count: command.indent) + Marker.anyLines.line(text)
  }

  private mutating func replace(
    _ missing: [ExpectedLine], _ extra: [String], _ anchor: inout LineLocation, _ stream: Stream
  ) {
    for pair in HunkPairing.pairs(missing, extra, captures) {
      correction.changedLines += 1
      let actual = pair.extra.map { extra[$0] }
      guard let number = pair.missing else {
        inserted[anchor, default: []].append(written(actual ?? "", stream, at: anchor))
        continue
      }
      anchor = missing[number].location ?? anchor
      replaced[anchor] = actual.map { [rewritten(missing[number], $0, at: anchor, stream)] } ?? []
    }
  }

  /// Keeps a correct line, unless it refers to a capture of a wrong line.
  private mutating func keep(
    _ expected: ExpectedLine, _ actual: String, _ anchor: inout LineLocation, _ stream: Stream
  ) {
    anchor = expected.location ?? anchor
    guard let pattern = expected.patternWithHoles, let line = expected.line else {
      if let text = expected.text, !text.hasBytes(of: actual) {
        // The cells are equal, and their columns are wider or narrower.
        correction.changedLines += 1
        replaced[anchor] = [written(actual, stream, at: anchor)]
      }
      return
    }
    let isLost = pattern.references.contains { self.isLost($0, at: line) }
    if !isLost, expected.matches(actual, &captures) {
      recordNames(of: pattern, at: line)
      correction.keptHoles += pattern.numberOfHoles
    } else {
      correction.changedLines += 1
      replaced[anchor] = [rewritten(expected, actual, at: anchor, stream)]
    }
  }

  /// Keeps a line that is correct except for ignored values.
  private mutating func keepIgnoring(
    _ expected: ExpectedLine, _ index: Int, _ actualIndex: Int, _ anchor: inout LineLocation
  ) {
    anchor = expected.location ?? anchor
    guard let pattern = expected.patternWithHoles, let line = expected.line else { return }
    _ = lines.expected[index].matches(lines.actual[actualIndex], &captures)
    recordNames(of: pattern, at: line)
    correction.keptHoles += pattern.numberOfHoles
  }

  private func isLost(_ name: String, at line: Int) -> Bool {
    changedNames.contains(name) && before[name] == nil
      && firstLines[name].map { $0 >= line } ?? true
  }

  private mutating func recordNames(of pattern: LinePattern, at line: Int) {
    for name in pattern.captures { firstLines[name] = min(line, firstLines[name] ?? line) }
  }

  private mutating func rewritten(
    _ expected: ExpectedLine, _ actual: String, at location: LineLocation, _ stream: Stream
  ) -> String {
    // Only lines of the script have holes.
    guard let pattern = expected.patternWithHoles, let line = expected.line else {
      return written(actual, stream, at: location)
    }
    var known = captures
    for name in pattern.references where isLost(name, at: line) { known[name] = nil }
    guard let result = repaired(pattern, actual, known) else {
      correction.lostHoles += pattern.numberOfHoles
      return written(actual, stream, at: location)
    }
    correction.keptHoles += result.numberOfHoles
    correction.lostHoles += max(0, pattern.numberOfHoles - result.numberOfHoles)
    recordNames(of: result, at: line)
    _ = ExpectedLine(kind: .pattern(result)).matches(actual, &captures)
    return written(result, stream)
  }

  private mutating func repaired(
    _ pattern: LinePattern, _ actual: String, _ known: Captures
  ) -> LinePattern? {
    let (size, isHuge) = pattern.written(.doubled).utf8.count
      .multipliedReportingOverflow(by: actual.utf8.count)
    let isAffordable = !isHuge && size <= budget
    if isAffordable { budget -= size }
    let maximum = isAffordable ? PatternRepair.maximumCells : PatternRepair.maximumCellsPerLine
    return PatternRepair.repaired(pattern, for: actual, known, within: maximum)?.pattern
  }

  private func written(_ actual: String, _ stream: Stream, at location: LineLocation) -> String {
    if case .file = location { return actual }
    if stream == .output, lines.digests.contains(actual) { return written(digestLine: actual) }
    return written(LinePattern(text: actual), stream)
  }

  private func written(_ pattern: LinePattern, _ stream: Stream) -> String {
    String(repeating: " ", count: command.indent)
      + (stream == .output ? Marker.outputLine(pattern) : Marker.errorLine(pattern))
  }

  func finished() -> Correction {
    var correction = correction
    correction.edits = edits
    correction.files = files.indices.compactMap(fileCorrection)
    return correction
  }

  private var edits: [Correction.Edit] {
    let numbers = Set(replaced.keys).union(inserted.keys).compactMap { location in
      if case .script(let number) = location { number } else { nil }
    }
    return numbers.sorted().map { number in
      let replacement = replaced[.script(number)]
      let after = inserted[.script(number)] ?? []
      let start = replacement == nil ? number + 1 : number
      return Correction.Edit(lines: start..<number + 1, replacement: (replacement ?? []) + after)
    }
  }

  private func fileCorrection(_ index: Int) -> Correction.File? {
    let file = files[index]
    var lines = inserted[.file(index, line: -1)] ?? []
    for (number, line) in file.lines.enumerated() {
      let location = LineLocation.file(index, line: number)
      lines += (replaced[location] ?? [line]) + (inserted[location] ?? [])
    }
    if file.stamp != nil, lines == file.lines { return nil }
    return Correction.File(path: file.path, stamp: file.stamp, text: file.text(with: lines))
  }
}
