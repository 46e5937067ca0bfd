import DataSources
import DataTables

/// `load FILE …`
struct LoadCommand: Command {
  static let names = ["load"]
  static let synopsis = "load FILE [format: NAME] [types: {KEY: TYPE}] …"
  static let summary = "Reads the objects of a file; without let, the file's name is bound to them."
  private static let formats = TableFormats.all.compactMap { $0.names.first }
  static let labels = [
    Label("format", formats.joined(separator: " "), example: "csv", completion: .words(formats)),
    Label("delimiter", "one character between fields", example: "\";\""),
    Label(
      "header", "false when the first line has no keys", example: "false",
      completion: .words(["true", "false"])),
    Label("keys", "the keys of a file without a header", example: "[code, name]"),
    Label("types", "what keys are read as, whatever they look like", example: "{zip: string}"),
    Label("nulls", "words that stand for null", example: "NA, \"-\""),
    Label("comment", "lines that begin so are left out", example: "\"#\""),
    Label("encoding", "the encoding of the text", example: "UTF-8"),
    Label(
      "strict", "true fails the load at the first row that is wrong", example: "true",
      completion: .words(["true", "false"])),
    Label("maxRow", "the most bytes of a row", example: "1000000"),
    Label("maxDepth", "the most levels of nested values", example: "512"),
    Label("name", "the name of the source, the title of its section", example: "Foods"),
  ]
  static let examples = [
    "load data/foods.csv",
    "let countries = load data/iso3166.tab comment: \"#\" keys: [code, name]",
    "let orders = load data/orders.csv nulls: NA types: {number: string}",
  ]
  static let seeAlso = ["describe", "rejects", "simple", "sectioned"]
  static let gives = Gift.newSource

  let path: Argument
  let options: ReadOptionArguments
  let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    path = try arguments.required("a file")
    options = try ReadOptionArguments(parsing: arguments)
    name = try arguments.label("name")
  }

  func run(in session: inout Session) async throws -> Answer {
    let text = try await path.string(in: &session)
    let resolved = session.resolve(text, at: path)
    let options = try await options.options(in: &session)
    let title = try await name?.string(in: &session) ?? ""
    let source: SimpleSource
    do {
      source = try await SimpleSource.load(
        resolved, options: options, name: title, cancellation: session.cancellation)
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
    let name = Name.made(of: FilePath.stem(of: text))
    let report = LoadSummary(source, name: session.pendingName ?? name).report
    var answer = Answer(.source(source), Output(.report(report)))
    answer.name = name
    return answer
  }
}
