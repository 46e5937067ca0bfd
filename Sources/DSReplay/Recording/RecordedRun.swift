package import DSInterpreter
import DataSources
import DataTables
import Glibc
import Synchronization

/// A run of a recorded script in its own process, in a given environment.
package struct RecordedRun {
  /// The program and arguments of that process, set by the program at its start; if nil, scripts
  /// run in this process.
  package static var command: [String]? {
    get { known.withLock { $0 } }
    set { known.withLock { $0 = newValue } }
  }

  private static let known = Mutex<[String]?>(nil)

  let text: String
  /// The path of the script in that process.
  let path: String
  let commands: CommandTable
  let environment: WorkerEnvironment
  let cancellation: Cancellation

  /// The time limit of the script, in milliseconds.
  private static let time: UInt64 = 60_000

  /// - Returns: the output of each command, up to the first command that did not end.
  func capturedOutputs() async -> [CapturedOutput] {
    if let command = Self.command, let captured = try? run(command) { return captured }
    return await Self.capturedOutputs(of: text, path, commands, environment)
  }

  private static func capturedOutputs(
    of text: String, _ path: String, _ commands: CommandTable, _ environment: WorkerEnvironment
  ) async -> [CapturedOutput] {
    var replay = environment.replayEnvironment
    replay.commands = commands
    return await ReplayRunner.capturedOutputs(
      of: ReplayScript(text, path: path, commands: commands), replay)
  }

  private func run(_ command: [String]) throws(PoolError) -> [CapturedOutput] {
    let folder = try FreshFolder()
    defer { folder.remove() }
    let workerFolder = try folder.makeWorkerFolder("run")
    let process = try WorkerProcess(command, folder: workerFolder, environment)
    let place = environment == .other ? Value.string(workerFolder) : .null
    let job: Value = ["path": .string(path), "text": .string(text), "folder": place]
    _ = process.send(Array(job.json.utf8))
    process.closeInput()
    let bytes = read(process)
    _ = process.finish()
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      (try? Value(json: String(decoding: line, as: UTF8.self))).flatMap(CapturedOutput.init)
    }
  }

  private func read(_ process: WorkerProcess) -> [UInt8] {
    let end = MonotonicTime.now + Self.time * 1_000_000
    var bytes: [UInt8] = []
    var chunk: [UInt8] = Array(repeating: 0, count: 1 << 16)
    while true {
      var polled = [pollfd(fd: process.results, events: Int16(POLLIN), revents: 0)]
      if poll(&polled, 1, 100) > 0 {
        let count = Glibc.read(process.results, &chunk, chunk.count)
        if count <= 0 { return bytes }
        bytes += chunk.prefix(count)
      } else if MonotonicTime.now > end || cancellation.isCancelled {
        process.end()
        return bytes
      }
    }
  }
}

// The code that runs in the other process.
extension RecordedRun {
  /// Runs the script from standard input and writes the output of each command to standard output
  /// as one line.
  package static func serve(commands: CommandTable) async {
    guard let text = try? TextFile.read("/dev/stdin", cancellation: Cancellation()),
      case .record(let job) = try? Value(json: text), case .string(let path) = job["path"],
      case .string(let script) = job["text"]
    else { return }
    var environment = WorkerEnvironment.fixed
    if case .string(let folder) = job["folder"] {
      environment = .other
      chdir(folder)
    }
    let captured = await capturedOutputs(of: script, path, commands, environment)
    var bytes = captured.flatMap { Array(($0.value.json + "\n").utf8) }[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      bytes.removeFirst(count)
    }
  }
}

extension CapturedOutput {
  /// The value sent between processes: the lines, and the kinds and messages of errors.
  var value: Value {
    [
      "output": .array(output.map(Value.string)), "errors": .array(errors.map(Value.string)),
      "failures": .array(
        failures.map { .array([.string($0.kind.rawValue), .string($0.message)]) }),
    ]
  }

  init?(_ value: Value) {
    guard case .record(let record) = value, let output = record["output"]?.strings,
      let errors = record["errors"]?.strings, case .array(let failures) = record["failures"]
    else { return nil }
    self.output = output
    self.errors = errors
    self.failures = failures.compactMap { failure in
      guard let words = failure.strings, words.count == 2, let kind = ErrorKind(rawValue: words[0])
      else { return nil }
      return Diagnostic(kind, words[1])
    }
  }
}

extension Value {
  fileprivate var strings: [String]? {
    guard case .array(let values) = self else { return nil }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}
