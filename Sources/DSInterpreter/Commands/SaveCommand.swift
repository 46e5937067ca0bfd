import DataSources
import DataTables
import Databases

/// `save SOURCE FILE|DATABASE.TABLE [format: FORMAT] [overwrite: true] …`
struct SaveCommand: Command {
  private static let target = Parameter("FILE|DATABASE.TABLE", .string, .optional)
  private static let format = Label(
    "format", .choice(Choices("format", FileSaving.formats)),
    "format of the file; the default is that of its extension", example: "csv")
  private static let overwrite = Label(
    "overwrite", .boolean, "true to replace an existing file or table", example: "true")
  private static let sections = Label(
    "sections", .choice(Choices("form", FileSaving.SectionForm.self)),
    "nested arrays, or a column with the titles; omit it to save only rows",
    example: "nested")
  private static let columns = Label(
    "columns", .list(.keyPath(.someRows)), "key paths of the values to write", example: "name, kind"
  )
  private static let table = Label(
    "table", .string, "name of the table in a database; the default is the name of the source",
    example: "letters")

  static let names = ["save"]
  static let parameters = [Parameter.source, target]
  static let labels = [format, overwrite, sections, columns, table]
  static let summary =
    "Writes a source to a file or as a table of a database, or its edits to the file it came from."
  static let notes = [
    "Files are CSV, TSV, JSON, NDJSON, YAML, property lists or databases of SQLite, and compressed if",
    "the name ends in `.gz` or `.zst`. A file is written as a whole: if saving fails or is canceled, it",
    "keeps its content. One that was changed since it was read is not replaced. Sections are left out",
    "unless `sections:` is given. In CSV, an empty field is null and `\"\"` is the empty string.",
    "`save SOURCE` writes the edits below a source back to their files. CSV, TSV, JSON and NDJSON keep",
    "the bytes of all other rows; other formats are written anew, which needs `overwrite: true`.",
    "A database must be open with `write: true`; a file of SQLite need not be open. The columns of a",
    "table get the types of the values; `overwrite: true` replaces one table and leaves the others.",
  ]
  static let examples = [
    "save foods", "save foods foods.json",
    "save letters letters.yaml sections: nested",
    "save foods names.csv.gz columns: name, kind overwrite: true",
    "save letters shop.letters overwrite: true",
    "save letters archive.sqlite table: \"letters 2024\" overwrite: true",
  ]
  static let seeAlso = ["load", "open", "columns", "formats"]

  private let source: SourceArgument
  private let target: Argument?
  private let format: Argument?
  private let overwrite: Argument?
  private let sections: Argument?
  private let columns: [Argument]?
  private let table: Argument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    target = try arguments.take(Self.target)
    format = try arguments[Self.format]
    overwrite = try arguments[Self.overwrite]
    sections = try arguments[Self.sections]
    columns = arguments.list(Self.columns)
    table = try arguments[Self.table]
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    try session.checkNoTransaction(at: self.source.span)
    var content = try session.content(of: source, at: self.source.span)
    guard let target else { return try await saveEdits(of: source, in: &session) }
    if let columns {
      let paths = try await session.keys(columns, of: source)
      content = try await content.showing(
        paths.map { ProjectedTable.Column(key: $0.defaultKey, path: $0) },
        RequestContext(cancellation: session.cancellation))
    }
    let name = try await target.string(in: &session)
    let saving = TableSaving(
      content: content, isReplacing: try overwrite?.boolean() ?? false, target: target)
    let report: Report
    if let (database, path) = try session.tablePath(name) {
      try refuse([format, sections], "a table")
      try await saving.save(as: path, of: database, name, table: table, in: session)
      try await session.showChanges(in: database)
      report = Self.report(name, content, [("table", .string(name))])
    } else if let file = try DatabaseFile(
      name, isNamed: try format.map { try $0.choice() == FileSaving.databaseFormat }, at: target,
      in: &session)
    {
      try refuse([sections], "a database")
      let table = try await tableName(for: source, at: target, in: &session)
      try await saving.save(as: table, to: file, in: session)
      report = Self.report(
        "\(table) of \(name)", content, [("file", .string(name)), ("table", .string(table))])
    } else {
      let file = try FileSaving(name, format: format, at: target, in: &session)
      report = try await save(content, of: source, to: file, at: target, in: session)
    }
    return CommandResult(.source(source), Output(.report(report)))
  }

  private static func report(
    _ name: String, _ content: Snapshot, _ data: [(String, Value)]
  ) -> Report {
    let count = content.numberOfObjects
    return Report(
      headline: "\(name): \(counted(count, "row")) saved",
      data: Record(data + [("rows", .integer(count))]))
  }

  /// - Throws: ``Diagnostic`` at the first argument that is given.
  private func refuse(_ arguments: [Argument?], _ target: String) throws {
    guard let argument = arguments.compactMap({ $0 }).first else { return }
    throw argument.error(
      .badArgument, "`\(argument.label ?? ""):` does not apply to \(target); remove it")
  }

  // MARK: Tables

  /// The value of `table:`, or the name of the source.
  private func tableName(
    for source: any DataSource, at target: Argument, in session: inout Session
  ) async throws -> String {
    if let table {
      let name = try await table.string(in: &session)
      guard !name.isEmpty else { throw table.error(.badArgument, "a table needs a name") }
      return name
    }
    if let name = session.boundName(of: source) { return name }
    if let table = source as? TableSource { return table.table.schema.name.name }
    guard source.name.isEmpty else { return source.name }
    throw target.error(.badArgument, "the source has no name; add `table: NAME`")
  }

  // MARK: Files

  private func save(
    _ content: Snapshot, of source: any DataSource, to file: FileSaving, at argument: Argument?,
    in session: Session
  ) async throws -> Report {
    var file = file
    try refuse([table], "a file of \(file.format.name)")
    file.isReplacing = try overwrite?.boolean() ?? false
    file.sections = try sections?.choice(as: FileSaving.SectionForm.self)
    if file.sections == .nested, file.format.writing?.nestsSections != true, let sections {
      throw sections.error(
        .badArgument,
        "\(file.format.name) has no nested values for sections; write `sections: column`")
    }
    do {
      try await source.save(content, file, context(in: session))
    } catch {
      throw failure(error, file.name, at: argument)
    }
    return Self.report(
      file.name, content, [("file", .string(file.name)), ("format", .string(file.format.name))])
  }

  private func context(in session: Session) -> RequestContext {
    RequestContext(cancellation: session.cancellation, progress: session.progress)
  }

  /// The error with its location: the target, or else the source.
  private func failure(
    _ error: SourceError, _ name: String, at argument: Argument?
  ) -> Diagnostic {
    let message =
      error.isCancelled ? "saving was canceled; \(name) is unchanged" : error.message
    return Diagnostic(error.kind, message, at: argument?.span ?? source.span)
  }

  // MARK: Edits

  /// Writes the edits of loaded files back to them.
  private func saveEdits(
    of source: any DataSource, in session: inout Session
  ) async throws -> CommandResult {
    try refuse(
      [format, sections, table] + (columns ?? []), "edits of a loaded file, without a file")
    let name = session.displayName(of: source)
    let files = source.savableSources
    guard !files.isEmpty else {
      throw Diagnostic(
        .badArgument,
        "\(name) was not loaded from a file; name a file to write, such as `save \(name) rows.csv`",
        at: self.source.span)
    }
    var saved: [(String, Int)] = []
    for file in files where file.hasEdits {
      let path = file.path ?? ""
      do {
        if file.keepsBytes {
          try await file.saveEdits(context(in: session))
        } else {
          try await overwrite(file, path, in: session)
        }
      } catch let error as SourceError {
        throw failure(error, path, at: nil)
      }
      saved.append((path, file.numberOfRows))
    }
    let data = Record([("files", .array(saved.map { .string($0.0) }))])
    let headline =
      saved.isEmpty
      ? "\(name): no edits to save"
      : saved.map { "\($0): \(counted($1, "row")) saved" }.joined(separator: ", ")
    return CommandResult(.source(source), Output(.report(Report(headline: headline, data: data))))
  }

  /// Writes a file anew whose bytes cannot be kept.
  private func overwrite(
    _ source: SimpleSource, _ path: String, in session: Session
  ) async throws {
    guard try overwrite?.boolean() ?? false else {
      throw Diagnostic(
        .conflict,
        "`\(path)` cannot be written without changing other bytes than those of the edited rows; "
          + "`overwrite: true` writes it anew", at: self.source.span)
    }
    let file = try FileSaving(
      path, path: path, format: source.options?.format, at: self.source.span)
    let content = try await source.wholeContent(cancellation: session.cancellation)
    _ = try await save(content, of: source, to: file, at: nil, in: session)
  }
}
