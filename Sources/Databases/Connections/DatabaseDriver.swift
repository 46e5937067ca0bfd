import DataSources
public import DataTables

/// An engine that the shell can open: how its databases are recognized and connected to.
public struct DatabaseDriver: Sendable {
  /// `sqlite`, `postgres`, `clickhouse`: the scheme of its addresses, and its word in scripts.
  public let name: String
  /// `SQLite`, `PostgreSQL`, `ClickHouse`.
  public let title: String
  /// Other schemes of its addresses: `postgresql`.
  public let otherSchemes: [String]
  /// Whether these are the first bytes of a file of the engine; false for a server.
  public let recognizes: @Sendable (_ firstBytes: [UInt8]) -> Bool
  /// Opens a database.
  /// - Throws: ``DatabaseError``, `TableError.cancelled`.
  public let connect: Connect

  public typealias Connect =
    @Sendable (DatabaseAddress, ConnectionOptions, Cancellation) async throws ->
    any DatabaseConnection

  public init(
    name: String, title: String, otherSchemes: [String] = [],
    recognizes: @escaping @Sendable ([UInt8]) -> Bool = { _ in false },
    connect: @escaping Connect
  ) {
    self.name = name
    self.title = title
    self.otherSchemes = otherSchemes
    self.recognizes = recognizes
    self.connect = connect
  }
}

/// How to open a database.
public struct ConnectionOptions: Sendable {
  /// Whether statements may write.
  public var isWritable = false
  /// The longest time for one statement, and for the connection; nil for the engine's own.
  public var timeout: Duration?
  /// The time after which an idle transaction ends; its snapshot is then compared with the
  /// database before each read.
  public var idle: Duration = .seconds(60)
  /// The password, instead of the one in the address; never shown.
  public var password: String?
  /// Further files of the engine, by the schemas that their tables have; only SQLite attaches files.
  public var attached: [(schema: String, path: String)] = []

  public init() {}
}
