/// Runs scripts, command by command.
public struct Interpreter {
  public var session: Session

  public init(session: Session = Session()) { self.session = session }

  /// Runs a script to its end, or to its first error unless `keepsGoing`; a failed `require` always
  /// ends it. Passes the result of every command to `handle` when the command is done, before the
  /// next one starts.
  ///
  /// A script that does not parse, or has wrong arguments or unknown names, is not run: all of its
  /// mistakes are passed to `handle`. Relative paths in a file start from its folder. Cancellation ends the script; the caller resets the
  /// session's cancellation before the next run.
  /// - Returns: how the script ended.
  /// - Throws: what `handle` throws.
  @discardableResult
  public mutating func run(
    _ text: String, file: String? = nil, keepsGoing: Bool = false,
    handle: (ExecutionEvent, _ session: Session) async throws -> Void
  ) async throws -> ExecutionOutcome {
    let folder = session.options.folder
    if let file { session.options.folder = FilePath.folder(of: file) }
    // Without a file, a command may have changed the folder.
    defer { if file != nil { session.options.folder = folder } }
    return try await session.execution.execute(
      ScriptText(text, file: file), keepsGoing: keepsGoing, in: &session, handle: handle)
  }

  /// Announces the lines of a script that was read with ``ParsedCommand/all(in:commands:)`` and is
  /// run line by line. Some of the announced lines may be skipped.
  package func announce(_ lines: [Line]) { session.execution.announce(lines) }

  /// Forgets the lines that were announced last.
  package func retract() { session.execution.retract() }

  /// Runs one line; relative paths start from the folder of the session's options.
  /// - Throws: what `handle` throws.
  package mutating func run(
    _ line: Line, handle: (ExecutionEvent, _ session: Session) async throws -> Void
  ) async throws -> ExecutionOutcome {
    try await session.execution.execute(line, keepsGoing: false, in: &session, handle: handle)
  }

  /// Ends a script that was run line by line: waits for the fetches in the background and reports
  /// how they ended.
  /// - Throws: what `handle` throws.
  package mutating func finish(
    handle: (ExecutionEvent, _ session: Session) async throws -> Void
  ) async throws -> ExecutionOutcome {
    let outcome = try await session.execution.finish(in: &session, handle: handle)
    session.backgroundFetches = []
    return outcome
  }

  /// The fetches in the background whose outcome was not reported, in the order in which they started.
  package var unreportedFetches: [ObjectIdentifier] {
    session.backgroundFetches.map { ObjectIdentifier($0) }
  }

  /// Waits for some of the fetches in the background and reports how they ended.
  /// - Throws: what `handle` throws.
  package mutating func finish(
    _ fetches: [ObjectIdentifier],
    handle: (ExecutionEvent, _ session: Session) async throws -> Void
  ) async throws -> ExecutionOutcome {
    let all = session.backgroundFetches
    session.backgroundFetches = all.filter { fetches.contains(ObjectIdentifier($0)) }
    defer { session.backgroundFetches = all.filter { !fetches.contains(ObjectIdentifier($0)) } }
    return try await session.execution.finishFetches(in: &session, handle: handle)
  }

  /// Reads the files of watched sources that other programs have changed, and passes the changes to
  /// `handle`, if any. Then calls the followers of the session.
  /// - Throws: what `handle` throws, and ``SourceError`` when changes can no longer be observed.
  package mutating func showChanges(
    handle: (ExecutionEvent, _ session: Session) async throws -> Void
  ) async throws {
    let hasFollowers = !session.execution.followers.isEmpty
    // Their work runs only while the session is suspended.
    if hasFollowers { await session.letBackgroundFetchesEnd() }
    try await session.reportOutsideChanges(handle)
    if hasFollowers { await session.callFollowers() }
  }

  /// Whether `text` is the beginning of a command that continues in the next line (an open bracket
  /// or quote, a trailing `\`, `,` or `|`).
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

  /// The last argument of an entry, which a prompt can insert again: a word, a quoted string, or a
  /// list, a record or a command with its brackets; nil for an entry without arguments.
  public static func lastArgument(of entry: String) -> String? {
    let script = ScriptText(entry)
    var scanner = Scanner(Span(script, 0..<script.bytes.count))
    var last: Range<Int>?
    var depth = 0
    var count = 0
    while let token = try? scanner.next(.arguments), token.kind != .end {
      if token.is(")") || token.is("]") || token.is("}") {
        depth -= 1
        if depth == 0, let start = last?.lowerBound { last = start..<token.end }
        continue
      }
      if depth <= 0, token.beginsAtom {
        last = token.start..<token.end
        count += 1
      }
      if token.is("(") || token.is("[") || token.is("{") { depth += 1 }
    }
    guard count > 1, depth == 0 else { return nil }
    return last.map { script.string($0) }
  }
}
