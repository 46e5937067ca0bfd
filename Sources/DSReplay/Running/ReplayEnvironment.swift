package import DSInterpreter
package import DataSources
package import DataTables

/// The environment of a script that runs as a test.
package struct ReplayEnvironment: Sendable {
  package var commands = CommandTable.recording
  /// The available facilities. Commands that require others are skipped.
  package var facilities: Set<Facility> = []
  /// The transport for http and https requests of commands under `require http` or
  /// `require clickhouse`, and for new recordings of cassettes there. Transient failures are retried
  /// by the clock of the script.
  package var network: (any Transport)?
  /// Whether every command may use the network.
  package var allowsNetwork = false
  /// `args` in the script.
  package var arguments: [String] = []
  /// Whether the invariants of sources are checked after every fetch.
  package var checksInvariants = true
  /// The line of the only section or command that is checked; nil to check all. Commands above it
  /// run for their effects; commands below it do not run.
  package var onlyLine: Int?
  /// The initial virtual time of a script, in seconds since 1970: the year 2000.
  package var date = 946_684_800
  /// The virtual time that passes with each reading of the clock.
  package var tick = Duration.zero
  /// The seed of random numbers.
  package var seed: UInt64 = 0
  /// Canceled from outside when a command exceeds its time limit. The command ends, and the next
  /// command runs.
  package var cancellation = Cancellation()
  /// The maximum number of bytes of output of a command.
  package var outputLimit = 16 << 20
  /// The command that runs a script again, without its path; printed with failures.
  package var rerun = "dsshell test"

  package init() {}
}

/// Callbacks during a run.
package struct ReplayObserver {
  /// Called before a command runs.
  package var aboutToRun: (ReplayCommand) -> Void = { _ in }
  /// Called with each chunk of output, one or more lines, of the running command.
  package var wrote: (String) -> Void = { _ in }
  /// Called after a failed command. An `xfail` may cover the failure later.
  package var failed: (CommandFailure) -> Void = { _ in }
  /// Called after each section but the last, with its status up to then.
  package var ended: (SectionOutcome) -> Void = { _ in }

  package init() {}
}

extension ReplayEnvironment {
  enum Relation { case selected, before, after }

  /// The position of a command relative to the selected line.
  func relation(
    of command: ReplayCommand, in section: ReplayScript.Section, of script: ReplayScript
  ) -> Relation {
    guard let onlyLine else { return .selected }
    let selected = script.selection(at: onlyLine)
    if command.lines.lowerBound < selected.lowerBound { return .before }
    return command.lines.lowerBound > selected.upperBound ? .after : .selected
  }
}

extension ReplayScript {
  /// The lines of the section that begins at `line`, or of the last command that begins at or above
  /// `line`.
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
