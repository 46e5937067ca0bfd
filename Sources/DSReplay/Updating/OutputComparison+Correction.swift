extension OutputComparison {
  /// The changes of the script that make what came what is expected.
  /// - Returns: nil when lines of a file and of the script together say what is expected.
  func correction(captures: Captures) -> Correction? {
    var rewriting = LineRewriting(command, captures: captures)
    if let file = expectation.wholeFile {
      rewriting.correction.file = file
      rewriting.correction.content = transcription.output
      rewriting.correction.changedLines += Self.differences(output)
    } else {
      guard rewriting.rewrite(output, expectation.output, transcription.output, .output) else {
        return nil
      }
    }
    _ = rewriting.rewrite(errors, expectation.errors, transcription.errors, .error)
    return rewriting.finished()
  }

  private static func differences(_ steps: [Alignment.Step]) -> Int {
    Alignment.hunks(steps).reduce(0) { count, hunk in
      if case .different(let missing, let extra) = hunk {
        return count + max(missing.count, extra.count)
      }
      return count
    }
  }
}

/// Gathers the new lines of a command's expectations.
private struct LineRewriting {
  enum Stream { case output, error }

  var correction = Correction()
  private let command: ReplayCommand
  private let captures: Captures
  private var replaced: [Int: [String]] = [:]
  private var inserted: [Int: [String]] = [:]

  init(_ command: ReplayCommand, captures: Captures) {
    self.command = command
    self.captures = captures
  }

  /// - Returns: false when a line that is wrong does not stand in the script.
  mutating func rewrite(
    _ steps: [Alignment.Step], _ expected: [ExpectedLine], _ actual: [String], _ stream: Stream
  ) -> Bool {
    // Lines of standard error come after all others where none is there yet.
    var anchor = stream == .output ? command.lines.upperBound : command.lastLine
    if stream == .error, let first = expected.first?.line { anchor = first - 1 }
    for hunk in Alignment.hunks(steps) {
      switch hunk {
      case .same(.match(let index, _)), .same(.any(let index, _)):
        keepHoles(of: expected[index])
        guard let line = expected[index].line else { return false }
        anchor = line
      case .same: break
      case .different(let missing, let extra):
        for place in 0..<max(missing.count, extra.count) {
          correction.changedLines += 1
          let told = place < extra.count ? actual[extra[place]] : nil
          guard place < missing.count else {
            inserted[anchor, default: []].append(written(told ?? "", stream))
            continue
          }
          guard let line = expected[missing[place]].line else { return false }
          anchor = line
          replaced[line] = told.map { [mended(expected[missing[place]], $0, stream)] } ?? []
        }
      }
    }
    return true
  }

  private mutating func keepHoles(of line: ExpectedLine) {
    if case .pattern(let pattern) = line.kind { correction.keptHoles += pattern.numberOfHoles }
  }

  private mutating func mended(
    _ expected: ExpectedLine, _ told: String, _ stream: Stream
  ) -> String {
    guard case .pattern(let pattern) = expected.kind, pattern.numberOfHoles > 0,
      let repaired = PatternRepair.repaired(pattern, for: told, captures)
    else { return written(told, stream) }
    correction.keptHoles += repaired.numberOfHoles
    return written(repaired, stream)
  }

  private func written(_ told: String, _ stream: Stream) -> String {
    written(LinePattern(text: told), stream)
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
