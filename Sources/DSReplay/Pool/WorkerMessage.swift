import DataTables

/// What a worker tells its pool, one line each.
enum WorkerMessage {
  /// A command went wrong. Told at once, as the worker may not come to the end of the file.
  case failure(CommandOutcome)
  /// A section that is not the last one ended.
  case section(SectionOutcome)
  /// The file ended; all of its sections are in it.
  case file(FileOutcome)

  /// - Parameter job: its number.
  func line(of job: Int) -> [UInt8] {
    switch self {
    case .failure(let outcome): Self.line("c", job, outcome.value)
    case .section(let outcome): Self.line("s", job, outcome.value)
    case .file(let outcome): Self.line("f", job, outcome.value)
    }
  }

  private static func line(_ sign: String, _ job: Int, _ value: Value) -> [UInt8] {
    Array("\(sign) \(job) \(value.json)\n".utf8)
  }

  /// - Parameter line: without its end.
  static func read(_ line: ArraySlice<UInt8>) -> (job: Int, message: WorkerMessage)? {
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard parts.count == 3, let sign = parts[0].first,
      let job = Int(String(decoding: parts[1], as: UTF8.self)),
      let value = try? Value(json: String(decoding: parts[2], as: UTF8.self))
    else { return nil }
    let message: WorkerMessage? =
      switch sign {
      case UInt8(ascii: "c"): CommandOutcome(value).map { .failure($0) }
      case UInt8(ascii: "s"): SectionOutcome(value).map { .section($0) }
      case UInt8(ascii: "f"): FileOutcome(value).map { .file($0) }
      default: nil
      }
    return message.map { (job, $0) }
  }
}
