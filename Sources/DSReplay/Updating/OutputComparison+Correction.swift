extension OutputComparison {
  /// The changes that make what came what is expected, in the script and in the files beside it.
  func correction(captures: Captures) -> Correction {
    var rewriting = LineRewriting(command, expectation.files, captures: captures)
    rewriting.rewrite(
      output, expectation.output, transcription.output, .output,
      from: expectation.start(of: command))
    // Lines of standard error come after all others where none is there yet.
    let last = expectation.errors.first?.line.map { $0 - 1 } ?? command.lastLine
    rewriting.rewrite(
      errors, expectation.errors, transcription.errors, .error, from: .script(last))
    return rewriting.finished()
  }
}

/// Gathers the new lines of a command's expectations.
private struct LineRewriting {
  enum Stream { case output, error }

  private var correction = Correction()
  private let command: ReplayCommand
  private let files: [SideFile]
  private let captures: Captures
  private var replaced: [LinePlace: [String]] = [:]
  /// By the place after which they come.
  private var inserted: [LinePlace: [String]] = [:]

  init(_ command: ReplayCommand, _ files: [SideFile], captures: Captures) {
    self.command = command
    self.files = files
    self.captures = captures
  }

  mutating func rewrite(
    _ steps: [Alignment.Step], _ expected: [ExpectedLine], _ actual: [String], _ stream: Stream,
    from start: LinePlace
  ) {
    var anchor = start
    for hunk in Alignment.hunks(steps) {
      switch hunk {
      case .same(.match(let index, _)), .same(.any(let index, _)):
        keepHoles(of: expected[index])
        anchor = expected[index].place ?? anchor
      case .same: break
      case .different(let missing, let extra):
        for number in 0..<max(missing.count, extra.count) {
          correction.changedLines += 1
          let told = number < extra.count ? actual[extra[number]] : nil
          guard number < missing.count else {
            inserted[anchor, default: []].append(written(told ?? "", stream, at: anchor))
            continue
          }
          let line = expected[missing[number]]
          anchor = line.place ?? anchor
          replaced[anchor] = told.map { [mended(line, $0, stream, at: anchor)] } ?? []
        }
      }
    }
  }

  private mutating func keepHoles(of line: ExpectedLine) {
    if case .pattern(let pattern) = line.kind { correction.keptHoles += pattern.numberOfHoles }
  }

  private mutating func mended(
    _ expected: ExpectedLine, _ told: String, _ stream: Stream, at place: LinePlace
  ) -> String {
    guard case .pattern(let pattern) = expected.kind, pattern.numberOfHoles > 0,
      let repaired = PatternRepair.repaired(pattern, for: told, captures)
    else { return written(told, stream, at: place) }
    correction.keptHoles += repaired.numberOfHoles
    return stream == .output
      ? line(.pattern, repaired.written(.doubled)) : line(.errorLine, repaired.written(.lenient))
  }

  private func written(_ told: String, _ stream: Stream, at place: LinePlace) -> String {
    if case .file = place { return told }
    return stream == .output
      ? line(.line, told) : line(.errorLine, LinePattern(text: told).written(.lenient))
  }

  private func line(_ marker: Marker, _ text: String) -> String {
    let indent = String(repeating: " ", count: command.indent)
    return indent + marker.text + (text.isEmpty ? "" : " " + LineEnding.written(text))
  }

  func finished() -> Correction {
    var correction = correction
    correction.edits = edits
    correction.files = files.indices.compactMap(fileCorrection)
    return correction
  }

  private var edits: [Correction.Edit] {
    let numbers = Set(replaced.keys).union(inserted.keys).compactMap { place in
      if case .script(let number) = place { number } else { nil }
    }
    return numbers.sorted().map { number in
      let own = replaced[.script(number)]
      let after = inserted[.script(number)] ?? []
      let start = own == nil ? number + 1 : number
      return Correction.Edit(lines: start..<number + 1, replacement: (own ?? []) + after)
    }
  }

  private func fileCorrection(_ index: Int) -> Correction.File? {
    let file = files[index]
    var lines = inserted[.file(index, line: -1)] ?? []
    for (number, line) in file.lines.enumerated() {
      let place = LinePlace.file(index, line: number)
      lines += (replaced[place] ?? [line]) + (inserted[place] ?? [])
    }
    if file.stamp != nil, lines == file.lines { return nil }
    return Correction.File(path: file.path, stamp: file.stamp, text: file.text(with: lines))
  }
}
