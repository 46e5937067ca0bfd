import DSInterpreter
import DSRendering
import DataTables
import Synchronization

/// What a command told while it ran, line by line, as dsshell shows it 80 cells wide and without
/// colour.
struct Transcription: Sendable {
  /// Of standard output.
  var output: [String] = []
  /// Of standard error, from `error:`, `warning:` or `trace:` on, and what `timer on` tells: neither the
  /// place of an error is in it nor the picture of its line.
  var errors: [String] = []
  /// The errors themselves.
  var failures: [Diagnostic] = []
  var ending = Interpreter.Outcome.done
  /// Whether it told more than it may.
  var isCut = false
}

/// Gathers what a command has to say.
struct Transcriber {
  private(set) var transcription = Transcription()
  private let traces: TraceLog
  private let limit: Int
  private let wrote: (String) -> Void
  private var text = ""
  private static let terminal = TerminalTraits(width: 80)

  private struct LimitReached: Error {}

  /// - Parameter limit: the most bytes of output.
  init(traces: TraceLog, limit: Int, wrote: @escaping (String) -> Void) {
    self.traces = traces
    self.limit = limit
    self.wrote = wrote
  }

  mutating func take(_ event: Interpreter.Event, _ session: Session) async throws {
    let style = Styles.style(named: session.options.style) ?? TableStyle()
    takeTraces()
    switch event {
    case .output(let output):
      do {
        try await render(output, style, session.cancellation)
        if case .none = output.changes {
        } else {
          try await render(Output(output.changes), style, session.cancellation)
        }
      } catch is LimitReached {
        transcription.isCut = true
      } catch {
        take(session.diagnosticOfShowing(error), style)
      }
      for warning in output.warnings {
        note(style.render(warning: warning, for: Self.terminal))
      }
    case .failure(let diagnostic): take(diagnostic, style)
    }
    if let time = session.execution.timeTaken { note(time.timeLine) }
  }

  private mutating func takeTraces() {
    let told = traces.take()
    if !told.isEmpty { transcription.errors += told }
  }

  private mutating func take(_ diagnostic: Diagnostic, _ style: any Style) {
    transcription.failures.append(diagnostic)
    // A place would be another one after every edit of the script above it.
    var placeless = diagnostic
    placeless.place = nil
    note(style.render(placeless, for: Self.terminal))
  }

  private mutating func render(
    _ output: Output, _ style: any Style, _ cancellation: Cancellation
  ) async throws {
    if case .none = output.content { return }
    text = ""
    defer { flush() }
    try await style.render(output, for: Self.terminal) { piece in
      try cancellation.check()
      // Mostly there is one piece.
      if text.isEmpty { text = piece } else { text += piece }
      wrote(piece)
      if text.utf8.count > limit { throw LimitReached() }
    }
  }

  private mutating func flush() {
    if text.isEmpty { return }
    let lines = Self.lines(of: text)
    transcription.output = transcription.output.isEmpty ? lines : transcription.output + lines
    text = ""
  }

  private mutating func note(_ text: String) {
    wrote(text)
    transcription.errors += Self.lines(of: text)
  }

  /// Gives away what was gathered.
  ///
  /// - Parameter ending: how the command ended.
  mutating func finish(_ ending: Interpreter.Outcome) -> Transcription {
    takeTraces()
    transcription.ending = ending
    return exchange(&transcription, with: Transcription())
  }

  /// The lines of a text whose last line may or may not have an end.
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

/// The events that `trace` told, which come from inside of a fetch.
final class TraceLog: Sendable {
  private let lines = Mutex<[String]>([])

  var writer: @Sendable (EventLine, SessionOptions) -> Void {
    { line, options in
      let style = Styles.style(named: options.style) ?? TableStyle()
      let text = style.render(trace: line, for: TerminalTraits(width: 80))
      self.lines.withLock { $0 += Transcriber.lines(of: text) }
    }
  }

  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}
