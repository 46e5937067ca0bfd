import DataSources
import DataTables

/// `load FILE …`
struct LoadCommand: Command {
  static let names = ["load"]
  static let synopsis = "load FILE [format: NAME] [types: {KEY: TYPE}] …"
  static let summary = "Reads the objects of a file; without let, the file's name is bound to them."
  static let labels =
    ReadOptionArguments.labels + [
      Label("name", "the name of the source, the title of its section", example: "Foods")
    ]
  static let examples = [
    "load data/foods.csv",
    "let countries = load data/iso3166.tab comment: \"#\" keys: [code, name]",
    "let orders = load data/orders.csv nulls: NA types: {number: string}",
  ]
  static let seeAlso = ["describe", "rejects", "simple", "sectioned"]
  static let resultKind = ResultKind.newSource

  let path: Argument
  let options: ReadOptionArguments
  let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    path = try arguments.required("a file")
    options = try ReadOptionArguments(parsing: arguments)
    name = try arguments.label("name")
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let text = try await path.string(in: &session)
    let resolved = session.resolve(text, at: path)
    var options = try await options.options(changing: ReadOptions(), in: &session)
    let title = try await name?.string(in: &session) ?? ""
    let bound = session.pendingName ?? Name.made(of: FilePath.stem(of: text))
    options.anticipatedKeys = session.anticipatedKeys(ofSourceNamed: bound)
    let source: SimpleSource
    do {
      source = try await SimpleSource.load(
        resolved, options: options, name: title, cancellation: session.cancellation,
        progress: session.progress)
    } catch {
      let error = SourceError(error)
      if error.isCancelled {
        throw path.error(.cancelled, "load of \(text) was cancelled; nothing was bound")
      }
      if case .data(.unknownKey(let key, let known)) = error,
        let place = self.options.place(ofType: key)
      {
        throw Diagnostic(
          .unknownKey, "\(text) has no key `\(key)`",
          suggestion: Suggestion.nearest(to: key, among: known), at: place)
      }
      throw path.error(error.kind, error.message)
    }
    session.loaded.append(Session.LoadedSource(source: source))
    var answer = CommandResult(
      .source(source), Output(.report(LoadSummary(source, name: bound).report)))
    answer.name = Name.made(of: FilePath.stem(of: text))
    return answer
  }
}
