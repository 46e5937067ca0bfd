import DSInterpreter
import DSReplay
import DataSources
import DataTables
import Glibc

/// The interactive loop: reads commands and runs them until the user quits.
struct Prompt {
  private var runner: ScriptRunner
  private let reader: any LineReader
  private let history: HistoryFile?

  static let banner =
    "\(Version.text): a shell for data sources. `help` shows what you can do, Ctrl-D quits."

  init(runner: ScriptRunner, reader: any LineReader, history: HistoryFile?) {
    self.runner = runner
    self.reader = reader
    self.history = history
  }

  /// - Returns: the exit status.
  mutating func run() async -> Int32 {
    // A terminal that is gone ends every line.
    var wasRefused = false
    while true {
      switch await readEntry() {
      case .end:
        Interrupts.cancellation.reset()
        if await !quit(), !wasRefused {
          wasRefused = true
          continue
        }
        await finishRecording()
        return finished(ExitStatus.done)
      case .interrupted(let isEmpty):
        if isEmpty { try? runner.reporter.note("press Ctrl-D or type `quit` to quit\n") }
      case .text(let entry):
        wasRefused = false
        guard entry.contains(where: { !$0.isWhitespace }) else { continue }
        remember(entry)
        Interrupts.cancellation.reset()
        let ending = await runner.run(Script(text: entry))
        if ending == .notParsed, entry.contains("\n") {
          try? runner.reporter.note("no line of the entry was run\n")
        }
        // A Ctrl-C that ended the command must not interrupt the next line.
        _ = Interrupts.drain()
        switch ending {
        case .quit(let status):
          await finishRecording()
          return finished(status)
        case .outputLost(let error): return ScriptRunner.Ending.outputLost(error).status
        case .done, .failed, .notParsed, .interrupted: break
        }
        if case .closed? = flush() { return ExitStatus.done }
      }
    }
  }

  /// Reports what the end of the session reverts or loses, without recording it.
  /// - Returns: whether the session ends.
  private mutating func quit() async -> Bool {
    let observers = runner.interpreter.session.execution.observers
    runner.interpreter.session.execution.observers = CommandObservers()
    defer { runner.interpreter.session.execution.observers = observers }
    if case .quit = await runner.run(Script(text: "quit")) { return true }
    return false
  }

  /// Ends a recording that is in progress, as `record off` does.
  private mutating func finishRecording() async {
    guard runner.interpreter.session.execution.observers[RecordCommand.verb] != nil else { return }
    _ = await runner.run(Script(text: "record off"))
  }

  /// Reads a command, which may continue over several lines.
  private mutating func readEntry() async -> TypedLine {
    var entry = ""
    while true {
      switch await readLine(after: entry) {
      case .text(let text): entry += text
      case .interrupted(let isEmpty): return .interrupted(isEmpty: isEmpty && entry.isEmpty)
      case .end: return entry.isEmpty ? .end : .text(entry)
      }
      if !Interpreter.isIncomplete(entry) { return .text(entry) }
      entry += "\n"
    }
  }

  /// Reads one line. Meanwhile, changes of watched sources are shown above it.
  ///
  /// - Parameter entry: the lines of the entry that the line continues.
  private mutating func readLine(after entry: String) async -> TypedLine {
    let exchange = LineExchange()
    exchange.start(reader, prompt: entry.isEmpty ? .first : .next, observing: observedChanges)
    while true {
      switch exchange.next() {
      case .line(let line): return line
      case .completions(let text, let offset):
        exchange.answer(await completions(for: text, at: offset, after: entry))
      case .decoration(let text, let cursor):
        exchange.answer(runner.interpreter.decoration(of: text, cursor: cursor))
      case .change:
        // A Ctrl-C at the prompt must not cancel the reading of a file.
        Interrupts.cancellation.reset()
        await runner.showChanges { [reader] in reader.hideLine() }
        exchange.answer(observedChanges)
      }
    }
  }

  /// The candidates at an offset of a line; none for a word that begins in a line before it.
  private func completions(
    for line: String, at offset: Int, after entry: String
  ) async -> Completions {
    var found = await runner.interpreter.completions(
      for: entry + line, at: entry.utf8.count + offset)
    found.start -= entry.utf8.count
    return found.start < 0 ? Completions(start: offset, candidates: []) : found
  }

  /// No monitors within a transaction, whose end shows the changes until then.
  private var observedChanges: ObservedChanges {
    let session = runner.interpreter.session
    var observed = ObservedChanges(
      descriptors: session.followerDescriptors, interval: session.followerInterval)
    guard session.transaction == nil else { return observed }
    observed.descriptors += session.monitors.descriptors
    observed.interval = [observed.interval, session.monitors.interval].compactMap { $0 }.min()
    return observed
  }

  /// Adds an entry to the history, unless the entry begins with a space or repeats the last entry.
  private mutating func remember(_ entry: String) {
    let isRepeated = runner.interpreter.session.history.last == entry
    guard entry.first != " ", !isRepeated else { return }
    runner.interpreter.session.history.append(entry)
    reader.remember(entry)
    history?.append(entry)
  }

  private func flush() -> OutputError? {
    do {
      try runner.reporter.flush()
      return nil
    } catch {
      return error
    }
  }

  private func finished(_ status: Int32) -> Int32 {
    do {
      try runner.reporter.finish()
      return status
    } catch {
      return ScriptRunner.Ending.outputLost(error).status
    }
  }
}
