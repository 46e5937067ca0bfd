import DataSources
import DataTables
import Pictures

/// `preview SOURCE [cell: KEYPATH, …] [at: [SECTION, ROW]] [rows: N] …`
struct PreviewCommand: Command {
  private static let cell = Label(
    "cell", .list(.keyPath(.someRows)),
    "key paths of the title and the detail; the first keys if omitted",
    example: "name, kind")
  private static let place = Label(
    "at", .indexPath, "index path of the row at the top", example: "[2, 0]")
  private static let mostRows = 100_000
  private static let rows = Label(
    "rows", .integer(1...mostRows), "most rows that are printed; 20 if omitted, in tests all",
    example: "5")
  private static let changes = Label(
    "changes", .boolean, "true to show the last batch update", example: "true")
  private static let content = Label(
    "content", .positiveInteger, "number of an earlier content, from `snapshots`", example: "1")
  /// Without a limit of rows, as in tests, all rows are printed.
  private static func usualRows(in session: Session) -> Int {
    session.options.rows == nil ? mostRows : 20
  }

  static let names = ["preview"]
  static let parameters = [Parameter.source]
  static let labels = [cell, place, rows, changes, content, PictureArgument.label]
  static let synopsis =
    "preview SOURCE [cell: TITLE, DETAIL] [at: [SECTION, ROW]] [rows: N] [changes: true] …"
  static let summary = "Draws the table view that an app would show for a source."
  static let notes =
    [
      "At the prompt, a terminal scrolls the table view: arrows, Page keys, Home and End move, Tab or",
      "the first letter of a title jumps to a section, `q` quits. With `rows:`, and in scripts, the first",
      "rows are printed. Only the rows that are shown are read; dimmed rows stand for pages that have",
      "not been fetched.",
      "",
      "`changes: true` shows the changes that the delegate of the source received last, as a table view",
      "animates them: rows and sections are inserted, deleted, moved or updated. With `content:`, they",
      "are those of an earlier fetch or edit.",
      "",
      "`as:` draws the picture in another way, for a file:",
    ] + PictureArgument.notes
  static let examples = [
    "preview letters", "preview letters cell: name at: [2, 0] rows: 3",
    "insert foods {name: Fig, kind: fruit}; preview letters changes: true",
    "preview letters rows: 2 as: mermaid",
  ]
  static let seeAlso = ["show", "snapshots", "diff", "plot", "indexTitles"]

  private let source: SourceArgument
  private let cell: [Argument]?
  private let place: Argument?
  private let rows: Argument?
  private let changes: Argument?
  private let content: Argument?
  private let drawing: PictureArgument?

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    cell = arguments.list(Self.cell)
    place = try arguments[Self.place]
    rows = try arguments[Self.rows]
    changes = try arguments[Self.changes]
    content = try arguments[Self.content]
    drawing = try PictureArgument(parsing: arguments)
    if let cell, cell.count > 2 {
      throw cell[2].error(
        .badArgument, "a row has a title and a detail; remove the other key paths of `cell:`")
    }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    if try changes?.boolean() ?? false {
      if let place {
        throw place.error(.badArgument, "`at:` and `changes:` exclude each other; remove one")
      }
      return try await showChanges(of: source, in: &session)
    }
    let placeholder = content == nil ? Placeholder.row(of: source) : nil
    let shown: Snapshot
    if let content {
      _ = try session.content(of: source, at: self.source.span)
      shown = try session.keptContent(content, of: source).snapshot
    } else if source.state.snapshot == nil, placeholder != nil {
      shown = .empty
    } else {
      shown = try session.content(of: source, at: self.source.span)
    }
    var preview = try await TablePreview(
      shown, cell: try await cell(of: shown, source, in: &session),
      missing: content == nil ? Self.missingRows(of: source, in: session) : [:],
      placeholder: placeholder)
    let start = try await start(in: shown, of: source, in: &session)
    let limit = try rows?.integer() ?? Self.usualRows(in: session)
    let excerpt = try await preview.excerpt(from: start, rows: limit)
    var lines = excerpt.lines.map(\.line)
    if let line = preview.emptyLine { lines.append(line) }
    let index = try await preview.index(lines: lines.count)
    let picture = Picture(
      "preview of \(session.displayName(of: source))",
      .table(Picture.TableView(lines, index: index)),
      note: note(on: source, shown, next: excerpt.next, in: session))
    if let drawing { return try await drawing.result(of: picture, in: &session) }
    let grid = PreviewGrid.grid(of: excerpt.lines)
    preview.start = start.map(preview.position(of:))
    return CommandResult(
      .value(grid.records),
      Output(.picture(picture, rows: grid, preview: rows == nil ? preview : nil)))
  }

  private func cell(
    of snapshot: Snapshot, _ source: any DataSource, in session: inout Session
  ) async throws -> PreviewCell {
    guard let cell else { return PreviewCell(nil, of: snapshot) }
    var paths: [ObjectKeyPath] = []
    for argument in cell {
      let key = try await argument.keyPath(in: &session)
      try session.check(key, of: source)
      paths.append(key.path)
    }
    return PreviewCell(paths, of: snapshot)
  }

  private func start(
    in snapshot: Snapshot, of source: any DataSource, in session: inout Session
  ) async throws -> IndexPath? {
    guard let place else { return nil }
    let located = try await IndexPathArgument(place).path(in: &session)
    try await session.check(located, of: source, snapshot)
    return located.path
  }

  /// `8 sections, 12 objects; preview letters at: [3, 0] shows more`
  private func note(
    on source: any DataSource, _ snapshot: Snapshot, next: IndexPath?, in session: Session
  ) -> String {
    let counts = session.counts(of: snapshot.store)
    guard let next, let name = session.boundName(of: source) else { return counts }
    var command = "preview \(name)"
    if let cell { command += " cell: \(cell.map(\.span.text).joined(separator: ", "))" }
    command += " at: \(next)"
    if let rows { command += " rows: \(rows.span.text)" }
    if let content { command += " content: \(content.span.text)" }
    return "\(counts); `\(command)` shows more"
  }

  /// The most placeholders for the pages of a source.
  private static let mostPlaceholders = 1_000

  /// Placeholders for the objects of pages that have not been fetched, by the section before them.
  private static func missingRows(
    of source: any DataSource, in session: Session
  ) -> [Int: [String]] {
    if source.showsEarlierContent { return [:] }
    var rows: [Int: [String]] = [:]
    for (path, paginated) in source.missingPages {
      let fetched = paginated.numberOfObjects
      let total = paginated.numberOfTotalObjects.map { $0 - fetched }
      // The size of a page is known from its response, or from the one that is there.
      let pages = max(1, paginated.numberOfFetchedPages)
      let size = max(1, paginated.pageSize ?? fetched / pages)
      let count = min(max(1, total ?? size), mostPlaceholders)
      let current = paginated.currentPage
      rows[path.section] = (0..<count).map { row in
        current.map { "page \($0 + 1 + row / size), not fetched" } ?? "not fetched"
      }
    }
    return rows
  }
}

// Batch updates.
extension PreviewCommand {
  /// Two contents and the changes between them.
  private struct Update {
    let changes: [Change]
    let old: Snapshot
    let new: Snapshot
    /// `content 1 to content 2`
    let span: String
  }

  private func showChanges(
    of source: any DataSource, in session: inout Session
  ) async throws -> CommandResult {
    _ = try session.content(of: source, at: self.source.span)
    let name = session.displayName(of: source)
    guard let update = try await update(of: source, in: session) else {
      let shown = try content.map { try session.keptContent($0, of: source).number }
      let text =
        shown.map { "\(name): content \($0) is the first one that is kept" }
        ?? "\(name): fewer than two contents so far"
      return CommandResult(.value([]), Output(.text([text], data: [])))
    }
    let batch = try await BatchUpdate(
      update.changes, from: update.old, to: update.new,
      cell: try await cell(of: update.new, source, in: &session),
      oldCell: try await cell(of: update.old, source, in: &session))
    let limit = try rows?.integer() ?? Self.usualRows(in: session)
    var (lines, isCut) = try await batch.lines(limit: limit)
    if lines.isEmpty { lines = [Picture.TableLine(.gap, "no changes")] }
    let batches = update.changes.batches().count
    var note = counted(update.changes.count, "change")
    if batches > 1 { note += " in \(batches) batches" }
    note += ", \(update.span)"
    if isCut { note += "; `rows: \(limit * 4)` shows more" }
    let picture = Picture(
      "batch update of \(name)", .table(Picture.TableView(lines)), note: note)
    if let drawing { return try await drawing.result(of: picture, in: &session) }
    let grid = PreviewGrid.grid(of: update.changes)
    return CommandResult(.value(grid.records), Output(.picture(picture, rows: grid)))
  }

  /// The last update, or the one that led to `content:`; nil without a content before it.
  private func update(of source: any DataSource, in session: Session) async throws -> Update? {
    if let content {
      let new = try session.keptContent(content, of: source)
      guard let old = source.keptContents.last(where: { $0.number < new.number }) else {
        return nil
      }
      let changes = try await source.changes(
        from: old.snapshot, to: new.snapshot, session.requestContext)
      return Update(
        changes: changes, old: old.snapshot, new: new.snapshot,
        span: "content \(old.number) to content \(new.number)")
    }
    guard let old = source.state.previous, let new = source.state.snapshot else { return nil }
    let number = source.contentNumber
    let cause = source.keptContents.first { $0.number == number }?.cause ?? .edit
    // An object that is shown again makes no content.
    let verb = source.state.refreshes.first?.name ?? cause.rawValue
    return Update(
      changes: try await source.changes(session.requestContext), old: old, new: new,
      span: source.showsEarlierContent
        ? "back to content \(number ?? 0)" : "by `\(verb)`")
  }
}

/// The lines of a preview for programs.
private enum PreviewGrid {
  static func grid(of lines: [TablePreview.VisibleLine]) -> Grid {
    Grid(
      columns: ["kind", "section", "row", "title", "detail"].map { Grid.Column($0) },
      rows: lines.map { line in
        [
          .string(line.line.kind.name), .integer(line.position.section),
          line.path.map { .integer($0.row) } ?? .null, .string(line.line.title),
          .string(line.line.detail),
        ]
      })
  }

  static func grid(of changes: [Change]) -> Grid {
    Grid(
      columns: ["change", "from", "to"].map { Grid.Column($0) },
      rows: changes.map { change in
        let places = [change.from, change.to].map { place in
          place.map { Value.array($0.map(Value.integer)) } ?? .null
        }
        return [.string(change.name)] + places
      })
  }
}

extension Picture.TableLine.Kind {
  fileprivate var name: String {
    switch self {
    case .header: "header"
    case .row: "row"
    case .placeholder: "placeholder"
    case .gap: "gap"
    }
  }
}
