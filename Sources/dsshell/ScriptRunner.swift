import DSInterpreter
import DataTables

/// Runs scripts in one session and shows their results.
struct ScriptRunner {
  var interpreter: Interpreter
  let reporter: Reporter
  var keepsGoing = false

  /// The results of commands that are shown, and where.
  enum ResultDisplay {
    case all
    /// All results, on standard error.
    case asNotes
    /// Results without reports, such as those of `load` and `let`.
    case withoutReports
  }

  /// How a run ended.
  enum Ending: Equatable {
    case done
    case failed
    case notParsed
    case interrupted
    /// With the exit status given to `quit`.
    case quit(Int32)
    case outputLost(OutputError)
  }

  mutating func run(_ script: Script, results: ResultDisplay = .all) async -> Ending {
    reporter.start(interpreter.session.progress)
    defer { reporter.stop() }
    var hasFailed = false
    do {
      let outcome = try await interpreter.run(
        script.text, file: script.file, keepsGoing: keepsGoing
      ) { [reporter, keepsGoing] event, session in
        do {
          try await reporter.show(event, in: session, results)
        } catch let error as OutputError {
          throw error
        } catch {
          // The objects of a result are read while it is shown, and reading can fail.
          try reporter.show(session.diagnostic(ofRendering: error), in: session)
          hasFailed = true
          if !keepsGoing || Interrupts.cancellation.isCancelled { throw error }
        }
      }
      return hasFailed && outcome == .done ? .failed : Self.ending(of: outcome)
    } catch let error as OutputError {
      return Interrupts.cancellation.isCancelled ? .interrupted : .outputLost(error)
    } catch {
      return Interrupts.cancellation.isCancelled ? .interrupted : .failed
    }
  }

  /// Reads the files of watched sources that other programs have changed, and shows the changes.
  /// - Parameter prepare: called before something is shown.
  mutating func showChanges(after prepare: () -> Void) async {
    // Events are traced as they happen.
    if interpreter.session.options.traces { prepare() }
    do {
      try await interpreter.showChanges { [reporter] event, session in
        prepare()
        try await reporter.show(event, in: session)
      }
    } catch {
      prepare()
      try? reporter.show(
        interpreter.session.diagnostic(ofRendering: error), in: interpreter.session)
    }
  }

  /// Keeps the session open after its scripts while a follower needs it, such as a server with
  /// `wait: true`; Ctrl-C ends it.
  mutating func stay() async {
    while interpreter.session.isKeptOpen, !Interrupts.cancellation.isCancelled {
      await showChanges {}
      try? reporter.flush()
      // Polls, because a signal handler that raises the flag cannot wake a task.
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Runs scripts in order, up to the first that does not succeed. With `keepsGoing`, the run also
  /// continues after a script in which a command failed.
  /// - Returns: the ending of the first script that did not succeed.
  mutating func run(_ scripts: [Script]) async -> Ending {
    var ending = Ending.done
    for script in scripts {
      let next = await run(script)
      if ending == .done { ending = next }
      if next != .done && !(next == .failed && keepsGoing) { break }
    }
    do {
      try reporter.finish()
    } catch {
      return ending == .done ? .outputLost(error) : ending
    }
    return ending
  }

  private static func ending(of outcome: ExecutionOutcome) -> Ending {
    switch outcome {
    case .done: .done
    case .failed: Interrupts.cancellation.isCancelled ? .interrupted : .failed
    case .notParsed: .notParsed
    case .cancelled: .interrupted
    case .quit(let status): .quit(Int32(min(max(status, 0), 255)))
    }
  }
}

extension ScriptRunner.Ending {
  /// The exit status. A reader that closes early, such as `head`, is not a failure.
  var status: Int32 {
    switch self {
    case .done, .outputLost(.closed): ExitStatus.done
    case .failed, .outputLost: ExitStatus.failed
    case .notParsed: ExitStatus.notParsed
    case .interrupted: ExitStatus.interrupted
    case .quit(let status): status
    }
  }
}
