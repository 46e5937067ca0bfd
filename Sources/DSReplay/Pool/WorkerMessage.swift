/// What a worker tells its pool, one line each.
enum WorkerMessage {
  /// A command went wrong. Told at once, as the worker may not come to the end of the file.
  case failure(CommandFailure)
  /// A section that is not the last one ended, and not all of its commands just passed, or it took some
  /// time.
  case section(SectionOutcome)
  /// The file ended; all of its sections are in it.
  case file(FileOutcome)

  private enum Sign { static let failure = 1, section = 2, file = 3 }

  /// - Parameter job: its number.
  func line(of job: Int) -> [UInt8] {
    var line = FieldLine()
    line.put(job)
    switch self {
    case .failure(let outcome):
      line.put(Sign.failure)
      outcome.write(to: &line)
    case .section(let outcome):
      line.put(Sign.section)
      outcome.write(to: &line)
    case .file(let outcome):
      line.put(Sign.file)
      outcome.write(to: &line)
    }
    return line.bytes + [UInt8(ascii: "\n")]
  }

  /// - Parameter line: without its end.
  static func read(_ line: ArraySlice<UInt8>) -> (job: Int, message: WorkerMessage)? {
    var fields = FieldReader(line)
    do throws(FieldReader.Malformed) {
      let job = try fields.int()
      let message: WorkerMessage
      switch try fields.int() {
      case Sign.failure: message = .failure(try CommandFailure(from: &fields))
      case Sign.section: message = .section(try SectionOutcome(from: &fields))
      case Sign.file: message = .file(try FileOutcome(from: &fields))
      default: return nil
      }
      return fields.isAtEnd ? (job, message) : nil
    } catch {
      return nil
    }
  }
}
