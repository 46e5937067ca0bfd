/// Runs scripts, command by command.
public struct Interpreter {
  public var session: Session

  public init(session: Session = Session()) { self.session = session }

  /// What happened while a script ran.
  public enum Event: Sendable {
    /// A command is done.
    case output(Output)
    /// A command failed.
    indirect case failure(Diagnostic)
  }

  /// Runs a script to its end, or to its first error unless `keepsGoing`; hands over what every
  /// command has to say when it is done, before the next one starts.
  ///
  /// A script that does not parse is not run at all: all of its mistakes are handed over. Relative
  /// paths in a file are taken from its folder. A cancelled command ends the script; whoever raised
  /// the session's cancellation resets it before the next run.
  /// - Returns: how the script ended.
  /// - Throws: what `handle` throws.
  @discardableResult
  public mutating func run(
    _ text: String, file: String? = nil, keepsGoing: Bool = false,
    handle: (Event, _ session: Session) async throws -> Void
  ) async throws -> Outcome {
    let folder = session.options.folder
    if let file { session.options.folder = FilePath.folder(of: file) }
    defer { session.options.folder = folder }
    return try await session.run(
      ScriptText(text, file: file), keepsGoing: keepsGoing, handle: handle)
  }

  /// Ends a script whose lines were run one by one: waits for what goes on in the background and tells
  /// how it ended.
  /// - Throws: what `handle` throws.
  package mutating func finish(
    handle: (Event, _ session: Session) async throws -> Void
  ) async throws -> Outcome {
    let outcome = try await session.finish(handle)
    session.background = []
    return outcome
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
  public static func isIncomplete(_ text: String) -> Bool {
    let script = ScriptText(text)
    let scanner = Scanner(Span(script, 0..<script.bytes.count))
    if Parser.expectsSyntaxError(scanner) { return false }
    var start = 0
    while start < script.bytes.count {
      let (end, isComplete) = scanner.commandEnd(from: start)
      if !isComplete { return true }
      start = max(end, start) + 1
    }
    return false
  }
}
