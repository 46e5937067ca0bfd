import DataSources
import DataTables
import Databases

/// The name of an open database, or a command in parentheses that opens one.
struct DatabaseArgument {
  private let argument: Argument
  var span: Span { argument.span }

  init(parsing arguments: inout Arguments) throws {
    argument = try arguments.require(.database)
  }

  func database(in session: inout Session) async throws -> OpenDatabase {
    let operand: Operand
    switch argument.form {
    case .piped(let piped): operand = piped
    case .atom(let atom):
      switch atom.kind {
      case .word(let name): operand = try session.database(named: name, at: span)
      case .parenthesized(let pipe): operand = try await session.evaluateInParentheses(pipe)
      default: operand = .none
      }
    }
    guard case .database(let database) = operand else {
      throw argument.error(.badArgument, "`\(span.text)` is not a database (open FILE)")
    }
    return database
  }
}

extension Session {
  fileprivate func database(named name: String, at span: Span) throws -> Operand {
    if name == "_" || names[name] != nil { return try operand(named: name, at: span) }
    throw unknownName(name, use: .database, at: span)
  }

  /// The database of a dotted name such as `shop.people`, and the path after its name; nil if the
  /// name does not begin with that of a database.
  func tablePath(_ name: String) throws -> (database: OpenDatabase, path: [String])? {
    guard let dot = name.firstIndex(of: "."),
      case .database(let database)? = names[String(name[..<dot])]
    else { return nil }
    let path = try ObjectKeyPath(parsing: String(name[name.index(after: dot)...]))
    return (database, path.steps.compactMap { if case .key(let key) = $0 { key } else { nil } })
  }

  /// Whether a name begins with that of a database and a dot.
  func isTablePath(_ name: String) -> Bool { (try? tablePath(name)) != nil }

  /// The source of the table that the first one or two words of a path name, and the number of these
  /// words: a table, or a schema and a table.
  func table(
    _ path: [String], of database: OpenDatabase, at span: Span
  ) async throws -> (source: TableSource, words: Int) {
    guard let first = path.first else {
      throw Diagnostic(.badArgument, "name a table after the dot", at: span)
    }
    do {
      return (try await database.source(of: TableName(first), cancellation: cancellation), 1)
    } catch {
      guard case .database(let fault) = error, case .unknownTable = fault.kind, path.count > 1
      else {
        throw diagnostic(of: error, table: first, of: database, at: span)
      }
      let name = TableName(path[1], schema: first)
      do {
        return (try await database.source(of: name, cancellation: cancellation), 2)
      } catch {
        throw diagnostic(of: error, table: name.description, of: database, at: span)
      }
    }
  }

  private func diagnostic(
    of error: SourceError, table: String, of database: OpenDatabase, at span: Span
  ) -> Diagnostic {
    guard case .database(let fault) = error, fault.isUnknownTable else {
      return Diagnostic(error.kind, error.message, at: span)
    }
    let name = self.name(of: database)
    return Diagnostic(
      .unknownName, "\(name) has no table `\(table)` (tables \(name))",
      suggestion: Suggestion.nearest(to: table, among: fault.known), at: span)
  }

  /// The name that a database is bound to, else its address.
  func name(of database: OpenDatabase) -> String { name(of: database.database) }

  func name(of database: Database) -> String {
    let binding = bindings.first {
      if case .database(let bound) = $0.value { bound.database === database } else { false }
    }
    return binding?.name ?? database.connection.address.description
  }

  /// The name of a table's source, with that of its database: `shop.people`; nil if the database
  /// has no name.
  func name(of table: TableSource) -> String? {
    let binding = bindings.first {
      if case .database(let bound) = $0.value { bound.database === table.database } else { false }
    }
    let name = table.table.schema.name
    let parts = [name.schema, name.name].compactMap { $0 }
    return binding.map { binding in
      binding.name + parts.map { ".\(ObjectKeyPath(key: $0))" }.joined()
    }
  }
}

extension DatabaseError {
  /// Whether the table or its schema does not exist.
  fileprivate var isUnknownTable: Bool {
    switch kind {
    case .unknownTable, .unknownDatabase: true
    default: false
    }
  }
}
