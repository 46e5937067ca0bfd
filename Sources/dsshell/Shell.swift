import DSInterpreter
import DSRendering
import DSReplay
import DataSources
import DataTables
import Glibc
import HTTPTransport

/// One run of dsshell: scripts from files, the command line or standard input, or a prompt.
struct Shell {
  private let options: DSShell
  private let arguments: [String]
  private let reporter: Reporter

  /// - Parameter arguments: the words after `--`.
  init(_ options: DSShell, arguments: [String]) {
    self.options = options
    self.arguments = arguments
    reporter = Reporter(allowsColor: !options.noColor)
  }

  /// - Returns: the exit status.
  func run() async -> Int32 {
    let (files, words) = options.scripts
    var session = Session(cancellation: Interrupts.cancellation)
    session.options.style = options.output?.text ?? TableStyle.name
    session.options.styles = Styles.names
    session.options.completeStyles = Styles.completeNames
    session.commands = .recording
    session.options.arguments = words + arguments
    session.caches = FetchCaches(folder: FetchCaches.userFolder { Environment[$0] })
    let http = HTTPTransport(userAgent: "dsshell/\(Version.number)")
    session.transports.setNetwork(RetryingTransport(http, retry: session.transports.retry))
    session.options.traceWriter = reporter.traceWriter
    if let commands = options.c {
      return await run([Script(text: commands)], in: session)
    }
    if files.isEmpty && isatty(STDIN_FILENO) == 1 { return await prompt(in: session) }
    Interrupts.install(.script)
    do {
      var scripts: [Script] = []
      for file in files.isEmpty ? [Script.standardInput] : files {
        scripts.append(try Script.read(file))
        if file == Script.standardInput { session.options.readsStandardInput = true }
      }
      return await run(scripts, in: session)
    } catch {
      return report(error, in: session)
    }
  }

  private func run(_ scripts: [Script], in session: Session) async -> Int32 {
    Interrupts.install(.script)
    var runner = ScriptRunner(
      interpreter: Interpreter(session: session), reporter: reporter,
      keepsGoing: options.keepGoing)
    let ending = await runner.run(scripts)
    if case .outputLost(let error) = ending, let message = error.message {
      try? reporter.note("error: \(message)\n")
    }
    return ending.status
  }

  /// - Returns: the exit status.
  private func report(_ error: ScriptError, in session: Session) -> Int32 {
    if Interrupts.cancellation.isCancelled { return ExitStatus.interrupted }
    switch error {
    case .unreadable:
      try? reporter.show(Diagnostic(.io, error.message), in: session)
      return ExitStatus.badUsage
    case .notText:
      try? reporter.show(Diagnostic(.encoding, error.message), in: session)
      return ExitStatus.notParsed
    }
  }

  private func prompt(in session: Session) async -> Int32 {
    Interrupts.install(.prompt)
    RecordedRun.command = TestCommand.recordedRunCommand
    let history = HistoryFile()
    reporter.usePager()
    var session = session
    session.options.isInteractive = true
    session.options.readsStandardInput = true
    session.history = history?.entries() ?? []
    try? reporter.note(Prompt.banner)
    if let problem = history?.problem { try? reporter.note("warning: \(problem)\n") }
    let runner = ScriptRunner(interpreter: Interpreter(session: session), reporter: reporter)
    var prompt = Prompt(
      runner: runner, reader: lineReader(history: session.history), history: history)
    return await prompt.run()
  }

  private func lineReader(history: [String]) -> any LineReader {
    if !Terminal.isDumb, let reader = EditLineReader(history: history) { return reader }
    return PlainLineReader()
  }
}
