import DSInterpreter

/// Makes holes of what differs between runs of a recorded script.
struct RecordedHoles {
  private var commands: [RecordedCommand]
  /// How many spans became holes.
  private(set) var count = 0
  private var failed: [(index: Int, message: String)] = []

  init(_ commands: [RecordedCommand]) { self.commands = commands }

  var text: String { Recording.firstLine + commands.map(\.written).joined() }

  /// - Parameter runs: what each command told in another run, in order.
  mutating func compare(_ runs: [CapturedOutput]) {
    for index in commands.indices {
      guard index < runs.count else {
        fail(index, "it was not run again")
        continue
      }
      let run = runs[index]
      if commands[index].errors.isEmpty, let failure = run.failures.first {
        fail(index, "it failed when it was run again: \(failure.message)")
        continue
      }
      commands[index].output = holes(in: commands[index].output, run.output)
      commands[index].errors = holes(in: commands[index].errors, run.errors)
    }
  }

  private mutating func fail(_ index: Int, _ message: String) {
    if !failed.contains(where: { $0.index == index }) { failed.append((index, message)) }
  }

  /// What did not go well, with the lines of the script.
  func failures(in path: String) -> [String] {
    failed.map { index, message in
      let line = 2 + commands[..<index].reduce(0) { $0 + $1.numberOfLines }
      return "\(path):\(line): \(message)"
    }
  }

  private mutating func holes(in expected: [ExpectedLine], _ actual: [String]) -> [ExpectedLine] {
    let isAsExpected = expected.count == actual.count || expected.contains(where: \.isAnyLines)
    guard isAsExpected else {
      // Another number of lines: what was the same at both ends stays.
      count += 1
      let start = zip(expected, actual).prefix { $0.mayMatch($1, Captures()) }.count
      let most = min(expected.count, actual.count) - start
      let end = zip(expected.reversed(), actual.reversed()).prefix(max(0, most))
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

extension RecordedCommand {
  fileprivate var numberOfLines: Int { written.utf8.count { $0 == UInt8(ascii: "\n") } }
}

extension ExpectedLine {
  fileprivate var pattern: LinePattern {
    switch kind {
    case .text(let text): LinePattern(text: text)
    case .pattern(let pattern): pattern
    case .anyLines: LinePattern([])
    }
  }
}
