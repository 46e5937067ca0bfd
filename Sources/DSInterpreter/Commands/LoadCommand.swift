import DataSources
import DataTables

/// `load FILE …`
struct LoadCommand: Command {
  private static let file = Parameter(.path(.data))

  static let names = ["load"]
  static let parameters = [file]
  static let labels = ReadSettings.all.map(\.label) + [.title]
  static let synopsis = "load FILE [format: FORMAT] [types: {KEY: TYPE}] …"
  static let summary =
    "Loads the objects of a file; without `let`, binds the source to the file's name."
  static let notes = [
    "Format, delimiter, encoding and types are detected unless labels set them. Invalid rows are",
    "rejected and counted, unless `strict: true`.",
  ]
  static let examples = [
    "load data/foods.csv",
    "let countries = load data/iso3166.tab comment: \"#\" keys: [code, name]",
    "let orders = load data/orders.csv nulls: NA types: {number: string}",
  ]
  static let seeAlso = ["describe", "rejects", "simple", "sectioned"]
  static let resultKind = ResultKind.newSource

  private let path: Argument
  private let options: GivenSettings<ReadOptions>
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    path = try arguments.require(Self.file)
    options = try GivenSettings(ReadSettings.all, parsing: arguments)
    name = try arguments[.title]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let text = try await path.string(in: &session)
    let resolved = session.resolve(text, at: path)
    var options = ReadOptions()
    try await self.options.apply(to: &options, in: &session)
    let title = try await name?.string(in: &session) ?? ""
    let bound = session.pendingName ?? Name.valid(from: FilePath.stem(of: text))
    let anticipatedKeys = session.execution.anticipatedKeys(ofSourceNamed: bound)
    let source: SimpleSource
    do {
      source = try await SimpleSource.load(
        resolved, options: options, anticipatedKeys: anticipatedKeys, formats: .standard,
        name: title, cancellation: session.cancellation, progress: session.progress)
    } catch {
      let error = SourceError(error)
      if error.isCancelled {
        throw path.error(.cancelled, "load of \(text) was canceled; nothing was bound")
      }
      if case .data(.unknownKey(let key, let known)) = error,
        let span = self.options.span(ofType: key)
      {
        throw Diagnostic(
          .unknownKey, "\(text) has no key `\(key)`",
          suggestion: Suggestion.nearest(to: key, among: known), at: span)
      }
      throw path.error(error.kind, error.message)
    }
    session.loaded.append(Session.LoadedSource(source: source))
    var result = CommandResult(
      .source(source), Output(.report(LoadSummary(source, name: bound).report)))
    result.name = Name.valid(from: FilePath.stem(of: text))
    return result
  }
}
