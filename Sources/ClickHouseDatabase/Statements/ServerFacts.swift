import DataSources
import DataTables
import Databases

/// Facts of a server and a user, read when a connection opens.
struct ServerFacts: Sendable {
  /// Major and minor: 18, 16.
  var version: (major: Int, minor: Int) = (0, 0)
  var zone = Zone.gmt
  /// The default database.
  var database = "default"
  /// The `readonly` of the user's profile: 0 writes, 2 reads and changes settings, 1 only reads.
  var readonly = 0
  /// Settings of the profile with which results can lack rows.
  var losingSettings: [String] = []

  static let statement = """
    SELECT version(), timezone(), currentDatabase(), \
    (SELECT max(value) FROM system.settings WHERE name = 'readonly'), \
    (SELECT arrayStringConcat(groupArray(name), ' ') FROM system.settings \
    WHERE name LIKE '%overflow\\\\_mode' AND value != 'throw' \
    OR name = 'skip_unavailable_shards' AND value != '0')
    """

  init() {}

  /// - Throws: ``DatabaseError`` for a zone that is not known, or a profile that can lose rows.
  init(_ row: [Value]) throws(DatabaseError) {
    let texts = row.map { $0.string ?? "" }
    guard texts.count == 5 else {
      throw DatabaseError(.connection, "the server does not answer as ClickHouse does")
    }
    let numbers = texts[0].split(separator: ".").map { Int($0) ?? 0 }
    version = (numbers.first ?? 0, numbers.dropFirst().first ?? 0)
    do { zone = try Zone(server: texts[1]) } catch {
      throw DatabaseError(.connection, "the time zone `\(texts[1])` of the server is not known")
    }
    database = texts[2]
    readonly = Int(texts[3]) ?? 0
    losingSettings = texts[4].split(separator: " ").map { String($0) }
    guard readonly != 1 || losingSettings.isEmpty else {
      throw DatabaseError(
        .access,
        "the profile of the user sets `\(losingSettings[0])`, with which results can lack "
          + "rows, and forbids changing it")
    }
  }

  func isAtLeast(_ major: Int, _ minor: Int) -> Bool { version >= (major, minor) }

  /// Whether dates before 1970 and fractions of seconds have types.
  var hasWideDates: Bool { isAtLeast(20, 10) }

  /// The settings of a statement.
  ///
  /// - Parameter reads: whether it must not write.
  func settings(reads: Bool) -> [RequestParameter] {
    // In this mode the server rejects every setting.
    guard readonly != 1 else { return [] }
    var settings = [RequestParameter("skip_unavailable_shards", .plain("0"))]
    for name in losingSettings where name != "skip_unavailable_shards" {
      settings.append(RequestParameter(name, .plain("throw")))
    }
    if reads, readonly == 0 { settings.append(RequestParameter("readonly", .plain("2"))) }
    return settings
  }
}
