/// The reason why a database did not do what it was asked for. It states facts; upper layers add
/// the location in a script, and the fix.
public struct DatabaseError: Error, Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    case unknownDatabase(String)
    case unknownTable(String)
    case unknownColumn(String)
    /// A write to a database that was opened for reading.
    case denied
    /// A statement that is never allowed, or not in ``SafeMode``.
    case refused
    /// The database changed since the snapshot was taken.
    case changed
    /// The table exists already.
    case exists(String)
    /// No answer within the time limit.
    case timeout
    /// The server cannot be reached, or the connection broke.
    case connection
    /// The user, the password or a permission.
    case access
    /// The work was canceled, and left tables.
    case cancelled
    /// Any other error of the engine.
    case engine
  }
  public var kind: Kind
  /// In one clause, as the engine puts it, beginning with a lowercase letter; without secrets.
  public var message: String
  /// The engine's own code: `SQLITE_BUSY`, `42P01`, `60`; "" without one.
  public var code: String
  /// The statement that failed, as it was sent; nil if the error is not about a statement.
  public var statement: String?
  /// The position in ``statement`` where the engine saw the error, in Unicode scalars from 0.
  public var offset: Int?
  /// For a name that does not exist, those that do, as far as they are known.
  public var known: [String] = []
  /// The tables that the work may have left because they could not be removed, quoted for statements.
  public var leftovers: [String] = []

  public init(
    _ kind: Kind, _ message: String, code: String = "", statement: String? = nil,
    offset: Int? = nil
  ) {
    self.kind = kind
    self.message = message
    self.code = code
    self.statement = statement
    self.offset = offset
  }

  /// The name that does not exist; nil for other errors.
  public var unknownName: String? {
    switch kind {
    case .unknownDatabase(let name), .unknownTable(let name), .unknownColumn(let name): name
    default: nil
    }
  }
}
