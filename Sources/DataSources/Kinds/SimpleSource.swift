public import DataTables

/// An array of objects, or a loaded file, as one section.
///
/// It has content before the first fetch. The section is titled with the name of the source, which
/// may be "". A fetch reads a loaded file again if the file or its read options have changed.
public final class SimpleSource: PredicatedSource, ReadSource {
  public static let kind = "simple"
  public let state: SourceState
  /// The load report; nil for an array of objects.
  public private(set) var report: LoadReport?
  /// The file that was loaded; nil for an array of objects.
  public var path: String? { loader?.path }
  public var predicate: Predicate?
  /// All objects, with their edits and without the filter; a fetch that reads the file again
  /// replaces the table.
  public internal(set) var table: any Table
  /// Whether the current fetch discards the edits of the file.
  var discardsEdits = false
  /// The read options of the file; nil for an array of objects.
  public var options: ReadOptions? { loader?.request.options }
  /// The keys whose columns were decoded while the file was read; nil for an array of objects.
  package var anticipatedKeys: [String]? { loader?.request.anticipatedKeys }
  private var loader: FileLoader?
  /// Whether the read options have changed since the file was read.
  private var hasNewOptions = false
  private var stamp: FileStamp?

  public init(_ objects: [Value], name: String = "") {
    table = ValueTable(objects)
    loader = nil
    state = SourceState(
      name: name, snapshot: Snapshot(LocalStore(table: table, title: .string(name))))
  }

  /// Shows only the objects that satisfy a predicate.
  /// - Throws: ``SourceError``, `unknownKey` when no object has a key of the predicate.
  public init(
    _ objects: [Value], where predicate: Predicate, name: String = ""
  ) throws(SourceError) {
    table = ValueTable(objects)
    loader = nil
    self.predicate = predicate
    do {
      let store = try LocalStore(table: table, title: .string(name))
        .filtered(by: predicate, keepsEmpty: true).store
      let arrangement = Arrangement(predicate: predicate)
      state = SourceState(name: name, snapshot: Snapshot(store, arrangement: arrangement))
    } catch {
      throw SourceError(error)
    }
  }

  init(_ file: LoadedFile, from loader: FileLoader, name: String) {
    table = file.loaded.table
    report = file.loaded.report
    stamp = file.stamp
    self.loader = loader
    state = SourceState(
      name: name, snapshot: Snapshot(LocalStore(table: table, title: .string(name))))
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
    formats: FormatTable = .core, name: String = "", cancellation: Cancellation? = nil,
    progress: Progress? = nil
  ) async throws -> SimpleSource {
    var request = ReadRequest(options: options)
    request.anticipatedKeys = anticipatedKeys
    return try await load(
      FileLoader(path: path, request: request, formats: formats, progress: progress), name: name,
      cancellation: cancellation)
  }

  static func load(
    _ loader: FileLoader, name: String, cancellation: Cancellation? = nil
  ) async throws -> SimpleSource {
    let flag = Cancellation(parent: cancellation)
    do {
      let file = try await flag.followingTask {
        try await loader.load(cancellation: flag)
      }
      return SimpleSource(file, from: loader, name: name)
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
    guard var loader, loader.isRepeatable else {
      throw .data(.badArgument("only a regular file can be read again with other options"))
    }
    guard loader.request.options != options else { return }
    loader.request.options = options
    self.loader = loader
    hasNewOptions = true
  }

  public func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot {
    if hasEdits && !discardsEdits {
      throw SourceError.conflict("a fetch would lose its edits")
    }
    let options = options
    let file = try await changedFile(cancellation: fetch.cancellation)
    let old = path == nil ? table : (table as? EditedTable)?.base ?? table
    let table = file?.loaded.table ?? old
    let snapshot = try await snapshot(of: table, cancellation: fetch.cancellation)
    // Change nothing before this point: after a failure, the next fetch reads the file again.
    try fetch.cancellation.check()
    self.table = table
    if let file {
      report = file.loaded.report
      stamp = file.stamp
      hasNewOptions = self.options != options
    }
    return snapshot
  }

  /// Reads the file again; returns nil when neither the file nor its read options have changed.
  private func changedFile(cancellation: Cancellation) async throws -> LoadedFile? {
    guard let loader, let stamp, try hasNewOptions || !loader.isUnchanged(since: stamp) else {
      return nil
    }
    return try await loader.load(cancellation: cancellation)
  }

  /// The content with the objects of a table that satisfy the predicate.
  func snapshot(of table: any Table, cancellation: Cancellation) async throws -> Snapshot {
    let predicate = predicate
    var snapshot = try await Snapshot(LocalStore(table: table, title: .string(name)))
      .filtered(by: predicate, keepsEmpty: true, cancellation: cancellation)
    snapshot.arrangement = predicate.map { Arrangement(predicate: $0) }
    return snapshot
  }

  /// Explains only the result of the predicate, because the objects are in their original order.
  public func explanation(
    of path: IndexPath, in snapshot: Snapshot
  ) async throws -> [ExplanationLine] {
    let object = try await snapshot.object(at: path)
    return try snapshot.arrangement?.evaluatePredicate(on: object)
      .map { [ExplanationLine("where", $0.explanation)] } ?? []
  }

  /// Explains in a clause why no object like `value` is shown; nil when no such object exists, or
  /// when the predicate does not hide the first such object.
  ///
  /// - Parameter value: a record matches the objects that have its values; any other value matches
  ///   equal objects.
  /// - Throws: ``SourceError``.
  public func absence(ofLike value: Value) throws -> String? {
    guard let arrangement = state.snapshot?.arrangement else { return nil }
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
      return try arrangement.evaluatePredicate(on: object)
        .flatMap { $0.holds ? nil : "where: \($0.explanation)" }
    } catch {
      throw SourceError(error)
    }
  }
}
