/// Runs scripts, command by command.
public struct Interpreter {
  public var session: Session

  public init(session: Session = Session()) { self.session = session }

  /// What happened while a script ran.
  public enum Event: Sendable {
    /// A command is done.
    case output(Output)
    /// A command failed.
    case failure(Diagnostic)
  }

  /// Runs a script to its end, or to its first error unless `keepsGoing`; hands over what every
  /// command has to say when it is done, before the next one starts.
  ///
  /// A script that does not parse is not run at all: its failures are handed over, with kind
  /// `syntax`.
  /// - Returns: how the script ended.
  @discardableResult
  public mutating func run(
    _ text: String, file: String? = nil, keepsGoing: Bool = false,
    handle: (Event, _ session: Session) async throws -> Void
  ) async throws -> Outcome {
    .done
  }

  public enum Outcome: Sendable, Equatable {
    case done
    case failed
    /// Nothing was run.
    case notParsed
    /// `quit`, with its status.
    case quit(Int)
    case cancelled
  }

  /// Whether `text` is the beginning of a command that goes on in the next line (an open bracket or
  /// quote, a trailing `\`, `,` or `|`).
  public static func isIncomplete(_ text: String) -> Bool { false }

  /// What can stand at `offset` (in UTF-8 bytes) of the line that is being typed.
  public func completions(for line: String, at offset: Int) -> Completions {
    Completions(start: offset, candidates: [])
  }
}

/// The words that may replace what stands between `start` and the cursor.
public struct Completions: Sendable {
  /// A UTF-8 offset into the line.
  public var start: Int
  public var candidates: [String]
  public init(start: Int, candidates: [String]) {
    self.start = start
    self.candidates = candidates
  }
}
