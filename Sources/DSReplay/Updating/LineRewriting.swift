/// Gathers the new lines of a command's expectations.
struct LineRewriting {
  enum Stream { case output, error }

  var correction = Correction()
  private let command: ReplayCommand
  /// What holes took before the command.
  private let before: Captures
  /// With what the holes of lines took that were gone through, as they will be.
  private(set) var captures: Captures
  /// The names that holes of wrong lines gave: they are lost now, or took something else.
  private var touched: Set<String> = []
  /// The first line that gives each name, as lines will be.
  private var given: [String: Int] = [:]
  /// How many bytes of patterns times bytes of lines may still be looked at closely.
  private var budget = 10 * PatternRepair.mostCells
  private var replaced: [Int: [String]] = [:]
  private var inserted: [Int: [String]] = [:]

  init(_ comparison: OutputComparison) {
    command = comparison.command
    before = comparison.before
    captures = command.setting.isUnordered ? comparison.captures : comparison.before
  }

  /// - Returns: false when a line that is wrong does not stand in the script.
  mutating func rewrite(
    _ steps: [Alignment.Step], _ expected: [ExpectedLine], _ actual: [String], _ stream: Stream
  ) -> Bool {
    for case .missing(let index) in steps {
      touched.formUnion(expected[index].holed?.captures ?? [])
    }
    // Lines of standard error come after all others where none is there yet.
    var anchor = stream == .output ? command.lines.upperBound : command.lastLine
    if stream == .error, let first = expected.first?.line { anchor = first - 1 }
    var hunks = Alignment.hunks(steps)
    if stream == .output, command.setting.isUnordered {
      // What comes last there may give names to lines above it.
      anchor = expected.compactMap(\.line).max() ?? anchor
      hunks.reverse()
    }
    for hunk in hunks {
      switch hunk {
      case .same(.match(let index, let told)):
        guard keep(expected[index], actual[told], &anchor, stream) else { return false }
      case .same(.any(let index, _)):
        guard let line = expected[index].line else { return false }
        anchor = line
      case .same: break
      case .different(let missing, let extra):
        let lines = (missing.map { expected[$0] }, extra.map { actual[$0] })
        guard replace(lines.0, lines.1, &anchor, stream) else { return false }
      }
    }
    return true
  }

  private mutating func replace(
    _ missing: [ExpectedLine], _ extra: [String], _ anchor: inout Int, _ stream: Stream
  ) -> Bool {
    for pair in HunkPairing.pairs(missing, extra, captures) {
      correction.changedLines += 1
      let told = pair.extra.map { extra[$0] }
      guard let place = pair.missing else {
        inserted[anchor, default: []].append(written(LinePattern(text: told ?? ""), stream))
        continue
      }
      guard let line = missing[place].line else { return false }
      anchor = line
      replaced[line] = told.map { [mended(missing[place], $0, at: line, stream)] } ?? []
    }
    return true
  }

  /// Keeps a line that was right, but not what it takes from a line that was wrong.
  private mutating func keep(
    _ expected: ExpectedLine, _ told: String, _ anchor: inout Int, _ stream: Stream
  ) -> Bool {
    guard let line = expected.line else { return false }
    anchor = line
    guard let pattern = expected.holed else { return true }
    let isLost = pattern.references.contains { self.isLost($0, at: line) }
    if !isLost, expected.takes(told, &captures) {
      give(pattern, at: line)
      correction.keptHoles += pattern.numberOfHoles
    } else {
      correction.changedLines += 1
      replaced[line] = [mended(expected, told, at: line, stream)]
    }
    return true
  }

  private func isLost(_ name: String, at line: Int) -> Bool {
    touched.contains(name) && before[name] == nil && given[name].map { $0 >= line } ?? true
  }

  private mutating func give(_ pattern: LinePattern, at line: Int) {
    for name in pattern.captures { given[name] = min(line, given[name] ?? line) }
  }

  private mutating func mended(
    _ expected: ExpectedLine, _ told: String, at line: Int, _ stream: Stream
  ) -> String {
    var known = captures
    for name in expected.holed?.references ?? [] where isLost(name, at: line) { known[name] = nil }
    guard let pattern = expected.holed, let mended = repaired(pattern, told, known) else {
      return written(LinePattern(text: told), stream)
    }
    correction.keptHoles += mended.numberOfHoles
    give(mended, at: line)
    _ = ExpectedLine(kind: .pattern(mended)).takes(told, &captures)
    return written(mended, stream)
  }

  private mutating func repaired(
    _ pattern: LinePattern, _ told: String, _ known: Captures
  ) -> LinePattern? {
    let (size, isHuge) = pattern.written(.doubled).utf8.count
      .multipliedReportingOverflow(by: told.utf8.count)
    let isAffordable = !isHuge && size <= budget
    if isAffordable { budget -= size }
    let most = isAffordable ? PatternRepair.mostCells : PatternRepair.fewCells
    return PatternRepair.repaired(pattern, for: told, known, within: most)?.pattern
  }

  private func written(_ pattern: LinePattern, _ stream: Stream) -> String {
    String(repeating: " ", count: command.indent)
      + (stream == .output ? Marker.outputLine(pattern) : Marker.errorLine(pattern))
  }

  func finished() -> Correction {
    var correction = correction
    for number in Set(replaced.keys).union(inserted.keys).sorted() {
      let own = replaced[number]
      let after = inserted[number] ?? []
      let start = own == nil ? number + 1 : number
      correction.edits.append(
        Correction.Edit(lines: start..<number + 1, replacement: (own ?? []) + after))
    }
    return correction
  }
}
