import DSInterpreter
import DSRendering
import DataSources
import DataTables
import Glibc

/// Shows what commands have to say: results on standard output, all else on standard error.
final class Reporter {
  private let output: OutputStream
  private let outputTerminal: Terminal
  private let errorTerminal: Terminal
  private let statusLine: StatusLine
  private let progressBar: ProgressBar

  init(allowsColor: Bool) {
    output = OutputStream(STDOUT_FILENO)
    outputTerminal = Terminal(STDOUT_FILENO, allowsColor: allowsColor)
    errorTerminal = Terminal(STDERR_FILENO, allowsColor: allowsColor)
    statusLine = StatusLine(
      errorTerminal, isVisible: errorTerminal.isTerminal && !Terminal.isDumb)
    progressBar = ProgressBar(statusLine)
  }

  /// Called before commands run: long work shows how far it is.
  func start(_ progress: Progress) { progressBar.start(progress) }

  /// Called when no more commands run.
  func stop() { progressBar.stop() }

  /// Shows what happened.
  /// - Throws: ``OutputError``, and what reading the objects that are shown throws.
  func show(_ event: Interpreter.Event, in session: Session) async throws {
    let style = style(of: session)
    // Nothing is drawn among results.
    let wasTelling = statusLine.close()
    defer { statusLine.open() }
    switch event {
    case .output(let result):
      for part in [result, Output(result.changes)] {
        try await style.render(part, for: outputTerminal.traits) { text in
          try session.cancellation.check()
          try output.write(text)
        }
      }
      for warning in result.warnings {
        try note(style.render(warning: warning, for: errorTerminal.traits))
      }
    case .failure(let diagnostic):
      try show(diagnostic, in: session, afterStatusLine: wasTelling)
    }
    if let time = session.execution.timeTaken { try note(time.timeLine) }
    // Somebody who watches sees every result when it is there.
    if outputTerminal.isTerminal { try output.flush() }
  }

  /// Shows an error.
  /// - Parameter afterStatusLine: whether that stood where the error is shown.
  func show(
    _ diagnostic: Diagnostic, in session: Session, afterStatusLine: Bool = false
  ) throws(OutputError) {
    var lead = ""
    if diagnostic.kind == .cancelled && errorTerminal.isTerminal {
      // The terminal shows Ctrl-C as ^C, and stays in that line, which went with the status line.
      lead = afterStatusLine ? "^C\n" : "\n"
    }
    try note(lead + style(of: session).render(diagnostic, for: errorTerminal.traits))
  }

  private func style(of session: Session) -> any Style {
    Styles.style(named: session.options.style) ?? TableStyle()
  }

  /// What writes events of a fetch to standard error as they happen.
  ///
  /// Results wait in their buffer meanwhile: those of the fetch come after its events in any case.
  var traceWriter: @Sendable (EventLine, SessionOptions) -> Void {
    { [errorTerminal, statusLine] line, options in
      let style = Styles.style(named: options.style) ?? TableStyle()
      statusLine.write(style.render(trace: line, for: errorTerminal.traits))
    }
  }

  /// Writes to standard error, after all results so far.
  func note(_ text: String) throws(OutputError) {
    try output.flush()
    statusLine.write(text)
  }

  func flush() throws(OutputError) { try output.flush() }
}

extension OutputStream {
  func writeAll(_ text: String) throws(OutputError) {
    try write(text)
    try flush()
  }
}
