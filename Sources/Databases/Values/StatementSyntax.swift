/// How an engine writes strings, names and comments, as far as a question mark in them matters.
public struct StatementSyntax: Sendable {
  /// The strings in which a backslash escapes the next character.
  public enum Backslashes: Sendable {
    case none
    /// `E'…'`
    case inEscapeStrings
    /// All strings and quoted names.
    case everywhere
  }
  public var backslashes: Backslashes
  /// Whether `$$…$$` and `$tag$…$tag$` are strings.
  public var hasDollarQuotes: Bool
  /// Whether a comment may contain comments.
  public var nestsComments: Bool
  /// Whether `[…]` is a name.
  public var hasBracketNames: Bool

  public init(
    backslashes: Backslashes = .none, hasDollarQuotes: Bool = false, nestsComments: Bool = false,
    hasBracketNames: Bool = false
  ) {
    self.backslashes = backslashes
    self.hasDollarQuotes = hasDollarQuotes
    self.nestsComments = nestsComments
    self.hasBracketNames = hasBracketNames
  }
}
