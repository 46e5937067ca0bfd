/// The reason why a database did not do what it was asked for. It states facts; upper layers add
/// the location in a script, and the fix.
public struct DatabaseFault: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// A table or a database that does not exist; `known` are the names that do.
    case unknownName(String, known: [String])
    /// A statement of a person names a column that does not exist.
    case unknownColumn(String)
    /// A write to a database that was opened for reading.
    case denied
    /// The table exists already.
    case exists(String)
    case timeout
    /// Any other error of the engine or of the connection.
    case engine
  }
  public var kind: Kind
  /// In one clause that begins with a lowercase letter, without secrets.
  public var message: String
  /// The engine's own code; "" without one.
  public var code: String
  /// The statement that failed; nil if the error is not about a statement.
  public var statement: String?
  /// The position in ``statement`` where the engine saw the error, in Unicode scalars from 0.
  public var offset: Int?

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
}
