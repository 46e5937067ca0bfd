extension ReplayEnvironment {
  enum Relation { case selected, before, after }

  /// Where a command stands, seen from the line that was asked for.
  func relation(
    of command: ReplayCommand, in section: ReplayScript.Section, of script: ReplayScript
  ) -> Relation {
    guard let onlyLine else { return .selected }
    let asked = script.selection(at: onlyLine)
    if command.lines.lowerBound < asked.lowerBound { return .before }
    return command.lines.lowerBound > asked.upperBound ? .after : .selected
  }
}

extension ReplayScript {
  /// The lines of the command at a line or above it, or of the section that begins there.
  fileprivate func selection(at line: Int) -> ClosedRange<Int> {
    if let section = sections.first(where: { $0.line == line && $0.title != nil }) {
      let last = section.commands.last.map { commands[$0].lastLine } ?? line
      return line...max(line, last)
    }
    guard let command = commands.last(where: { $0.lines.lowerBound <= line }) else {
      return line...line
    }
    return command.lines.lowerBound...max(command.lines.lowerBound, command.lastLine)
  }
}
