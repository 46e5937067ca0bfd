import DataSources
import DataTables
import Databases

/// `open DATABASE [write: true] [attach: {NAME: FILE}] [timeout: SECONDS] [password: env NAME]`
struct OpenCommand: Command {
  private static let address = Parameter("DATABASE", .path(.data))
  private static let variable = Parameter("NAME", .string, .optional)
  private static let write = Label(
    "write", .boolean, "true to allow statements that write", example: "true")
  private static let attach = Label(
    "attach", .record(of: .path(.data)), "further files of SQLite, by the schemas of their tables",
    example: "{archive: archive.sqlite}")
  private static let timeout = Label(
    "timeout", .seconds(atMost: 1_000_000), "seconds for one statement, and for a lock",
    example: "30")
  private static let idle = Label(
    "idle", .seconds(atMost: 1_000_000), "seconds after which an unused transaction ends (60)",
    example: "10")
  private static let password = Label(
    "password", .string, "the password, such as `env NAME`; never shown", example: "env PGPASSWORD")

  static let names = ["open"]
  static let parameters = [address, variable]
  static let synopsis =
    "open DATABASE|env NAME [write: true] [attach: {NAME: FILE}] [timeout: SECONDS] …"
  static let labels = [write, attach, timeout, idle, password]
  static let summary =
    "Opens a database; without `let`, binds it to the name of its file or database."
  static let notes = [
    "A dot after the name of a database is followed by a table, or by a schema and a table:",
    "`shop.people`, `shop.sales.orders`, `shop.\"order items\"`. A table is a source whose rows are",
    "read in pages. Sections, sorts, predicates and index paths are computed by the engine wherever",
    "it computes them as the shell does; `explain` shows the statements.",
    "`open company.sqlite attach: {old: old.sqlite}` opens two files of SQLite as one database; a",
    "table of the second one is `shop.old.people`.",
  ]
  static let examples = [
    "let shop = open company.sqlite", "let shop = open company.sqlite write: true",
  ]
  static let seeAlso = ["tables", "query", "exec", "close", "describe", "fetchedResults"]

  static func nameChanges(_ words: [String?]) -> NameChanges {
    guard let text = words.first ?? nil, text != "env" else { return .any }
    guard text.contains("://") else {
      return NameChanges(bound: [Name.valid(from: FilePath.stem(of: text))], kind: .database)
    }
    // An address that is not one fails when the command runs.
    guard let address = try? DatabaseAddress(parsing: text) else { return .none }
    return NameChanges(bound: [name(of: address)], kind: .database)
  }

  private let address: Argument
  /// The variable of the environment that holds the address: `open env NAME`.
  private let variable: Argument?
  private let write: Argument?
  private let attach: Argument?
  private let timeout: Argument?
  private let idle: Argument?
  private let password: Argument?

  init(parsing arguments: inout Arguments) throws {
    address = try arguments.require(Self.address)
    variable = address.word == "env" ? try arguments.take(Self.variable) : nil
    write = try arguments[Self.write]
    attach = try arguments[Self.attach]
    timeout = try arguments[Self.timeout]
    idle = try arguments[Self.idle]
    password = try arguments[Self.password]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let text: String
    if let variable {
      text = try session.environmentValue(variable.text ?? "", at: variable.span)
    } else {
      text = try await address.string(in: &session)
    }
    var options = ConnectionOptions()
    options.isWritable = try write?.boolean() ?? false
    options.timeout = try timeout.map { .seconds(try $0.seconds()) }
    if let idle { options.idle = .seconds(try idle.seconds()) }
    options.password = try await password?.secret(in: &session)
    let (driver, address) = try place(text, isWritable: options.isWritable, in: &session)
    try await addAttached(to: &options, driver, in: &session)
    let opened: OpenDatabase
    let tables: [TableName]
    do {
      opened = OpenDatabase(
        try await Database.open(
          address, options, with: driver, cancellation: session.cancellation))
      tables = try await opened.tableNames(cancellation: session.cancellation)
    } catch {
      let error = SourceError(error)
      throw self.address.error(
        error.kind, "\(address): \(error.message)", suggestion: error.suggestion)
    }
    let name = Self.name(of: address)
    let bound = session.pendingName ?? name
    let access = options.isWritable ? ", writable" : ""
    let report = Report(
      headline: "\(bound): \(driver.title), \(counted(tables.count, "table"))\(access)",
      data: Record([
        ("database", .string(bound)), ("engine", .string(driver.name)),
        ("tables", .array(tables.map { .string($0.description) })),
        ("writable", .bool(options.isWritable)),
      ]))
    var result = CommandResult(.database(opened), Output(.report(report)))
    result.name = name
    return result
  }

  private func place(
    _ text: String, isWritable: Bool, in session: inout Session
  ) throws -> (DatabaseDriver, DatabaseAddress) {
    if text.contains("://") { return try server(text, in: session) }
    let file = try file(text, self.address, isWritable: isWritable, in: &session)
    // A new file, or an empty one, is a database without tables.
    guard let bytes = file.firstBytes, !bytes.isEmpty else {
      guard isWritable || file.firstBytes != nil,
        let driver = session.drivers.driver(scheme: "sqlite")
      else {
        throw address.error(
          .io, "`\(text)` does not exist; `open \(text) write: true` makes a new database")
      }
      return (driver, DatabaseAddress(file: file.path, shown: text))
    }
    guard let driver = session.drivers.driver(firstBytes: bytes) else {
      throw address.error(
        .database, "`\(text)` is not a database; `load \(text)` reads other files")
    }
    return (driver, DatabaseAddress(file: file.path, shown: text))
  }

  /// - Parameter text: `SCHEME://HOST/DATABASE`.
  private func server(
    _ text: String, in session: Session
  ) throws -> (DatabaseDriver, DatabaseAddress) {
    let address: DatabaseAddress
    do {
      address = try DatabaseAddress(parsing: text)
    } catch {
      throw self.address.error(.badArgument, error.message)
    }
    guard let driver = session.drivers.driver(scheme: address.scheme) else {
      throw self.address.error(
        .badArgument,
        "unknown engine `\(address.scheme)`; expected "
          + session.drivers.all.map(\.name).joined(separator: ", "),
        suggestion: Suggestion.nearest(to: address.scheme, among: session.drivers.all.map(\.name)))
    }
    guard driver.name != "sqlite" else {
      throw self.address.error(
        .badArgument, "SQLite has no servers; name its file, as in `open company.sqlite`")
    }
    do throws(TableError) {
      try SafeMode.checkConnection("`\(address)`")
    } catch {
      throw self.address.error(error.kind, error.message)
    }
    return (driver, address)
  }

  /// The first bytes of a file, nil if it does not exist, and the path that the engine opens.
  private func file(
    _ text: String, _ argument: Argument, isWritable: Bool, in session: inout Session
  ) throws -> (firstBytes: [UInt8]?, path: String) {
    let path = session.resolve(text, at: argument)
    do {
      return (
        try EngineFile.firstBytes(16, of: path),
        try EngineFile.path(of: path, isWritable: isWritable)
      )
    } catch {
      throw argument.error(error.kind, error.message)
    }
  }

  private func addAttached(
    to options: inout ConnectionOptions, _ driver: DatabaseDriver, in session: inout Session
  ) async throws {
    guard let attach else { return }
    guard let entries = attach.entries else { throw attach.mismatch() }
    guard driver.name == "sqlite" else {
      throw attach.error(.badArgument, "only SQLite attaches files, not \(driver.title)")
    }
    for (schema, value) in entries {
      let argument = Argument(value, type: .path(.data), label: attach.label)
      let text = try await argument.string(in: &session)
      let file = try file(text, argument, isWritable: options.isWritable, in: &session)
      guard let bytes = file.firstBytes else {
        throw argument.error(.io, "`\(text)` does not exist")
      }
      guard bytes.isEmpty || driver.recognizes(bytes) else {
        throw argument.error(.database, "`\(text)` is not a database of SQLite")
      }
      options.attached.append((schema.text, file.path))
    }
  }

  static func name(of address: DatabaseAddress) -> String {
    let isFile = address.hosts.isEmpty
    let name = isFile ? FilePath.stem(of: address.database) : address.database
    return Name.valid(from: name.isEmpty ? address.scheme : name)
  }
}

extension Argument {
  /// The text of a secret, which may be a variable of the environment.
  fileprivate func secret(in session: inout Session) async throws -> String {
    if case .atom(let atom) = form, case .environment(let name) = atom.kind {
      return try session.environmentValue(name, at: span)
    }
    return try await string(in: &session)
  }
}
