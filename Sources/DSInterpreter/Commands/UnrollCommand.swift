import DataSources
import DataTables

/// `unroll SOURCE KEYPATH`
struct UnrollCommand: Command {
  private static let key = Parameter(.keyPath(.everyRow))

  static let names = ["unroll"]
  static let parameters = [Parameter.source, key]
  static let labels = UnrollSettings.verbLabels + [.name]
  static let summary = "Makes a row of each element of an array; keeps the keys of its object."
  static let notes = [
    "The keys of an element take the place of the array. A key that the objects have too is preceded",
    "by the key of the array: `orders_id`. Elements that are not records are under the key of the",
    "array. Objects without elements are left out; `empty: show` keeps them. The sections are kept,",
    "without empty ones. `update` and `remove` change the array of the object below.",
  ]
  static let examples = [
    "unroll (simple [{name: Ann, tags: [a, b]}, {name: Bo, tags: []}]) tags empty: show | fetch",
    "let orders = unroll (simple [{id: 1, orders: [{id: 7, price: 5}]}]) orders | fetch; show orders",
  ]
  static let seeAlso = ["columns", "sectioned", "sources"]
  static let resultKind = ResultKind.newSource

  private let source: SourceArgument
  private let key: Argument
  private let settings: UnrollSettings
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    key = try arguments.require(Self.key)
    settings = try UnrollSettings(parsing: arguments, key: key)
    name = try arguments[.name]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let inner = try await source.source(in: &session)
    // The path is set with the other settings below.
    let source = UnrolledSource(
      inner, by: ObjectKeyPath([]), name: try await name?.string(in: &session) ?? "")
    try await settings.set(source, over: inner, in: &session)
    return CommandResult(.source(source), Output(.report(session.status(of: source))))
  }
}
