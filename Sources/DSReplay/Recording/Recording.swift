import DSInterpreter
import DataSources
import DataTables
import Glibc

/// A script that is being written from what is typed.
///
/// Every command is on the disk as soon as it is done; the end of the recording makes holes of what
/// differs from run to run.
final class Recording {
  private let path: String
  /// Where it is written.
  private let place: String
  private let commands: CommandTable
  private let traces = TraceLog()
  private var entries: [RecordedCommand] = []
  /// Of the line that runs.
  private var transcriber: Transcriber?
  /// What does not parse and would take the lines below it for a part of it.
  private var leftOut: [String] = []
  private var failure: RecordingError?

  static let firstLine = "#!/usr/bin/env dsshell\n"

  /// - Throws: ``RecordingError`` when the file is there already or cannot be written.
  init(_ path: String, commands: CommandTable) throws(RecordingError) {
    self.path = path
    self.commands = commands
    do throws(TableError) {
      place = try FileOverlay.writable(path)
    } catch {
      throw RecordingError(kind: .io, message: error.message)
    }
    // What is there already may be there without a copy.
    let isThere = access(FileOverlay.readable(path), F_OK) == 0
    let descriptor = isThere ? -1 : open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      if isThere || errno == EEXIST {
        throw RecordingError(
          kind: .conflict,
          message: "`\(path)` is there already; record takes the name of a new file")
      }
      throw RecordingError(kind: .io, message: ReplacedFile.reason("cannot write `\(path)`"))
    }
    close(descriptor)
    append(Self.firstLine)
    if let failure { throw failure }
  }

  var observer: CommandObserver {
    CommandObserver(
      folder: FilePath.folder(of: path),
      receive: { event, session in await self.hear(event, session) },
      endCommand: { text, line, session in self.end(text, line, session) },
      finish: { session in try await self.finish(session) })
  }

  /// Writes events where they were written before, and keeps them.
  func traceWriter(
    beside other: (@Sendable (EventLine, SessionOptions) -> Void)?
  ) -> @Sendable (EventLine, SessionOptions) -> Void {
    let own = traces.writer
    return { line, options in
      other?(line, options)
      own(line, options)
    }
  }

  private func hear(_ event: Interpreter.Event, _ session: Session) async {
    var transcriber = transcriber ?? Transcriber(traces: traces, limit: 1 << 20, wrote: { _ in })
    try? await transcriber.take(event, session)
    self.transcriber = transcriber
  }

  private func end(_ text: String, _ line: Line?, _ session: Session) {
    let transcription = transcriber?.finish(.done) ?? Transcription()
    transcriber = nil
    // Commands about recordings are no part of one: run again they would write files.
    let isAboutRecording = line?.has(verb: RecordCommand.verb) ?? false
    if session.execution.observer == nil || isAboutRecording { return }
    let entry = RecordedCommand(text: text, transcription)
    if line == nil, !entry.standsAlone(commands) {
      leftOut.append(text)
      return
    }
    entries.append(entry)
    append(entry.written)
  }

  private func append(_ text: String) {
    let descriptor = open(place, O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    let bytes = Array(text.utf8)
    let written = descriptor < 0 ? -1 : write(descriptor, bytes, bytes.count)
    if written != bytes.count, failure == nil {
      failure = RecordingError(kind: .io, message: ReplacedFile.reason("cannot write `\(path)`"))
    }
  }

  /// Runs what was recorded again and makes holes of what differs.
  private func finish(_ session: Session) async throws -> Output {
    if let failure { throw Diagnostic(failure.kind, failure.message) }
    var holes = RecordedHoles(entries)
    let places = [(path, WorkerEnvironment.fixed), (FilePath.absolute(path), .other)]
    for (place, surroundings) in places {
      let run = RecordedRun(
        text: holes.text, path: place, commands: commands, surroundings: surroundings,
        cancellation: session.cancellation)
      holes.compare(await run.transcriptions())
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
    let warnings = leftOut.map { "`\($0)` was left out: it does not parse, nor would what follows" }
    return Output(
      .text([summary], data: .string(summary)), warnings: warnings + holes.failures(in: path))
  }
}
