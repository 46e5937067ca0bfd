import DSInterpreter
import DSRendering
import DataSources
import DataTables
import Pictures
import Synchronization

/// The output of a command in lines, rendered 80 cells wide and without color.
struct CapturedOutput: Sendable {
  /// Lines of standard output.
  var output: [String] = []
  /// Lines of standard error from `error:`, `warning:` or `trace:` on, and the times of `timer on`.
  /// The location of an error and the excerpt of its line are omitted.
  var errors: [String] = []
  /// The tables in ``output``.
  var tables: [PrintedTable] = []
  /// The records in ``output``.
  var records: [PrintedRecords] = []
  /// All lines in the order in which they were written.
  var pieces: [Piece] = []
  /// The errors themselves.
  var failures: [Diagnostic] = []
  var ending = ExecutionOutcome.done
  /// Whether the output exceeded the limit.
  var isTruncated = false

  enum Piece: Sendable {
    /// Lines of standard output, and the picture of the result if it has one.
    case output([String], Picture?)
    /// Lines of standard error.
    case errors([String])
  }
}

/// Captures the output of a command.
struct OutputCapture {
  private(set) var captured = CapturedOutput()
  private let traces: TraceLog
  private let limit: Int
  private let wrote: (String) -> Void
  private var text = ""
  private static let terminal = TerminalTraits(rowLimit: nil)

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
      if let reads = session.contentReads, case .objects(let listing) = output.content {
        reads.add(listing, in: session)
      }
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
    if !events.isEmpty { add(errors: events) }
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
    defer { flush(output, style) }
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

  private mutating func flush(_ output: Output, _ style: any Style) {
    if text.isEmpty { return }
    let lines = Self.lines(of: text)
    captured.pieces.append(.output(lines, output.picture))
    addRecords(lines, output.content, style)
    if let form = PrintedTable.Form(of: style), let hasIndexPaths = output.indexPathsOfTable {
      let start = captured.output.count
      let isForPeople = style is TableStyle || style is BoxStyle
      captured.tables.append(
        PrintedTable(
          lines: start..<start + lines.count, form: form,
          hasIndexPaths: hasIndexPaths && isForPeople))
    }
    captured.output = captured.output.isEmpty ? lines : captured.output + lines
    text = ""
  }

  /// Notes which of the next lines are parts of records.
  private mutating func addRecords(
    _ lines: [String], _ content: Output.Content, _ style: any Style
  ) {
    let start = captured.output.count
    let all = start..<start + lines.count
    switch content {
    // Programs read the other styles.
    case _ where !(style is TableStyle):
      captured.records.append(PrintedRecords(lines: all, form: .values))
    case .object(.record): captured.records.append(PrintedRecords(lines: all, form: .lines))
    case .object(let value) where value.hasKeys, .value(let value) where value.hasKeys:
      captured.records.append(PrintedRecords(lines: all, form: .values))
    case .list(let values) where values.count == lines.count:
      for (line, value) in zip(all, values) where value.hasKeys {
        captured.records.append(PrintedRecords(lines: line..<line + 1, form: .values))
      }
    default: break
    }
  }

  private mutating func note(_ text: String) {
    wrote(text)
    add(errors: Self.lines(of: text))
  }

  private mutating func add(errors lines: [String]) {
    captured.errors += lines
    captured.pieces.append(.errors(lines))
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

extension PrintedTable.Form {
  /// The form of the tables of a style; nil for one whose lines are compared as texts.
  fileprivate init?(of style: any Style) {
    switch style {
    case is TableStyle: self = .blanks
    case is BoxStyle: self = .bars("│")
    case is MarkdownStyle: self = .bars("|")
    case is CSVStyle: self = .fields(",")
    case is TSVStyle: self = .fields("\t")
    case is JSONLinesStyle: self = .objects
    default: return nil
    }
  }
}

extension Value {
  /// Whether it may contain records.
  fileprivate var hasKeys: Bool {
    switch self {
    case .record, .array: true
    default: false
    }
  }
}

extension Output {
  /// Whether the rows of a table begin with index paths; nil if the content is not a table with a
  /// header.
  fileprivate var indexPathsOfTable: Bool? {
    switch content {
    case .objects(let listing):
      listing.snapshot.store.keys.isEmpty ? nil : listing.showsIndexPaths
    case .grid(let grid): grid.hidesHeader ? nil : false
    default: nil
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
