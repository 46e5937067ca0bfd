public import DataTables

/// An array of objects, or a loaded file, as one section. Several files can be loaded as one source.
///
/// It has content before the first fetch. The section is titled with the name of the source, which
/// may be "". A fetch reads loaded files again if they or their read options have changed, and finds
/// new and deleted files of a pattern or a folder.
public final class SimpleSource: PredicatedSource, ReadSource {
  public static let kind = "simple"
  public let state: SourceState
  /// The files from which the objects were loaded; nil for an array of objects.
  let files: SourceFiles?
  /// The load report; nil for an array of objects.
  public var report: LoadReport? { files?.report }
  /// The file that was loaded, or the pattern or the folder of several files; nil for an array of
  /// objects.
  public var path: String? { files?.path }
  /// The key with the file of each object; nil unless several files were loaded.
  public var fileKey: String? {
    (base as? FilesTable)?.fileKey
  }
  public var predicate: Predicate?
  /// All objects as they were loaded; a fetch that reads the file again replaces the table.
  private(set) var base: any Table
  /// The base and the objects that edits added; nil before the first edit.
  var pool: EditPool?
  public let history: EditHistory
  /// All objects with their edits, as the last fetch found them; nil before the first one.
  private var whole: Snapshot?
  /// The rows that were written to the file with their edits; nil if the file has ``base``.
  var savedRows: RowList?
  /// The table of the content, with edits.
  public var table: any Table { state.snapshot?.store.local?.table ?? base }
  /// The read options of the file; nil for an array of objects.
  public var options: ReadOptions? { files?.options }
  /// The keys whose columns were decoded while the file was read; nil for an array of objects.
  package var anticipatedKeys: [String]? { files?.anticipatedKeys }

  public init(_ objects: [Value], name: String = "") {
    let table = ValueTable(objects)
    base = table
    history = EditHistory(count: table.count)
    files = nil
    let snapshot = Snapshot(LocalStore(table: table, title: .string(name)))
    state = SourceState(name: name, snapshot: snapshot, cause: .simple)
    keepWhole(snapshot, nil)
  }

  /// Shows only the objects that satisfy a predicate.
  /// - Throws: ``SourceError``, `unknownKey` when no object has a key of the predicate.
  public init(
    _ objects: [Value], where predicate: Predicate, name: String = ""
  ) throws(SourceError) {
    let table = ValueTable(objects)
    base = table
    history = EditHistory(count: table.count)
    files = nil
    self.predicate = predicate
    do {
      let store = try LocalStore(table: table, title: .string(name))
        .filtered(by: predicate, keepsEmpty: true).store
      let request = ContentRequest(where: predicate, sections: .kept(showsEmpty: true))
      state = SourceState(name: name, snapshot: Snapshot(store, request: request), cause: .simple)
    } catch {
      throw SourceError(error)
    }
  }

  init(_ read: LoadedFiles, from loader: any TableLoader, name: String) {
    let table = read.loaded.table
    base = table
    history = EditHistory(count: table.count)
    files = SourceFiles(read, from: loader)
    let snapshot = Snapshot(LocalStore(table: table, title: .string(name)))
    state = SourceState(name: name, snapshot: snapshot)
    keepWhole(snapshot, nil)
  }

  /// Loads the objects of a file. The columns and rows of a file larger than 16 MiB are read when
  /// they are accessed.
  ///
  /// - Parameters:
  ///   - path: an absolute path, or one relative to the working folder; `~` is not expanded.
  ///   - options: how to read the file; options that are not set are detected.
  ///   - anticipatedKeys: keys whose columns will be accessed, as a hint
  ///     (``ReadRequest/anticipatedKeys``).
  ///   - formats: the formats that can be read.
  ///   - name: the name of the source and the title of its section.
  ///   - cancellation: makes the load fail with `cancelled` when raised, as canceling the task
  ///     does.
  ///   - progress: receives the progress of reading the file, now and whenever it is read again.
  /// - Throws: ``SourceError``.
  public static func load(
    _ path: String, options: ReadOptions = ReadOptions(), anticipatedKeys: [String] = [],
    formats: FormatTable, name: String = "", cancellation: Cancellation? = nil,
    progress: Progress? = nil
  ) async throws -> SimpleSource {
    var request = ReadRequest(options: options)
    request.anticipatedKeys = anticipatedKeys
    return try await load(
      FileLoader(path: path, request: request, formats: formats, progress: progress), name: name,
      cancellation: cancellation)
  }

  /// Loads the objects of all files that match a pattern, or of all files in a folder, as one table.
  ///
  /// The last key of each record is `file`, the path of its file. A key that some files lack is null
  /// there; a column that is a string in one of the files is a string in all. ``report`` names the
  /// differences.
  ///
  /// - Parameters:
  ///   - path: a folder, or a pattern with `*`, `?`, `[a-z]` and `**` (any number of folders).
  ///   - root: the folder to which the paths under `file` are relative; "" for paths as they are
  ///     read.
  /// - Throws: ``SourceError``; `badArgument` for a path of one file, and for a folder with files of
  ///   several formats; `io` if no file matches.
  public static func load(
    all path: String, relativeTo root: String = "", options: ReadOptions = ReadOptions(),
    anticipatedKeys: [String] = [], formats: FormatTable, name: String = "",
    cancellation: Cancellation? = nil, progress: Progress? = nil
  ) async throws -> SimpleSource {
    guard let selection = FileSelection(path, root: root) else {
      throw SourceError.data(.badArgument("`\(path)` is not a folder or a pattern"))
    }
    var request = ReadRequest(options: options)
    request.anticipatedKeys = anticipatedKeys
    return try await load(
      FilesLoader(selection: selection, request: request, formats: formats, progress: progress),
      name: name, cancellation: cancellation)
  }

  /// Whether a path names several files: a folder, or a pattern that is not the path of a file.
  package static func isSelection(_ path: String) -> Bool {
    // The query of a URL is not a pattern.
    !path.contains("://") && FileSelection(path, root: "") != nil
  }

  static func load(
    _ loader: any TableLoader, name: String, cancellation: Cancellation? = nil
  ) async throws -> SimpleSource {
    let flag = Cancellation(parent: cancellation)
    do {
      let read = try await flag.followingTask {
        try await loader.load(replacing: [], cancellation: flag)
      }
      return SimpleSource(read, from: loader, name: name)
    } catch {
      throw SourceError(error)
    }
  }

  public var children: [any DataSource] { [] }

  /// `simple, Scripts/data/foods.csv`
  public var summary: String {
    let filter = predicate.map { ", where \($0)" } ?? ""
    return (path.map { "simple, \($0)" } ?? "simple") + filter
  }

  /// Makes the next fetch read the file with other options.
  /// - Throws: ``SourceError/data(_:)`` with `badArgument` for an array of objects, and for a file
  ///   that cannot be read twice, such as a pipe.
  public func read(with options: ReadOptions) throws(SourceError) {
    guard let files, files.isRepeatable else {
      throw .data(.badArgument("only a regular file can be read again with other options"))
    }
    files.read(with: options)
  }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    if hasEdits, fetch.options.edits != .discard {
      // The edits belong to the rows that were read before.
      try await files?.checkUnchanged(
        keepsEdits: fetch.options.edits == .keep, cancellation: fetch.cancellation)
      return try await shown(of: store(), fetch)
    }
    let options = options
    // The base is older than a file to which edits were written.
    let isReverting = hasEdits && savedRows != nil
    let read =
      isReverting
      ? try await files?.readAll(cancellation: fetch.cancellation)
      : try await files?.readChanges(
        isRefresh: fetch.options.isRefresh, cancellation: fetch.cancellation)
    guard read != nil || hasEdits else { return try await shown(of: store(), fetch) }
    let table = read?.loaded.table ?? base
    let snapshot = try await shown(of: LocalStore(table: table, title: .string(name)), fetch)
    // Change nothing before this point: after a failure, the next fetch reads the file again.
    try fetch.cancellation.check()
    base = table
    pool = nil
    savedRows = nil
    history.reset(count: table.count)
    if let files, let read, let options { files.keep(read, readWith: options) }
    return snapshot
  }

  /// The findings about rows and values of the fetches since the load or since the last call; nil if
  /// the files were not read again.
  package func takeNewFindings() -> LoadReport? { files?.takeNewFindings() }

  /// The objects with their edits that satisfy a predicate.
  /// - Parameters:
  ///   - rows: the rows of the objects; nil for those with all edits.
  ///   - title: the title of the section; nil for the name of the source.
  func content(
    of rows: RowList? = nil, where predicate: Predicate?, title: Value? = nil,
    cancellation: Cancellation
  ) async throws -> Snapshot {
    try await Self.filtered(
      Snapshot(store(of: rows, title: title)), where: predicate, cancellation: cancellation)
  }

  /// The objects of rows, or all with their edits.
  private func store(of rows: RowList? = nil, title: Value? = nil) -> LocalStore {
    let title = title ?? .string(name)
    let rows = rows ?? history.rows
    let table = rows.isNatural(base.count) ? nil : pool?.table(rows)
    return table.map {
      LocalStore(table: $0, order: $0.order, sections: .whole($0.order.count, title: title))
    } ?? LocalStore(table: base, title: title)
  }

  /// The objects of a store that satisfy the predicate. While both stay the same, so does the content.
  private func shown(of store: LocalStore, _ fetch: Fetch) async throws -> Snapshot {
    let known = whole.flatMap {
      $0.store.local?.content.isIdentical(to: store.content) == true ? $0 : nil
    }
    let (whole, predicate) = (known ?? Snapshot(store), predicate)
    let snapshot: Snapshot
    if let kept = state.content(madeFrom: [whole], by: [predicate]) {
      snapshot = kept
    } else {
      snapshot = try await Self.filtered(
        whole, where: predicate, cancellation: fetch.cancellation)
    }
    state.whenStored { [weak self] in self?.keepWhole(whole, predicate) }
    return snapshot
  }

  /// Records from what the content was made.
  private func keepWhole(_ whole: Snapshot, _ predicate: Predicate?) {
    self.whole = whole
    state.keepContent(madeFrom: [whole], by: [predicate])
  }

  private static func filtered(
    _ snapshot: Snapshot, where predicate: Predicate?, cancellation: Cancellation
  ) async throws -> Snapshot {
    guard let predicate else { return snapshot }
    let request = ContentRequest(where: predicate, sections: .kept(showsEmpty: true))
    return try await snapshot.answering(request, RequestContext(cancellation: cancellation))
  }

  /// Explains only the result of the predicate, because the objects are in their original order.
  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    let object = try await snapshot.object(at: path)
    return try snapshot.request?.evaluatePredicate(on: object)
      .map { [ExplanationLine("where", $0.explanation)] } ?? []
  }

  /// Explains in a clause why no object like `value` is shown; nil when no such object exists, or
  /// when the predicate does not hide the first such object.
  ///
  /// - Parameter value: a record matches the objects that have its values; any other value matches
  ///   equal objects.
  /// - Throws: ``SourceError``.
  public func absence(ofLike value: Value) throws -> String? {
    guard let request = state.snapshot?.request else { return nil }
    do {
      let whole = LocalStore(table: table, title: .string(name))
      let path: IndexPath?
      if case .record(let values) = value {
        path = try whole.indexPath(matching: values)
      } else {
        path = try whole.indexPath(of: value)
      }
      guard let path else { return nil }
      let object = try table.object(at: try whole.row(at: path))
      return try request.evaluatePredicate(on: object)
        .flatMap { $0.holds ? nil : "where: \($0.explanation)" }
    } catch {
      throw SourceError(error)
    }
  }
}
