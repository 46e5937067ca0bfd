/// The appearance of an unfinished entry while it is typed.
public struct EntryDecoration: Sendable, Equatable {
  /// The meaning of a part of the entry.
  public enum Role: Sendable {
    case verb, label, string, comment
    /// A verb, a label or a name that does not exist.
    case unknown
    /// A bracket without its other half.
    case unmatchedBracket
    /// The bracket at the cursor, and its other half.
    case matchedBracket
  }

  /// A part of the entry, in UTF-8 bytes.
  public struct Part: Sendable, Equatable {
    public let range: Range<Int>
    public let role: Role
  }

  /// A text that could follow the entry.
  public enum Hint: Sendable, Equatable {
    /// The rest of an earlier entry.
    case entry(String)
    /// The arguments and labels that a command expects next.
    case synopsis(String)

    public var text: String {
      switch self {
      case .entry(let text), .synopsis(let text): text
      }
    }
  }

  /// In the order of the text; they do not overlap.
  public internal(set) var parts: [Part] = []
  public internal(set) var hint: Hint?

  public init() {}
}

extension Interpreter {
  /// The appearance of an entry with the cursor at a UTF-8 offset. Runs no command, and reads only what
  /// is in memory.
  public func decoration(of entry: String, cursor: Int) -> EntryDecoration {
    var decoration = EntryDecoration()
    // A paste of megabytes must not slow down the keys.
    guard entry.utf8.count <= Self.maximumDecoratedSize else { return decoration }
    decoration.parts = EntryParts(entry, cursor: cursor, in: session).parts
    if cursor == entry.utf8.count, !entry.isEmpty {
      decoration.hint = session.earlierEntry(after: entry) ?? session.synopsis(after: entry)
    }
    return decoration
  }

  private static let maximumDecoratedSize = 20_000
}

extension Session {
  /// The rest of the newest entry of the history that begins with `entry`.
  fileprivate func earlierEntry(after entry: String) -> EntryDecoration.Hint? {
    guard
      let found = history.last(where: {
        $0.utf8.count > entry.utf8.count && $0.utf8.starts(with: entry.utf8)
      })
    else { return nil }
    return .entry(String(decoding: found.utf8.dropFirst(entry.utf8.count), as: UTF8.self))
  }

  /// The parameters and labels that can follow a complete word.
  fileprivate func synopsis(after entry: String) -> EntryDecoration.Hint? {
    guard entry.last == " ",
      let context = CompletionContext(line: entry, offset: entry.utf8.count, commands: commands),
      context.word.text.isEmpty, context.frame.phase == .arguments, context.frame.isCommand,
      context.frame.label == nil || !context.frame.group.isEmpty, let verb = context.frame.verb
    else { return nil }
    let position = context.frame.numberOfArguments
    let used = context.frame.labels
    let rest: [String]
    if let signature = commands.signature(named: verb) {
      rest =
        signature.parameters.dropFirst(position)
        + signature.labels.filter { !used.contains($0.name) }.map { "[\($0.name): \($0.value)]" }
    } else if let command = commands[verb], command.form == .arguments {
      rest =
        command.parameters.dropFirst(position).map(\.notation)
        + command.labels.filter { !used.contains($0.name) }.map(\.notation)
    } else {
      return nil
    }
    return rest.isEmpty ? nil : .synopsis(rest.joined(separator: " "))
  }
}
