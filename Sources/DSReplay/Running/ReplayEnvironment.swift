package import DSInterpreter
package import DataSources
package import DataTables

/// The environment of a script that runs as a test.
package struct ReplayEnvironment: Sendable {
  package var commands = CommandTable.replay
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
  /// The engine to which `load` copies rows; nil leaves them in their files.
  package var engine: TableEngine?
  /// The file of an `each` directive to which its name is bound; nil for a script without one.
  var eachFile: String?
  /// The sections that are tested. Those above a selected one run for their effects, unless the filter
  /// excludes them.
  package var filter = SectionFilter()
  /// The values of `--set`, which replace those of `set` directives.
  package var values: [String: Value] = [:]
  /// Whether all scripts are strict.
  package var isStrict = false
  /// Whether the coverage of the sources is measured (`--coverage`).
  package var measuresCoverage = false
  /// Whether the files that a script reads are recorded.
  package var recordsReads = false
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
  /// Whether commands that print something must have expectations, so that an update writes them.
  package var fillsExpectations = false
  /// Whether failures have the pictures of their output.
  package var drawsPictures = false
  /// The seed of the order of concurrent tasks, and of random numbers in place of ``seed``; takes
  /// precedence over the seeds of the script. nil for the order in which tasks become ready.
  package var orderSeed: UInt64?
  /// A script runs once for each seed, in this order, up to the first that fails; nil for one run.
  package var exploredSeeds: ClosedRange<UInt64>?
  /// Canceled from outside when a command exceeds its time limit. The command ends, and the next
  /// command runs.
  package var cancellation = Cancellation()
  /// The time limit of a command without `timeout`, as messages name it.
  package var commandTime = Duration.seconds(5)
  /// The maximum number of bytes of output of a command.
  package var outputLimit = 16 << 20
  /// The command that runs a script again, without its path; printed with failures.
  package var rerun = "dsshell test"

  package init() {}

  /// The run of the script.
  var variant: ScriptVariant {
    get { ScriptVariant(file: eachFile, engine: engine) }
    set {
      eachFile = newValue.file
      engine = newValue.engine ?? engine
    }
  }

  /// Runs with the commands of a session, and ends when a command of it is canceled.
  init(of session: Session) {
    commands = session.commands
    // A separate cancellation, because a run resets it after a command that was canceled.
    cancellation = Cancellation(parent: session.cancellation)
  }
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
  /// Called before commands that ran already run again, for another file or seed or with other
  /// edits. They have the time limit of a file again.
  package var runsAgain: () -> Void = {}
  /// Called before the script runs under a seed of `exploredSeeds`. The results that were reported
  /// before belong to another seed.
  package var beganSeed: (UInt64) -> Void = { _ in }
  /// Called before a run of a script with several, with its name; and after it, with its sections.
  package var beganVariant: (String) -> Void = { _ in }
  package var endedVariant: ([SectionOutcome]) -> Void = { _ in }

  package init() {}
}

// Sections that a filter selects.
extension ReplayEnvironment {
  /// Whether a section of this run is tested.
  func selects(_ section: ReplayScript.Section, of script: ReplayScript) -> Bool {
    filter.selectsAll
      || filter.selects(
        path: script.path, title: variant.title(of: section.title), tags: section.setting.tags)
  }

  /// The indices of the sections whose commands run: all sections up to the last one that is selected,
  /// without those that are excluded.
  func runningSections(of script: ReplayScript) -> Set<Int> {
    let indices = script.sections.indices
    if filter.selectsAll { return Set(indices) }
    guard let last = indices.last(where: { selects(script.sections[$0], of: script) }) else {
      return []
    }
    return Set(
      (0...last).filter { index in
        let section = script.sections[index]
        return !filter.excludes(
          path: script.path, title: variant.title(of: section.title), tags: section.setting.tags)
      })
  }
}

extension ReplayEnvironment {
  /// The rest of a message about a command that was canceled because its time was over.
  /// - Parameters:
  ///   - timeout: the time limit that the command has; nil for the usual one.
  ///   - ending: how it ended.
  func exceededTime(of timeout: Duration?, ending: String = "and was ended") -> String {
    let limit = timeout ?? commandTime
    let more = (limit * 2).shortText.filter { $0 != " " }
    let separator = ending.hasPrefix("and") ? " " : ", "
    return
      "exceeded its time limit of \(limit.shortText)\(separator)\(ending); write `#% timeout \(more)`"
      + " below it, or use `--timeout`"
  }

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
  /// The lines of the section that begins at `line` or whose first command is below it, or of the last
  /// command that begins at or above `line`.
  fileprivate func selection(at line: Int) -> ClosedRange<Int> {
    if let section = sections.last(where: { $0.line <= line && $0.title != nil }) {
      let first = section.commands.first.map { commands[$0].lines.lowerBound }
      if section.line == line || line < first ?? line {
        let last = section.commands.last.map { commands[$0].lastLine } ?? line
        return section.line...max(line, last)
      }
    }
    guard let command = commands.last(where: { $0.lines.lowerBound <= line }) else {
      return line...line
    }
    return command.lines.lowerBound...max(command.lines.lowerBound, command.lastLine)
  }
}
