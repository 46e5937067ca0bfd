public import DataSources

/// The place of a database: a file, or a server with a database.
public struct DatabaseAddress: Sendable, CustomStringConvertible {
  /// `sqlite`, `postgres`, `clickhouse`.
  public var scheme: String
  public var user: String?
  /// Never shown.
  public var password: String?
  /// One or more hosts with their ports: the first one that answers is used.
  public var hosts: [Host]
  /// The name of the database, or the path of the file.
  public var database: String
  /// The parameters after `?`, in order, decoded.
  public var parameters: [(name: String, value: String)]

  public struct Host: Sendable, Equatable {
    public var name: String
    public var port: Int?

    public init(name: String, port: Int? = nil) {
      self.name = name
      self.port = port
    }
  }

  /// The path of a file as it was typed; nil for a server.
  private let shown: String?

  /// - Parameter shown: the path as it is displayed; nil for `path`.
  public init(file path: String, shown: String? = nil) {
    scheme = "sqlite"
    self.shown = shown ?? path
    hosts = []
    database = path
    parameters = []
  }

  /// Reads `SCHEME://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?NAME=VALUE`; the parts before and
  /// after the hosts are optional.
  /// - Throws: ``DatabaseError``, `connection`, for a text of another form.
  public init(parsing text: String) throws(DatabaseError) {
    guard let colon = text.firstRange(of: "://"), !text[..<colon.lowerBound].isEmpty else {
      throw Self.malformed("an address is written SCHEME://HOST:PORT/DATABASE")
    }
    scheme = text[..<colon.lowerBound].lowercased()
    var rest = text[colon.upperBound...]
    shown = nil
    parameters = []
    if let mark = rest.firstIndex(of: "?") {
      for pair in rest[rest.index(after: mark)...].split(separator: "&") {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? Self.decoded(parts[1]) : ""
        parameters.append((Self.decoded(parts[0]), value))
      }
      rest = rest[..<mark]
    }
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    database = Self.decoded(rest[slash...].dropFirst())
    rest = rest[..<slash]
    if let at = rest.lastIndex(of: "@") {
      let parts = rest[..<at].split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = parts.first.map { Self.decoded($0) }
      password = parts.count > 1 ? Self.decoded(parts[1]) : nil
      rest = rest[rest.index(after: at)...]
    }
    hosts = []
    for host in rest.split(separator: ",") { hosts.append(try Self.host(host)) }
  }

  /// `127.0.0.1:5432`, `[::1]:5432`, `db.example`.
  private static func host(_ text: Substring) throws(DatabaseError) -> Host {
    var name = text
    var port: Int?
    let bracket = text.lastIndex(of: "]") ?? text.startIndex
    if let colon = text[bracket...].lastIndex(of: ":") {
      port = Int(text[text.index(after: colon)...])
      guard let port, (1...65_535).contains(port) else {
        throw malformed("`\(text[text.index(after: colon)...])` is not a port")
      }
      name = text[..<colon]
    }
    if name.first == "[", name.last == "]" { name = name.dropFirst().dropLast() }
    return Host(name: decoded(name), port: port)
  }

  private static func malformed(_ message: String) -> DatabaseError {
    DatabaseError(.connection, message)
  }

  private static func decoded(_ text: some StringProtocol) -> String {
    PercentEncoding.text(of: text)
  }

  /// The value of a parameter; nil without it.
  public func parameter(_ name: String) -> String? { parameters.last { $0.name == name }?.value }

  /// The address as it is typed, without the password and the parameters.
  public var description: String {
    if let shown { return shown }
    let hosts = hosts.map { host in
      let name = host.name.contains(":") ? "[\(host.name)]" : host.name
      return name + (host.port.map { ":\($0)" } ?? "")
    }
    return "\(scheme)://" + (user.map { $0 + "@" } ?? "") + hosts.joined(separator: ",")
      + (database.isEmpty ? "" : "/" + database)
  }
}
