import DataSources
import DataTables

/// `diff SOURCE [from: NUMBER [to: NUMBER] | file: true]`, `diff A B [id: KEYPATH]`
struct DiffCommand: Command {
  private static let content = ArgumentType.either([.source, .path(.data)])
  private static let first = Parameter("SOURCE", content, .optional)
  private static let second = Parameter("SOURCE|FILE", content, .optional)
  private static let id = Label(
    "id", .keyPath(.everyRow), "key path that identifies objects in both", example: "number")
  private static let from = Label(
    "from", .positiveInteger, "number of the content to compare, as `snapshots` lists it",
    example: "1")
  private static let to = Label(
    "to", .positiveInteger, "number of the content to compare it with, if not the one shown",
    example: "2")
  private static let file = Label(
    "file", .boolean, "true to compare a loaded source with its file", example: "true")

  static let names = ["diff"]
  static let parameters = [first, second]
  static let labels = [id, from, to, file] + ChangeArguments.labels
  static let synopsis =
    "diff SOURCE [from: NUMBER] [file: true]; diff SOURCE|FILE SOURCE|FILE [id: KEYPATH] …"
  static let summary =
    "Shows the changes between the last two or other contents of a source, or between two sources."
  static let notes = [
    "Changes are in the order of a table view. Deletes and the origin of a move refer to the old",
    "content, all others to the new one. Objects are the same if their `id:` is equal or, without an",
    "`id:`, if they are equal. Among equally good choices, an object that changed is the one that",
    "moves.",
    "",
    "`staged: true` splits the changes into successive batches that UITableView and",
    "NSCollectionView accept: no object leaves a deleted section, enters an inserted one, or moves and",
    "is updated in one batch. Positions refer to the contents before and after the batch.",
    "`sections: move` moves a reordered section, instead of deleting and inserting it.",
    "`from: 2 to: 5` compares two of the contents that `snapshots` lists.",
    "`file: true` shows the edits of a loaded source that are not in its file and, with the names of",
    "both, what other programs have changed in the file since it was read.",
  ]
  static let examples = [
    "diff letters", "insert foods {name: Fig, kind: fruit}; diff letters",
    "diff data/foods.csv (simple [{name: Pie, kind: savory}]) id: name",
    "let old = load data/foods.csv; remove foods [0, 1]; diff old foods",
    "insert foods {name: Fig, kind: fruit}; diff letters staged: true",
    "remove foods [0, 1]; diff foods file: true",
    "remove foods [0, 1]; remove foods [0, 2]; diff letters from: 1 to: 3",
  ]
  static let seeAlso = ["snapshots", "watch", "fetch", "insert", "changes"]

  private enum Form {
    /// The last two contents of a source.
    case history(SourceArgument)
    /// Kept contents of a source; `to` is nil for the content that is shown.
    case numbers(SourceArgument, from: Argument, to: Argument?)
    /// The file of a loaded source as it is now, and the source.
    case file(SourceArgument, label: Argument)
    case contents(old: ContentArgument, new: ContentArgument)
  }
  private let form: Form
  private let id: Argument?
  private let options: ChangeArguments

  init(parsing arguments: inout Arguments) throws {
    id = try arguments[Self.id]
    options = try ChangeArguments(parsing: arguments)
    let file = try arguments[Self.file]
    let (from, to) = (try arguments[Self.from], try arguments[Self.to])
    var rest = arguments
    if let old = try ContentArgument(parsing: &rest, Self.first),
      let new = try ContentArgument(parsing: &rest, Self.second)
    {
      arguments = rest
      form = .contents(old: old, new: new)
      if let file { throw file.error(.badArgument, "`file:` compares one source with its file") }
      if let number = from ?? to {
        throw number.error(.badArgument, "`\(number.label ?? ""):` compares contents of one source")
      }
      return
    }
    let source = try SourceArgument(parsing: &arguments, Self.first)
    if let file, try file.boolean() {
      if let number = from ?? to {
        throw number.error(
          .badArgument, "`\(number.label ?? ""):` and `file:` cannot be combined; remove one")
      }
      form = .file(source, label: file)
    } else if let from {
      form = .numbers(source, from: from, to: to)
    } else if let to {
      throw to.error(.badArgument, "`to:` needs the content to compare with: add `from: NUMBER`")
    } else {
      form = .history(source)
    }
    if let id {
      throw id.error(
        .badArgument,
        "`id:` needs two sources or files; `set SOURCE id: KEYPATH` identifies the "
          + "objects of one")
    }
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let options = try options.options()
    switch form {
    case .history(let argument):
      let source = try await argument.source(in: &session)
      let name = session.displayName(of: source)
      guard let old = source.state.previous, let new = source.state.snapshot else {
        return Self.message("\(name): fewer than two contents so far")
      }
      let changes = try await source.changes(
        movesSections: options.movesSections, session.requestContext)
      return try await Self.result(changes, options, from: old, to: new, of: name)
    case .numbers(let argument, let from, let to):
      let source = try await argument.source(in: &session)
      let shown = try session.content(of: source, at: argument.span)
      let old = try session.keptContent(from, of: source).snapshot
      let new = try to.map { try session.keptContent($0, of: source).snapshot } ?? shown
      let changes = try await source.changes(
        from: old, to: new, movesSections: options.movesSections, session.requestContext)
      return try await Self.result(
        changes, options, from: old, to: new, of: session.displayName(of: source))
    case .file(let argument, let label):
      let source = try await argument.source(in: &session)
      guard let loaded = source as? SimpleSource, let path = loaded.path else {
        throw label.error(.badArgument, Self.reasonAgainstFile(of: source, in: session))
      }
      return try await result(ofEditing: loaded, path, options, in: &session)
    case .contents(let old, let new):
      let comparison = try await ContentComparison(old: old, new: new, id: id, in: &session)
      return try await result(of: comparison, options, in: &session)
    }
  }

  private static func reasonAgainstFile(of source: any DataSource, in session: Session) -> String {
    let files = SourceGraph.sources(below: source).filter { ($0 as? SimpleSource)?.path != nil }
    let fixes = files.compactMap { session.boundName(of: $0) }.map { "`diff \($0) file: true`" }
    return "`file:` needs a source loaded from a file; \(session.displayName(of: source)) is not"
      + (fixes.isEmpty ? "" : "; \(fixes.joined(separator: ", ")) compares the one below it")
  }

  private func result(
    of comparison: ContentComparison, _ options: ChangeOptions, in session: inout Session
  ) async throws -> CommandResult {
    let changes = try await comparison.changes(options, in: &session)
    return try await Self.result(
      changes, options, from: comparison.old.snapshot, to: comparison.new.snapshot,
      of: comparison.name)
  }

  private static func result(
    _ changes: [Change], _ options: ChangeOptions, from old: Snapshot, to new: Snapshot,
    of name: String
  ) async throws -> CommandResult {
    var listing = ChangeListing(options)
    try await listing.add(changes, from: old, to: new)
    return listing.isEmpty ? message("\(name): no changes") : listing.result
  }

  /// The edits of a loaded source and, if its file has changed, the changes of the file.
  private func result(
    ofEditing source: SimpleSource, _ path: String, _ options: ChangeOptions,
    in session: inout Session
  ) async throws -> CommandResult {
    var sides = [try await ContentComparison(editsOf: source, in: session)]
    if source.fileHasChanged(cancellation: session.cancellation) {
      sides.append(try await ContentComparison(fileOf: source, at: path, in: session))
    }
    var listing = ChangeListing(options)
    listing.showsOrigins = sides.count > 1
    for side in sides {
      try await listing.add(
        try await side.changes(options, in: &session), from: side.old.snapshot,
        to: side.new.snapshot, of: side.new.name)
    }
    let name = session.displayName(of: source)
    return listing.isEmpty
      ? Self.message("\(path.lastPathComponent), \(name): no changes") : listing.result
  }

  private static func message(_ text: String) -> CommandResult {
    CommandResult(.value([]), Output(.text([text], data: [])))
  }
}
