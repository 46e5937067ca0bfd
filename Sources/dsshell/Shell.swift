import DSInterpreter
import DSRendering
import DSReplay
import DSServing
import DataSources
import DataTables
import Glibc
import HTTPTransport

/// One run of dsshell: scripts from files, the command line or standard input, or a prompt.
struct Shell {
  private let invocation: Invocation
  private let reporter: Reporter

  private var options: CommandLineOptions { invocation.options }

  init(_ invocation: Invocation) {
    self.invocation = invocation
    reporter = Reporter(allowsColor: !invocation.options.usesNoColor)
  }

  /// - Returns: the exit status.
  func run() async -> Int32 {
    var session = Session(cancellation: Interrupts.cancellation)
    session.options.style = options.output?.text ?? TableStyle.name
    session.options.styles = Styles.described
    session.options.completeStyles = Styles.completeNames
    session.commands = .program
    session.options.arguments = invocation.arguments
    if let folder = BundledData.folder {
      session.options.examplesFolder = folder
      let lessons = BundledData.lessons(beside: folder)
      session.options.lessonsFolder = lessons
      session.options.words[LessonCourse.noun] = { LessonCourse.names(in: lessons) }
    }
    if options.isSafe {
      beginSafeMode()
    } else {
      session.options.lessonProgressFile = Environment.stateFolder.map { $0 + "/lessons.json" }
      session.caches = FetchCaches(folder: FetchCaches.userFolder { Environment[$0] })
    }
    let http = HTTPTransport(userAgent: "dsshell/\(Version.number)")
    session.transports.setNetwork(http)
    session.options.traceWriter = reporter.traceWriter
    let status = await run(in: session)
    await session.endFollowers()
    return status
  }

  /// The folder of the scripts, the data on the command line and the bundled files may be read.
  private func beginSafeMode() {
    let scripts = invocation.scripts.map { FilePath.folder(of: $0) }
    let bundled = BundledData.folder.map { [$0, BundledData.lessons(beside: $0)] } ?? []
    SafeMode.begin(
      reading: (scripts.isEmpty ? [""] : scripts) + DataWords.places(of: invocation.data) + bundled)
  }

  private func run(in session: Session) async -> Int32 {
    var session = session
    if let missing = DataWords.missing(in: invocation.data) {
      try? reporter.show(missing, in: session)
      return ExitStatus.badUsage
    }
    if let commands = options.commands {
      return await run([Script(text: commands)], in: session)
    }
    let files = invocation.scripts
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

  /// Loads the data, then runs scripts over them.
  private func run(_ scripts: [Script], in session: Session) async -> Int32 {
    Interrupts.install(.script)
    var runner = ScriptRunner(
      interpreter: Interpreter(session: session), reporter: reporter,
      keepsGoing: options.keepsGoing)
    // Standard output has only the results of the scripts.
    var ending = await runner.load(invocation.data, results: .asNotes)
    if ending == .done || ending == .failed && options.keepsGoing {
      let next = await runner.run(scripts)
      if ending == .done { ending = next }
      if ending == .done || ending == .failed && options.keepsGoing { await runner.stay() }
    }
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
    case .tooLarge:
      try? reporter.show(Diagnostic(.limit, error.message), in: session)
      return ExitStatus.badUsage
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
    try? reporter.noteWrapped(Prompt.banner)
    if let problem = history?.problem { try? reporter.note("warning: \(problem)\n") }
    var runner = ScriptRunner(interpreter: Interpreter(session: session), reporter: reporter)
    await configure(&runner)
    // A file that cannot be read may need labels, which are typed at the prompt.
    for word in invocation.data {
      Interrupts.cancellation.reset()
      _ = await runner.load([word])
      _ = Interrupts.drain()
    }
    var prompt = Prompt(
      runner: runner, reader: lineReader(history: session.history), history: history)
    return await prompt.run()
  }

  /// Runs the configuration of the user; whatever happens there, the prompt opens.
  private func configure(_ runner: inout ScriptRunner) async {
    runner.interpreter.session.execution.log.isConfiguring = true
    do throws(ScriptError) {
      if let script = try Configuration.read() {
        _ = await runner.run(script, results: .withoutReports)
      }
    } catch {
      try? reporter.note("warning: \(error.message)\n")
    }
    runner.interpreter.session.execution.log.isConfiguring = false
    Interrupts.cancellation.reset()
    _ = Interrupts.drain()
    // The command line takes precedence.
    if let output = options.output { runner.interpreter.session.options.style = output.text }
  }

  private func lineReader(history: [String]) -> any LineReader {
    let isPlain = options.isPlain || options.usesNoColor
    if !Terminal.isDumb, let reader = EditLineReader(history: history, isPlain: isPlain) {
      return reader
    }
    return PlainLineReader()
  }
}

extension CommandTable {
  /// The commands of the language and of the modules above it.
  static let program = CommandTable.serving(.replay)
}
