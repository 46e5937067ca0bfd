import DSInterpreter
import DSRendering
import DataTables
import Synchronization

/// The output of a command in lines, rendered 80 cells wide and without color.
struct CapturedOutput: Sendable {
  /// Lines of standard output.
  var output: [String] = []
  /// Lines of standard error from `error:`, `warning:` or `trace:` on, and the times of `timer on`.
  /// The location of an error and the excerpt of its line are omitted.
  var errors: [String] = []
  /// The errors themselves.
  var failures: [Diagnostic] = []
  var ending = ExecutionOutcome.done
  /// Whether the output exceeded the limit.
  var isTruncated = false
}

/// Captures the output of a command.
struct OutputCapture {
  private(set) var captured = CapturedOutput()
  private let traces: TraceLog
  private let limit: Int
  private let wrote: (String) -> Void
  private var text = ""
  private static let terminal = TerminalTraits(width: 80)

  private struct LimitReached: Error {}

  /// - Parameter limit: the maximum number of bytes of output.
  init(traces: TraceLog, limit: Int, wrote: @escaping (String) -> Void) {
    self.traces = traces
    self.limit = limit
    self.wrote = wrote
  }

  mutating func take(_ event: ExecutionEvent, _ session: Session) async throws {
    let style = Styles.style(named: session.options.style) ?? TableStyle()
    takeTraces()
    switch event {
    case .output(let output):
      do {
        try await render(output, style, session)
        if case .none = output.changes {
        } else {
          try await render(Output(output.changes), style, session)
        }
      } catch is LimitReached {
        captured.isTruncated = true
      } catch {
        take(session.diagnostic(ofRendering: error), style)
      }
      for warning in output.warnings {
        note(style.render(warning: warning, for: Self.terminal))
      }
    case .failure(let diagnostic): take(diagnostic, style)
    }
    if let time = session.execution.timeTaken { note(time.timeLine) }
  }

  private mutating func takeTraces() {
    let events = traces.take()
    if !events.isEmpty { captured.errors += events }
  }

  private mutating func take(_ diagnostic: Diagnostic, _ style: any Style) {
    captured.failures.append(diagnostic)
    // A location would change with every edit of the script above it.
    var withoutPlace = diagnostic
    withoutPlace.place = nil
    note(style.render(withoutPlace, for: Self.terminal))
  }

  private mutating func render(
    _ output: Output, _ style: any Style, _ session: Session
  ) async throws {
    if case .none = output.content { return }
    if let text = style.note(on: output, for: Self.terminal) {
      note(text)
      return
    }
    text = ""
    defer { flush() }
    var terminal = Self.terminal
    terminal.rowLimit = session.options.shownRows
    try await style.render(output, for: terminal) { chunk in
      try session.cancellation.check()
      // The first chunk, usually the only one, is not copied.
      if text.isEmpty { text = chunk } else { text += chunk }
      wrote(chunk)
      if text.utf8.count > limit { throw LimitReached() }
    }
  }

  private mutating func flush() {
    if text.isEmpty { return }
    let lines = Self.lines(of: text)
    captured.output = captured.output.isEmpty ? lines : captured.output + lines
    text = ""
  }

  private mutating func note(_ text: String) {
    wrote(text)
    captured.errors += Self.lines(of: text)
  }

  /// Returns the captured output and resets the capture.
  ///
  /// - Parameter ending: how the command ended.
  mutating func finish(_ ending: ExecutionOutcome) -> CapturedOutput {
    takeTraces()
    captured.ending = ending
    return exchange(&captured, with: CapturedOutput())
  }

  /// The lines of a text; the newline of the last line is optional.
  static func lines(of text: String) -> [String] {
    var text = text
    return text.withUTF8 { bytes in
      var lines: [String] = []
      var start = 0
      for (position, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
        lines.append(String(decoding: bytes[start..<position], as: UTF8.self))
        start = position + 1
      }
      if start < bytes.count { lines.append(String(decoding: bytes[start...], as: UTF8.self)) }
      return lines
    }
  }
}

/// The events printed by `trace`, which arrive during a fetch.
final class TraceLog: Sendable {
  private let lines = Mutex<[String]>([])

  var writer: @Sendable (EventLine, SessionOptions) -> Void {
    { line, options in
      let style = Styles.style(named: options.style) ?? TableStyle()
      let text = style.render(trace: line, for: TerminalTraits(width: 80))
      self.lines.withLock { $0 += OutputCapture.lines(of: text) }
    }
  }

  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}
