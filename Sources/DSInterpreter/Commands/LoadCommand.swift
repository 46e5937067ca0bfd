import DataSources
import DataTables
import Databases

/// `load FILE|URL …`
struct LoadCommand: Command {
  private static let file = Parameter("FILE|URL", .path(.data))
  private static let form = Label(
    "as", .choice(Choices("form", LoadedForm.self)),
    "multi for a section for each file, not one source", example: "multi")

  static let names = ["load"]
  static let parameters = [file]
  static let labels =
    ReadSettings.all.map(\.label) + [form] + RemoteSettings.requestLabels + [.title]
  static let synopsis = "load FILE|URL [format: FORMAT] [types: {KEY: TYPE}] …"
  static let summary =
    "Loads the objects of a file or a URL; without `let`, binds them to its name."
  static let notes = [
    "Format, delimiter, encoding and types are detected unless labels set them. Invalid rows are",
    "rejected and counted, unless `strict: true`.",
    "A pattern has `*`, `?`, `[a-z]` (in quotes) or `**` for any folders; a folder is loaded if its",
    "files have one format. The last key of each object is then `file`. A key that some files lack is",
    "null there. A fetch reads changed and new files. `load -` reads standard input. `table:` names a",
    "table of a file of SQLite, which is read as a whole; `open` reads pages of it instead.",
    "`load URL` makes the source that `remote URL` makes, and fetches it.",
  ]
  static let examples = [
    "load data/foods.csv",
    "let countries = load data/iso3166.tab comment: \"#\" keys: [code, name]",
    "let orders = load data/orders.csv nulls: NA types: {number: string}",
    "load data/*.csv as: multi | fetch",
  ]
  static let seeAlso = ["describe", "rejects", "simple", "sectioned", "remote", "open", "formats"]
  static let resultKind = ResultKind.newSource

  private static let standardInput = "/dev/stdin"

  static func nameChanges(_ words: [String?]) -> NameChanges {
    guard let path = words.first ?? nil else { return .any }
    return NameChanges(bound: LoadedName.all(of: path), kind: .source)
  }

  private let path: Argument
  private let options: GivenSettings<ReadOptions>
  /// The labels as `remote` reads them, for a URL.
  private let settings: RemoteSettings
  /// The first label that only URLs have.
  private let requestLabel: Span?
  private let form: Argument?
  private let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    path = try arguments.require(Self.file)
    if let next = arguments.peek(.value), next.elements != nil {
      throw next.error(
        .syntax,
        "put quotes around a path with brackets: `load \(Self.quoted(path.span, next.span))`")
    }
    options = try GivenSettings(ReadSettings.all, parsing: arguments)
    settings = try RemoteSettings(parsing: arguments)
    requestLabel = arguments.span(ofAny: RemoteSettings.requestLabels)
    form = try arguments[Self.form]
    name = try arguments[.title]
  }

  /// A path that the language read as several arguments, as a string.
  private static func quoted(_ path: Span, _ brackets: Span) -> String {
    // The path ends where a word ends.
    let rest = path.script.bytes[brackets.end...].prefix { !" \t\r\n;|".utf8.contains($0) }
    return SuggestedLabels.written(Span(path.script, path.start..<rest.endIndex).text)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let text = try await path.string(in: &session)
    if LoadedName.isURL(text) { return try await response(from: text, in: &session) }
    if let requestLabel {
      throw Diagnostic(
        .badArgument, "only a URL has `\(requestLabel.text)`, and `\(text)` is a file",
        at: requestLabel)
    }
    let file = try self.file(text, in: &session)
    var options = ReadOptions()
    try await self.options.apply(to: &options, in: &session)
    let title = try await name?.string(in: &session) ?? ""
    let isMulti = try form?.choice(as: LoadedForm.self) == .multi
    if isMulti, !file.isSelection, let form {
      throw form.error(
        .badArgument, "`as: multi` needs a folder or a pattern such as `load logs/*.csv`")
    }
    do {
      return isMulti
        ? try await multi(file, options, title, in: &session)
        : try await one(file, options, title, in: &session)
    } catch {
      throw diagnostic(of: error, loading: text)
    }
  }

  /// A file, or several files, to be loaded.
  private struct Location {
    let path: String
    /// The name to which the source is bound without `let`.
    let name: String
    let isSelection: Bool
  }

  private func file(_ text: String, in session: inout Session) throws -> Location {
    if text == "-" {
      if session.options.readsStandardInput {
        throw path.error(
          .badArgument, "standard input has the commands, so `load -` cannot read it")
      }
      return Location(
        path: Self.standardInput, name: LoadedName.ofFile("-"), isSelection: false)
    }
    let resolved = session.resolve(text, at: path)
    guard SimpleSource.isSelection(resolved) else {
      return Location(path: resolved, name: LoadedName.ofFile(text), isSelection: false)
    }
    return Location(path: resolved, name: LoadedName.ofFiles(text), isSelection: true)
  }

  /// Makes the source that `remote` makes, and fetches it.
  private func response(
    from text: String, in session: inout Session
  ) async throws -> CommandResult {
    if let scheme = text.firstRange(of: "://").map({ String(text[..<$0.lowerBound]) }),
      session.drivers.driver(scheme: scheme) != nil
    {
      throw path.error(.badArgument, "`\(text)` is a database; `open \(text)` opens it")
    }
    if let form {
      throw form.error(.badArgument, "only a folder or a pattern has `as:`, not a URL")
    }
    let source = try await settings.source(
      at: try await path.url(in: &session), name: name, in: &session)
    let name = LoadedName.ofURL(text)
    let outer = session.pendingName
    session.pendingName = outer ?? name
    defer { session.pendingName = outer }
    var result = try await session.fetch(source, session.fetchOptions, at: path.span)
    result.name = name
    return result
  }

  private func one(
    _ file: Location, _ read: ReadOptions, _ title: String, in session: inout Session
  ) async throws -> CommandResult {
    let bound = session.pendingName ?? file.name
    let keys = session.execution.anticipatedKeys(ofSourceNamed: bound)
    let source = try await session.load(
      file.path, options: read, anticipatedKeys: keys, name: title)
    session.loaded.append(Session.LoadedSource(source: source))
    let summary = LoadSummary(source, name: bound, settings: options)
    var loaded: any DataSource = source
    if let database = session.loadsInto {
      loaded = try await database.table(of: source, cancellation: session.cancellation)
    }
    var result = CommandResult(.source(loaded), Output(.report(summary.report)))
    result.name = file.name
    return result
  }

  private func multi(
    _ file: Location, _ options: ReadOptions, _ title: String, in session: inout Session
  ) async throws -> CommandResult {
    let bound = session.pendingName ?? file.name
    let source = try await MultiSource.load(
      all: file.path, relativeTo: session.options.folder, options: options, formats: .standard,
      name: title, cancellation: session.cancellation, progress: session.progress)
    let files = source.children.compactMap { $0 as? SimpleSource }
    session.loaded += files.map { Session.LoadedSource(source: $0) }
    let notes = files.flatMap { child in
      LoadSummary(child, name: bound).rowNotes.map {
        Report.Note(text: "\(child.name): \($0.text)")
      }
    }
    var result = CommandResult(
      .source(source),
      Output(
        .report(
          Report(
            headline: "\(bound): multi of \(counted(files.count, "file")), not fetched yet "
              + "(fetch \(bound))", notes: Array(notes.prefix(10)),
            data: Record([
              ("source", .string(bound)), ("kind", .string(MultiSource.kind)),
              ("files", .integer(files.count)), ("fetched", false),
            ])))))
    result.name = file.name
    return result
  }

  private func diagnostic(of error: any Error, loading text: String) -> Diagnostic {
    let error = SourceError(error)
    if error.isCancelled {
      return path.error(.cancelled, "load of \(text) was canceled; nothing was bound")
    }
    if case .data(.unknownKey(let key, let known)) = error,
      let span = options.span(ofType: key)
    {
      return Diagnostic(
        .unknownKey, "\(text) has no key `\(key)`",
        suggestion: Suggestion.nearest(to: key, among: known), at: span)
    }
    if case .database(let fault) = error, case .unknownTable(let name) = fault.kind,
      let span = options.span(ofLabel: ReadOption.table.name)
    {
      return Diagnostic(
        error.kind, error.message, suggestion: Suggestion.nearest(to: name, among: fault.known),
        at: span)
    }
    if case .data(.unsupportedOption(let name, let message)) = error,
      let span = options.span(ofLabel: name)
    {
      return Diagnostic(.badArgument, message, at: span)
    }
    let message =
      text == "-"
      ? error.message.replacing("`\(Self.standardInput)`", with: "standard input") : error.message
    return path.error(error.kind, options.withReplacements(message))
  }
}

/// The values of `as:`.
enum LoadedForm: String, CaseIterable {
  case one, multi
}
