import DataSources
import DataTables
import Databases

/// `save SOURCE FILE|DATABASE.TABLE [format: FORMAT] [overwrite: true] …`
struct SaveCommand: Command {
  private static let target = Parameter(.target, .optional)
  private static let format = Label(
    "format", .choice(Choices("format", FileSaving.formats, accepting: FileSaving.knows)),
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
    "the name ends in `.gz`, `.zst` or `.zip`. A file is written as a whole: if saving fails or is",
    "canceled, it keeps its content. One that was changed since it was read is not replaced. Sections",
    "are left out unless `sections:` is given. In CSV, an empty field is null and `\"\"` is the empty",
    "string.",
    "`save SOURCE` writes the edits below a source back to their files. CSV, TSV, JSON and NDJSON keep",
    "the bytes of all other rows; other formats are written anew, which needs `overwrite: true`. A",
    "file that another program changed needs it after `fetch SOURCE keep: true`: its changes are lost.",
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
    try session.checkNoTransaction(
      "because its edits may still be reverted", at: self.source.span)
    var content = try session.content(of: source, at: self.source.span)
    guard let target else {
      try refuse(
        [format, sections, table] + (columns ?? []), "edits of a loaded file, without a file")
      let saving = EditSaving(
        source: source, span: self.source.span, isReplacing: try overwrite?.boolean() ?? false)
      return try await saving.save(in: session)
    }
    if let columns {
      let paths = try await session.keys(columns, of: source)
      try check(paths, columns, of: source, in: session)
      content = try await content.showing(
        paths.map { ProjectedTable.Column(key: $0.defaultKey, path: $0) },
        RequestContext(cancellation: session.cancellation))
    }
    let name = try await target.string(in: &session)
    if !session.isTablePath(name) { try checkFile(name, target, of: source, in: &session) }
    let isReplacing = try overwrite?.boolean() ?? false
    let report: Report
    if let (database, path) = try session.tablePath(name) {
      try refuse([format], "a table")
      let saving = TableSaving(
        content: content, sections: try sectionColumn(of: content), isReplacing: isReplacing,
        target: target)
      try await saving.save(as: path, of: database, name, table: table, in: session)
      try await session.showChanges(in: database)
      report = Self.report(name, content, [("table", .string(name))])
    } else if let file = try DatabaseFile(
      name, isNamed: try format.map { try $0.choice() == FileSaving.databaseFormat }, at: target,
      in: &session)
    {
      let saving = TableSaving(
        content: content, sections: try sectionColumn(of: content), isReplacing: isReplacing,
        target: target)
      let table = try await tableName(for: source, at: target, in: &session)
      try await saving.save(as: table, to: file, in: session)
      report = Self.report(
        "\(table) of \(name)", content, [("file", .string(name)), ("table", .string(table))])
    } else {
      let file = try FileSaving(name, format: format, at: target, in: &session)
      report = try await save(content, of: source, to: file, at: target, in: session)
    }
    return CommandResult(
      .source(source), Output(.report(report), warnings: session.earlierContentWarnings(of: source))
    )
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

  /// - Throws: ``Diagnostic`` at the second column with the same key.
  private func check(
    _ paths: [ObjectKeyPath], _ columns: [Argument], of source: any DataSource, in session: Session
  ) throws {
    guard let repeated = RepeatedColumn(paths.map(\.defaultKey), of: paths) else { return }
    let list = paths.map(\.description).joined(separator: ", ")
    throw columns[repeated.index].error(
      .badArgument,
      "\(repeated.fact); in place of `columns:`, save "
        + "`(columns \(shownName(of: source, in: session)) \(list) as: \(repeated.names) | fetch)`")
  }

  /// The name of a source in commands that messages suggest.
  private func shownName(of source: any DataSource, in session: Session) -> String {
    session.boundName(of: source) ?? "SOURCE"
  }

  // MARK: Tables

  /// The column with the titles of the sections; nil without `sections:`.
  private func sectionColumn(of content: Snapshot) throws -> SectionColumn? {
    guard let sections else { return nil }
    guard try sections.choice(as: FileSaving.SectionForm.self) == .column else {
      throw sections.error(
        .badArgument, "a table has no nested values for sections; write `sections: column`")
    }
    return SectionColumn(of: content)
  }

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

  /// - Throws: ``Diagnostic`` for a name that is not that of a file.
  private func checkFile(
    _ name: String, _ target: Argument, of source: any DataSource, in session: inout Session
  ) throws {
    guard !name.isEmpty else { throw target.error(.badArgument, "a file needs a name") }
    guard name == "-" || RegularFile.isStream(session.resolve(name, at: target)) else { return }
    throw target.error(
      .io,
      "`\(name)` is a stream, not a file; to print the rows, start dsshell with `--output csv` and "
        + "write `objects \(shownName(of: source, in: session))`")
  }

  private func save(
    _ content: Snapshot, of source: any DataSource, to file: FileSaving, at target: Argument,
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
    if source.wasRead(fromFileAt: file.path),
      let reason = session.reasonAgainstEarlierContent(of: source)
    {
      throw target.error(.conflict, reason)
    }
    let exists = file.replacesFile
    do {
      try await source.save(content, file, session.savingContext)
    } catch {
      let changed =
        error.kind == .conflict && file.isReplacing
        ? source.savableSources.first { $0.hasOtherContent(ofFileAt: file.path) } : nil
      throw changed.map { Diagnostic(changed: file.name, of: $0, in: session, at: target.span) }
        ?? Diagnostic(saving: file.name, existing: exists, error, at: target.span)
    }
    return Self.report(
      file.name, content, [("file", .string(file.name)), ("format", .string(file.format.name))])
  }
}
