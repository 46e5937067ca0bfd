package import DataTables

/// The settings that all workers of a run share; an argument on their command line.
package struct WorkerSettings: Sendable, Equatable {
  /// The time limit of a command, in milliseconds.
  package var commandTime = 5_000
  /// The time limit of a file, in milliseconds.
  package var fileTime = 30_000
  /// The time limit of a file as a multiple of that of a command.
  package static let commandsInFileTime = 6
  /// Selects sections. A script without a selected section is not run.
  package var filter = SectionFilter()
  /// The values of `--set`.
  package var values: [String: Value] = [:]
  /// Whether all scripts are strict (`--strict`).
  package var isStrict = false
  /// Whether the results have the coverage of sources (`--coverage`).
  package var measuresCoverage = false
  /// Whether the results have the files that the scripts read.
  package var recordsReads = false
  /// `args` in scripts.
  package var arguments: [String] = []
  /// Whether commands that print something must have expectations, so that an update writes them.
  package var fillsExpectations = false
  /// Whether failures have the pictures of their output, for a report that shows them.
  package var drawsPictures = false
  /// Whether scripts run in the safe mode, each with the files in its folder (`--safe`).
  package var isSafe = false
  /// The command that runs a script again, without its path; printed with failures.
  package var rerun = "dsshell test"

  package init() {}

  package var json: String {
    let value: Value = [
      "command": .integer(commandTime), "file": .integer(fileTime),
      "fill": .bool(fillsExpectations), "pictures": .bool(drawsPictures),
      "filter": filter.value, "strict": .bool(isStrict), "reads": .bool(recordsReads),
      "safe": .bool(isSafe),
      "coverage": .bool(measuresCoverage),
      // As constants: JSON alone has no dates.
      "values": .array(
        values.keys.sorted().flatMap { [.string($0), .string(values[$0]?.constant ?? "")] }),
      "arguments": .array(arguments.map(Value.string)), "rerun": .string(rerun),
    ]
    return value.json
  }

  /// - Returns: nil if the text was not written by ``json``.
  package init?(json: String) {
    guard let value = try? Value(json: json), case .record(let record) = value,
      case .integer(let command) = record["command"], command > 0,
      case .integer(let file) = record["file"], file > 0,
      case .array(let arguments) = record["arguments"], case .string(let rerun) = record["rerun"]
    else { return nil }
    fillsExpectations = record["fill"] == .bool(true)
    drawsPictures = record["pictures"] == .bool(true)
    commandTime = command
    fileTime = file
    filter = SectionFilter(record["filter"])
    isStrict = record["strict"] == .bool(true)
    isSafe = record["safe"] == .bool(true)
    recordsReads = record["reads"] == .bool(true)
    measuresCoverage = record["coverage"] == .bool(true)
    if case .array(let parts) = record["values"] {
      let texts = parts.compactMap(\.string)
      for (name, text) in zip(texts, texts.dropFirst()).enumerated()
        .filter({ $0.offset.isMultiple(of: 2) }).map(\.element)
      {
        values[name] = Value.constant(text)
      }
    }
    self.arguments = arguments.compactMap { if case .string(let text) = $0 { text } else { nil } }
    self.rerun = rerun
  }
}

/// A script to run, or one line of a script to check.
package struct TestJob: Sendable, Equatable {
  package let path: String
  /// The only line to check, counted from 1; nil for the whole script.
  package var line: Int?
  /// The script runs once for each seed, up to the first that fails; nil for one run.
  var seeds: ClosedRange<UInt64>?

  package init(path: String, line: Int? = nil) {
    self.path = path
    self.line = line
  }

  /// The name on the command line.
  package var name: String { line.map { "\(path):\($0)" } ?? path }

  /// The message to a worker: number, line, first and last seed, and path, terminated by NUL, which a
  /// path cannot contain.
  func message(_ number: Int) -> [UInt8] {
    let seeds = seeds.map { "\($0.lowerBound) \($0.upperBound)" } ?? "- -"
    return Array("\(number) \(line ?? 0) \(seeds) \(path)".utf8) + [0]
  }

  /// - Parameter message: without its terminator.
  static func read(_ message: ArraySlice<UInt8>) -> (number: Int, job: TestJob)? {
    let parts = message.split(
      separator: UInt8(ascii: " "), maxSplits: 4, omittingEmptySubsequences: false)
    let texts = parts.map { String(decoding: $0, as: UTF8.self) }
    guard texts.count == 5, let number = Int(texts[0]), let line = Int(texts[1]) else { return nil }
    var job = TestJob(path: texts[4], line: line > 0 ? line : nil)
    if let first = UInt64(texts[2]), let last = UInt64(texts[3]), first <= last {
      job.seeds = first...last
    }
    return (number, job)
  }
}

/// A message from a worker to its pool, written as one line.
enum WorkerMessage {
  /// A command failed. Sent immediately, because the worker may die before the end of the file.
  case failure(CommandFailure)
  /// A section other than the last ended. Sent only if some commands did not pass or the section
  /// took at least a millisecond.
  case section(SectionOutcome)
  /// The script runs under a seed; the results before belong to another seed.
  case seedBegan(UInt64)
  /// A run of a script with several began.
  case variantBegan(String)
  /// A run of a script with several ended, with these sections.
  case variantEnded(FileOutcome)
  /// The file ended; contains all sections.
  case file(FileOutcome)

  private enum Tag {
    static let failure = 1, section = 2, file = 3, variantBegan = 4, variantEnded = 5, seedBegan = 6
  }

  /// - Parameter job: the number of the job.
  func line(of job: Int) -> [UInt8] {
    var line = FieldLine()
    line.append(job)
    switch self {
    case .failure(let outcome):
      line.append(Tag.failure)
      outcome.write(to: &line)
    case .section(let outcome):
      line.append(Tag.section)
      outcome.write(to: &line)
    case .seedBegan(let seed):
      line.append(Tag.seedBegan)
      line.append(String(seed))
    case .variantBegan(let name):
      line.append(Tag.variantBegan)
      line.append(name)
    case .variantEnded(let outcome):
      line.append(Tag.variantEnded)
      outcome.write(to: &line)
    case .file(let outcome):
      line.append(Tag.file)
      outcome.write(to: &line)
    }
    return line.bytes + [UInt8(ascii: "\n")]
  }

  /// - Parameter line: without its newline.
  static func read(_ line: ArraySlice<UInt8>) -> (job: Int, message: WorkerMessage)? {
    var fields = FieldReader(line)
    do throws(FieldReader.Malformed) {
      let job = try fields.int()
      let message: WorkerMessage
      switch try fields.int() {
      case Tag.failure: message = .failure(try CommandFailure(from: &fields))
      case Tag.section: message = .section(try SectionOutcome(from: &fields))
      case Tag.file: message = .file(try FileOutcome(from: &fields))
      case Tag.variantBegan: message = .variantBegan(try fields.text())
      case Tag.variantEnded: message = .variantEnded(try FileOutcome(from: &fields))
      case Tag.seedBegan:
        guard let seed = UInt64(try fields.text()) else { return nil }
        message = .seedBegan(seed)
      default: return nil
      }
      return fields.isAtEnd ? (job, message) : nil
    } catch {
      return nil
    }
  }
}
