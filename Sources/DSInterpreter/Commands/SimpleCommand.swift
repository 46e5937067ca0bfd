import DataSources
import DataTables
import Databases

/// `simple [OBJECT, …]`
struct SimpleCommand: Command {
  private static let list = Parameter(.objects)

  static let names = ["simple"]
  static let parameters = [list]
  static let labels = SimpleSettings.labels + [.title]
  static let summary = "Creates a source with one section from a list of objects."
  static let examples = [
    "let items = simple [1, 2, \"third object\"] name: Test",
    "let menu = simple [{name: Pie, price: 4.50}, {name: Carrot}]",
    "objects foods [0] | simple",
  ]
  static let seeAlso = ["load", "sectioned", "objects"]
  static let resultKind = ResultKind.newSource

  private let list: Argument
  private let predicate: PredicateArgument?
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    list = try arguments.require(Self.list)
    predicate = PredicateArgument(parsing: arguments)
    name = try arguments[.title]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let name = try await name?.string(in: &session) ?? ""
    guard case .array(let objects) = try await value(in: &session) else {
      throw list.error(.badArgument, "simple needs a list of objects: `simple [Pie, Carrot]`")
    }
    let source = try await source(of: objects, name: name, in: &session)
    let status = Output(.report(session.status(of: source)))
    guard let database = session.loadsInto, predicate == nil else {
      return CommandResult(.source(source), status)
    }
    let table = try await database.table(of: source, cancellation: session.cancellation)
    return CommandResult(.source(table), status)
  }

  private func source(
    of objects: [Value], name: String, in session: inout Session
  ) async throws -> SimpleSource {
    guard let argument = predicate,
      let predicate = try await argument.predicate(over: nil, in: &session)
    else { return SimpleSource(objects, name: name) }
    do {
      return try SimpleSource(objects, where: predicate, name: name)
    } catch {
      throw argument.locating(error, naming: "the list", in: session)
    }
  }

  private func value(in session: inout Session) async throws -> Value {
    guard let name = list.word, Value(literal: name).type == .string else {
      return try await list.value(in: &session)
    }
    return try await session.value(
      of: try session.operand(named: name, at: list.span), at: list.span)
  }
}
