package import DSInterpreter
package import DataSources
package import DataTables

/// What a script that is run as a test finds around it.
package struct ReplayEnvironment: Sendable {
  package var commands = CommandTable.recording
  /// What `require` can ask for and is there: `http`.
  package var facilities: Set<String> = []
  /// What answers http and https where a command may ask it: where it says `require http`, and for
  /// new recordings of cassettes there. What fails in passing is asked of it again, by the script's
  /// own clock.
  package var network: (any Transport)?
  /// Whether every command may ask the network.
  package var allowsNetwork = false
  /// `args` in the script.
  package var arguments: [String] = []
  /// Whether what should hold after every fetch is checked.
  package var checksInvariants = true
  /// Judge this line's section, or the command at it, alone: what stands before it is run for what it
  /// leaves behind, what stands after it is not run.
  package var onlyLine: Int?
  /// Where the virtual clock of a script begins, in seconds since 1970: the year 2000.
  package var date = 946_684_800
  /// How much time passes with each look at that clock.
  package var tick = Duration.zero
  /// Of what falls by chance.
  package var seed: UInt64 = 0
  /// Raised from outside when a command takes too long: it ends, and the next goes on.
  package var cancellation = Cancellation()
  /// The most bytes of output a command may have.
  package var outputLimit = 16 << 20
  /// How a script is run again, in pictures: what comes before its path.
  package var rerun = "dsshell test"

  package init() {}
}

/// Who hears how a run goes on, while it does.
package struct ReplayObserver {
  /// Before a command is run.
  package var aboutToRun: (ReplayCommand) -> Void = { _ in }
  /// What the command that runs has to say, as it says it; some lines.
  package var wrote: (String) -> Void = { _ in }
  /// After a command that went wrong; an `xfail` may forgive it in the end.
  package var failed: (CommandFailure) -> Void = { _ in }
  /// After a section that others follow, as it seems before the end of the file.
  package var ended: (SectionOutcome) -> Void = { _ in }

  package init() {}
}

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
