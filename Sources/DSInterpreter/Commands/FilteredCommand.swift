import DataSources
import DataTables

/// `filtered SOURCE where: PREDICATE`
struct FilteredCommand: Command {
  static let names = ["filtered"]
  static let synopsis = "filtered SOURCE where: PREDICATE [empty: show] [name: TEXT]"
  static let summary = "Wraps a source and keeps the objects that satisfy a predicate."
  static let emptyLabel = Label(
    "empty", "hide (default) or show sections that are left empty", example: "show",
    completion: .words(["show", "hide"]))
  static let labels = [
    PredicateArgument.label, emptyLabel, Label("name", "the name of the source", example: "Sweets"),
  ]
  static let examples = [
    "let sweets = filtered foods where: kind == 'sweet' | fetch",
    "let long = filtered letters where: name.length > 5 empty: show | fetch",
    "filtered foods where: name BEGINSWITH[cd] 'p' and not kind IN {'sweet', 'fruit'} | fetch",
  ]
  static let seeAlso = ["sectioned", "indexPath", "set", "predicates"]
  static let gives = Gift.newSource

  let source: SourceArgument
  let predicate: PredicateArgument
  let showsEmpty: Bool
  let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    guard let predicate = PredicateArgument(parsing: arguments) else {
      throw arguments.missing("a predicate")
    }
    self.predicate = predicate
    showsEmpty = try arguments.showsEmpty() ?? false
    name = try arguments.label("name")
  }

  func run(in session: inout Session) async throws -> Answer {
    let inner = try await source.source(in: &session)
    let predicate = try await predicate.predicate(over: inner, in: &session)
    let name = try await name?.string(in: &session) ?? ""
    let source = FilteredSource(inner, where: predicate, showsEmpty: showsEmpty, name: name)
    return Answer(.source(source), Output(.report(session.status(of: source))))
  }
}

extension Arguments {
  /// Whether `empty:` says `show`; nil when it is not given.
  func showsEmpty() throws -> Bool? {
    try label("empty").map {
      try $0.choice(of: ["show", "hide"], for: "way with empty sections") == "show"
    }
  }
}
