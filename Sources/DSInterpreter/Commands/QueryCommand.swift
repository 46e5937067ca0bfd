import DataSources
import DataTables
import Databases

/// `query DATABASE SQL [args: [VALUE, …]]`
struct QueryCommand: Command {
  static let names = ["query"]
  static let parameters = [Parameter.database, StatementArgument.parameter]
  static let labels = [StatementArgument.label, Label.title]
  static let summary = "Runs a statement that reads; the source has its rows without a fetch."
  static let notes = [
    "A fetch runs the statement again. `args:` are the values of its `?`; `??` is a question mark of",
    "the statement, such as an operator of PostgreSQL.",
  ]
  static let examples = [
    "query shop \"SELECT dept, avg(sal) AS pay FROM people GROUP BY dept\"",
    "query shop \"SELECT * FROM people WHERE city = ?\" args: [Oslo]",
  ]
  static let seeAlso = ["exec", "tables", "open"]
  static let resultKind = ResultKind.newSource

  private let database: DatabaseArgument
  private let statement: StatementArgument
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    database = try DatabaseArgument(parsing: &arguments)
    statement = try StatementArgument(parsing: &arguments)
    name = try arguments[.title]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let database = try await database.database(in: &session)
    let sql = try await statement.sql(for: database, in: &session)
    let title = try await name?.string(in: &session) ?? ""
    do {
      let source = try await QuerySource.run(
        sql, of: database.database, title: title, cancellation: session.cancellation)
      return CommandResult(.source(source), Output(.report(session.status(of: source))))
    } catch {
      throw statement.diagnostic(of: SourceError(error))
    }
  }
}

/// `exec DATABASE SQL [args: [VALUE, …]]`
struct ExecCommand: Command {
  static let names = ["exec"]
  static let parameters = [Parameter.database, StatementArgument.parameter]
  static let labels = [StatementArgument.label]
  static let summary = "Runs a statement that writes; the database must be open with `write: true`."
  static let examples = [
    "exec shop \"UPDATE people SET city = ? WHERE id = ?\" args: [Oslo, 7]"
  ]
  static let seeAlso = ["query", "open"]

  private let database: DatabaseArgument
  private let statement: StatementArgument

  init(parsing arguments: inout Arguments) throws {
    database = try DatabaseArgument(parsing: &arguments)
    statement = try StatementArgument(parsing: &arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let database = try await database.database(in: &session)
    let sql = try await statement.sql(for: database, in: &session)
    let name = session.name(of: database)
    let count: Int?
    do throws(SourceError) {
      count = try await database.execute(sql, cancellation: session.cancellation)
    } catch {
      var diagnostic = statement.diagnostic(of: error)
      if case .database(let fault) = error, fault.kind == .denied {
        diagnostic.message += "; open it with `write: true`"
      }
      throw diagnostic
    }
    try await session.showChanges(in: database)
    // Some engines do not report the number.
    let changed = count.map { Value.integer($0) } ?? .null
    let report = Report(
      headline: name
        + (count.map { ": \(counted($0, "row")) changed" } ?? ": the statement has run"),
      data: Record([("database", .string(name)), ("changed", changed)]))
    return CommandResult(.value(changed), Output(.report(report)))
  }
}

/// A statement of SQL with values for its placeholders.
struct StatementArgument {
  static let parameter = Parameter("SQL", .string)
  static let label = Label(
    "args", .value, "a list of values for the placeholders `?`", example: "[Oslo, 7]")

  private let statement: Argument
  private let values: Argument?

  init(parsing arguments: inout Arguments) throws {
    statement = try arguments.require(Self.parameter)
    values = try arguments[Self.label]
  }

  func sql(
    for database: OpenDatabase, in session: inout Session
  ) async throws -> SQL {
    let text = try await statement.string(in: &session)
    var bound: [Value] = []
    if let values {
      guard case .array(let elements) = try await values.value(in: &session) else {
        throw values.error(.badArgument, "`args:` must be a list: `args: [Oslo, 7]`")
      }
      bound = elements
    }
    do throws(StatementError) {
      return try SQL(
        text, arguments: bound, database.database.connection.dialect.syntax)
    } catch {
      throw (values ?? statement).error(
        .badArgument,
        "the statement has \(counted(error.placeholders, "placeholder")) `?`, but `args:` has "
          + counted(error.values, "value"))
    }
  }

  /// The error of an engine, with its place in the statement.
  func diagnostic(of error: SourceError) -> Diagnostic {
    var diagnostic = statement.error(
      error.kind, error.message, suggestion: error.suggestion)
    guard case .database(let fault) = error, let text = fault.statement, let offset = fault.offset,
      text.contains(where: { !$0.isWhitespace })
    else { return diagnostic }
    // The lines of the statement up to the place, and a caret below it.
    let scalars = text.unicodeScalars
    let start = scalars.index(scalars.startIndex, offsetBy: min(max(0, offset), scalars.count))
    let line =
      text[text.startIndex..<start].split(
        separator: "\n", omittingEmptySubsequences: false
      ).count - 1
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let column =
      text[..<start].split(separator: "\n", omittingEmptySubsequences: false).last?.count ?? 0
    diagnostic.details = [String(lines[line]), String(repeating: " ", count: column) + "^"]
    return diagnostic
  }
}
