import DSInterpreter
import DataSources
import DataTables
import Glibc

/// A script recorded from typed commands.
///
/// Each command is written to disk as soon as it is done. At the end of the recording, holes replace
/// text that differs between runs.
final class Recording {
  private let path: String
  /// The path of the file that is written.
  private let place: String
  private let commands: CommandTable
  private let traces = TraceLog()
  private var entries: [RecordedCommand] = []
  /// The capture of the running line.
  private var capture: OutputCapture?
  /// Commands that do not parse and would swallow the lines below them.
  private var skipped: [String] = []
  private var failure: RecordingError?
  private var recordsRowLimit = false

  static let firstLine = "#!/usr/bin/env dsshell\n"

  /// - Throws: ``RecordingError`` if the file exists or cannot be written.
  init(_ path: String, commands: CommandTable) throws(RecordingError) {
    self.path = path
    self.commands = commands
    do throws(TableError) {
      place = try FileOverlay.writable(path)
    } catch {
      throw RecordingError(kind: .io, message: error.message)
    }
    // The file may exist without a copy in the overlay.
    let exists = access(FileOverlay.readable(path), F_OK) == 0
    let descriptor = exists ? -1 : open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      if exists || errno == EEXIST {
        throw RecordingError(
          kind: .conflict,
          message: "`\(path)` already exists; name a new file")
      }
      throw RecordingError(kind: .io, message: ReplacedFile.systemError("cannot write `\(path)`"))
    }
    close(descriptor)
    append(Self.firstLine)
    if let failure { throw failure }
  }

  var observer: CommandObserver {
    CommandObserver(
      folder: FilePath.folder(of: path),
      receive: { event, session in await self.capture(event, session) },
      endCommand: { text, line, session in self.end(text, line, session) },
      finish: { session in try await self.finish(session) })
  }

  /// A writer that keeps events and forwards them to `other`.
  func traceWriter(
    forwardingTo other: (@Sendable (EventLine, SessionOptions) -> Void)?
  ) -> @Sendable (EventLine, SessionOptions) -> Void {
    let writer = traces.writer
    return { line, options in
      other?(line, options)
      writer(line, options)
    }
  }

  private func capture(_ event: ExecutionEvent, _ session: Session) async {
    var capture = capture ?? OutputCapture(traces: traces, limit: 1 << 20, wrote: { _ in })
    try? await capture.take(event, session)
    self.capture = capture
  }

  private func end(_ text: String, _ line: Line?, _ session: Session) {
    let captured = capture?.finish(.done) ?? CapturedOutput()
    capture = nil
    // `record` commands are not recorded: they would write files when the script runs again.
    let isAboutRecording = line?.has(verb: RecordCommand.verb) ?? false
    if session.execution.observer == nil || isAboutRecording { return }
    let entry = RecordedCommand(text: text, captured)
    if line == nil, !entry.parsesAlone(commands) {
      skipped.append(text)
      return
    }
    if session.lastTableIsCut { recordRowLimit(of: session) }
    entries.append(entry)
    append(entry.written)
  }

  /// Records the limit that cut a result, once: tests show all rows.
  private func recordRowLimit(of session: Session) {
    guard let rows = session.options.rows, !recordsRowLimit else { return }
    recordsRowLimit = true
    var captured = CapturedOutput()
    captured.output = ["rows: \(rows)"]
    let entry = RecordedCommand(text: "option rows \(rows)", captured)
    entries.append(entry)
    append(entry.written)
  }

  private func append(_ text: String) {
    do throws(TableError) {
      let descriptor = try RegularFile.open(place, flags: O_APPEND, named: path)
      defer { close(descriptor) }
      let bytes = Array(text.utf8)
      guard write(descriptor, bytes, bytes.count) == bytes.count else {
        throw .io(ReplacedFile.systemError("cannot write `\(path)`"))
      }
    } catch {
      failure = failure ?? RecordingError(kind: .io, message: error.message)
    }
  }

  /// Runs the recording again in two environments and replaces text that differs with holes.
  private func finish(_ session: Session) async throws -> Output {
    if let failure { throw Diagnostic(failure.kind, failure.message) }
    var holes = RecordedHoles(entries)
    let places = [(path, WorkerEnvironment.fixed), (FilePath.absolute(path), .other)]
    for (place, environment) in places {
      let run = RecordedRun(
        text: holes.text, path: place, commands: commands, environment: environment,
        cancellation: session.cancellation)
      holes.compare(await run.capturedOutputs())
    }
    do throws(UpdateError) {
      try ReplacedFile.write(holes.text, to: place)
    } catch {
      throw Diagnostic(.io, error.message)
    }
    let count = counted(entries.count, "command")
    let summary =
      "recorded \(count) in \(path)"
      + (holes.count == 0 ? "" : ", \(counted(holes.count, "hole"))")
    let warnings = skipped.map {
      "`\($0.redactingSecrets)` was not recorded: it does not parse, and neither would the lines below it"
    }
    return Output(
      .text([summary], data: .string(summary)), warnings: warnings + holes.failures(in: path))
  }
}

/// The reason why a recording fails.
struct RecordingError: Error {
  let kind: ErrorKind
  let message: String
}
