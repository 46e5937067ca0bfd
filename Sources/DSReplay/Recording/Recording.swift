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
  /// The number of commands of the session before the recording.
  private let start: Int
  /// The commands before the recording without which the recorded ones would not run.
  private var definitions: [RecordedCommand] = []
  /// The names that recorded commands use from before the recording.
  private var usedNames: Set<String> = []
  /// The names that recorded commands have bound.
  private var boundNames: Set<String> = []
  private var entries: [RecordedCommand] = []
  /// The capture of the running line.
  private var capture: OutputCapture?
  /// Warnings about commands that are not recorded.
  private var skipped: [String] = []
  private var failure: RecordingError?
  private var recordsRowLimit = false

  static let firstLine = "#!/usr/bin/env dsshell\n"

  /// - Throws: ``RecordingError`` if the file exists or cannot be written.
  init(_ path: String, in session: Session) throws(RecordingError) {
    self.path = path
    commands = session.commands
    start = session.execution.log.count
    let isNew: Bool
    do throws(TableError) {
      place = try FileOverlay.writable(path)
      isNew = try NewFile.write(Self.firstLine, to: path)
    } catch {
      let fact = Diagnostic(facts: error)
      throw RecordingError(kind: fact.kind, message: fact.message)
    }
    guard isNew else {
      throw RecordingError(
        kind: .conflict, message: "`\(path)` already exists; name a new file")
    }
    define([], session)
    if let failure {
      unlink(place)
      throw failure
    }
  }

  var observer: CommandObserver {
    CommandObserver(
      name: RecordCommand.verb, folder: FilePath.folder(of: path),
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
    if session.execution.observers[RecordCommand.verb] == nil || isAboutRecording { return }
    let isCheck = line?.isCheck ?? false
    if captured.failures.contains(where: { isCheck || $0.kind == .expectation }) {
      skipped.append("`\(text.redactingSecrets)` failed and was not recorded")
      return
    }
    // A server may send a secret back.
    let entry = RecordedCommand(text: text, captured, hiding: session.transports.redacting)
    if line == nil, !entry.parsesAlone(commands) {
      skipped.append(
        "`\(text.redactingSecrets)` was not recorded: it does not parse, and neither would the lines "
          + "below it")
      return
    }
    let names = MentionedNames.names(in: text).subtracting(boundNames)
    boundNames.formUnion(session.execution.boundNames)
    if !names.isSubset(of: usedNames) { define(names, session) }
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

  /// Adds the commands that define names before the recorded ones.
  private func define(_ names: Set<String>, _ session: Session) {
    usedNames.formUnion(names)
    let lines = session.execution.log.definitions(
      of: usedNames, before: start, in: FilePath.folder(of: path), commands: commands)
    guard lines.count > definitions.count else { return }
    definitions = lines.map(RecordedCommand.init(definition:))
    do throws(UpdateError) {
      try ReplacedFile.write(RecordedHoles(definitions + entries).text, to: place)
    } catch {
      failure = failure ?? RecordingError(kind: .io, message: error.message)
    }
  }

  private func append(_ text: String) {
    do throws(TableError) {
      let descriptor = try RegularFile.open(place, flags: O_APPEND, named: path)
      defer { close(descriptor) }
      let bytes = Array(text.utf8)
      let size = lseek(descriptor, 0, SEEK_END)
      guard write(descriptor, bytes, bytes.count) == bytes.count else {
        let error = TableError.io(ReplacedFile.systemError("cannot write `\(path)`"))
        // A part of a command would not parse.
        ftruncate(descriptor, size)
        throw error
      }
    } catch {
      failure = failure ?? RecordingError(kind: .io, message: error.message)
    }
  }

  /// Runs the recording again in two environments and replaces text that differs with holes.
  private func finish(_ session: Session) async throws -> Output {
    if let failure { throw Diagnostic(failure.kind, failure.message) }
    var holes = RecordedHoles(definitions + entries)
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
    return Output(
      .text([summary], data: .string(summary)), warnings: skipped + holes.failures(in: path))
  }
}

/// The reason why a recording fails.
struct RecordingError: Error {
  let kind: ErrorKind
  let message: String
}
