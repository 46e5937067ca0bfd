import DSInterpreter
import DSRendering
import DataSources
import DataTables
import Glibc

/// Writes results to standard output and everything else to standard error.
final class Reporter {
  private let output: OutputStream
  private let outputTerminal: Terminal
  private let errorTerminal: Terminal
  private let statusLine: StatusLine
  private let progressBar: ProgressBar
  /// Shows long results of the prompt; nil elsewhere, and without a pager.
  private var pager: ResultPager?
  /// The style whose document is open.
  private var framing: (any Style)?

  init(allowsColor: Bool) {
    output = OutputStream(STDOUT_FILENO)
    outputTerminal = Terminal(STDOUT_FILENO, allowsColor: allowsColor)
    errorTerminal = Terminal(STDERR_FILENO, allowsColor: allowsColor)
    statusLine = StatusLine(
      errorTerminal, isVisible: errorTerminal.isTerminal && !Terminal.isDumb)
    progressBar = ProgressBar(statusLine)
  }

  /// Shows results that do not fit on the terminal in pages.
  func usePager() { pager = ResultPager(outputTerminal) }

  /// Shows the progress of long commands until ``stop()``; call it before commands run.
  func start(_ progress: Progress) { progressBar.start(progress) }

  /// Ends the display of progress; call it when all commands have finished.
  func stop() { progressBar.stop() }

  /// Shows the result or the failure of a command.
  /// - Throws: ``OutputError``, and the errors of reading the objects that are shown.
  func show(
    _ event: ExecutionEvent, in session: Session, _ results: ScriptRunner.ResultDisplay = .all
  ) async throws {
    let style = style(of: session)
    // Progress must not appear between results.
    let showedProgress = statusLine.close()
    defer { statusLine.open() }
    switch event {
    case .output(let result):
      for part in [result, Output(result.changes)] {
        if results == .withoutReports, case .report = part.content { continue }
        if let text = style.note(on: part, for: errorTerminal.traits) {
          try note(text)
          continue
        }
        if results == .asNotes {
          try await style.render(part, for: errorTerminal.traits) { text in
            try session.cancellation.checkCancelled()
            try note(text, of: style)
          }
        } else {
          try await write(part, in: style, session)
        }
      }
      for warning in result.warnings {
        try note(style.render(warning: warning, for: errorTerminal.traits), of: style)
      }
    case .failure(let diagnostic):
      try show(diagnostic, in: session, afterStatusLine: showedProgress)
    }
    if let time = session.execution.timeTaken { try note(time.timeLine) }
    // On a terminal, each result appears immediately.
    if outputTerminal.isTerminal || session.execution.waitsNext { try output.flush() }
  }

  private func write(_ part: Output, in style: any Style, _ session: Session) async throws {
    var traits = outputTerminal.traits
    traits.rowLimit = session.options.shownRows
    if let pager, session.options.usesPager {
      if style is TableStyle, case .picture(_, _, let preview?) = part.content {
        try output.flush()
        if try await pager.show(preview) { return }
      }
      try await write(part, in: style, traits, pager, session.cancellation)
      return
    }
    try await style.render(part, for: traits) { text in
      try session.cancellation.checkCancelled()
      try frame(style)
      try output.write(outputTerminal.isTerminal ? style.safeForTerminal(text) : text)
    }
  }

  /// Writes a result, in the pager if it does not fit on the terminal.
  private func write(
    _ part: Output, in style: any Style, _ traits: TerminalTraits, _ pager: ResultPager,
    _ cancellation: Cancellation
  ) async throws {
    var traits = traits
    let notices = RenderingNotices()
    traits.notices = notices
    var text = ""
    var isCollected = true
    try await style.render(part, for: traits) { chunk in
      try cancellation.checkCancelled()
      text += style.safeForTerminal(chunk)
      isCollected = isCollected && text.utf8.count <= ResultPager.maximumSize
      if !isCollected {
        try output.write(text)
        text = ""
      }
    }
    if isCollected, pager.isNeeded(for: text, notices) {
      // In the pager, wide tables are scrolled sideways.
      traits.width = nil
      var pages = ""
      try await style.render(part, for: traits) { chunk in
        try cancellation.checkCancelled()
        pages += style.safeForTerminal(chunk)
      }
      try output.flush()
      let pinned = style is TableStyle ? part.numberOfHeaderLines : 0
      if pager.show(pages, pinned: pinned) { return }
    }
    try output.write(text)
  }

  /// Begins the document of a style before its first text, after the end of an open one of another
  /// style. A terminal shows no documents.
  private func frame(_ style: any Style) throws(OutputError) {
    guard !outputTerminal.isTerminal else { return }
    if let framing, type(of: framing) == type(of: style) { return }
    if let framing { try output.write(framing.end) }
    framing = style
    try output.write(style.beginning)
  }

  /// Ends an open document and writes all that is buffered; call it at the end of the run.
  func finish() throws(OutputError) {
    if let framing = framing.take() { try output.write(framing.end) }
    try output.flush()
  }

  /// Shows an error.
  /// - Parameter afterStatusLine: whether the status line was visible until now.
  func show(
    _ diagnostic: Diagnostic, in session: Session, afterStatusLine: Bool = false
  ) throws(OutputError) {
    var lead = ""
    if diagnostic.kind == .cancelled && errorTerminal.isTerminal {
      // The terminal echoes Ctrl-C as ^C without a line end. Erasing a visible status line has also
      // erased the echo.
      lead = afterStatusLine ? "^C\n" : "\n"
    }
    let style = style(of: session)
    let text = style.render(diagnostic, for: errorTerminal.traits)
    try note(lead)
    try note(text, of: style)
  }

  private func style(of session: Session) -> any Style {
    Styles.style(named: session.options.style) ?? TableStyle()
  }

  /// Writes the events of a fetch to standard error as they happen.
  ///
  /// Buffered results are not flushed first: the result of a fetch follows its events anyway.
  var traceWriter: @Sendable (EventLine, SessionOptions) -> Void {
    { [errorTerminal, statusLine] line, options in
      let style = Styles.style(named: options.style) ?? TableStyle()
      let text = style.render(trace: line, for: errorTerminal.traits)
      statusLine.write(errorTerminal.isTerminal ? style.safeForTerminal(text) : text)
    }
  }

  private func note(_ text: String, of style: any Style) throws(OutputError) {
    try note(errorTerminal.isTerminal ? style.safeForTerminal(text) : text)
  }

  /// Writes to standard error, after all results so far.
  func note(_ text: String) throws(OutputError) {
    try output.flush()
    statusLine.write(text)
  }

  /// Writes a paragraph to standard error, broken between words.
  func noteWrapped(_ text: String) throws(OutputError) {
    let lines = text.wrapped(to: errorTerminal.width, indent: 2)
    try note(lines.joined(separator: "\n") + "\n")
  }

  func flush() throws(OutputError) { try output.flush() }
}
