public import DataTables

/// An array of objects, or a loaded file, as one section.
///
/// It has its content at once. The section's title is the name of the source, or "". A fetch of a
/// loaded file reads it again if it changed.
public final class SimpleSource: PredicatedSource {
  public static let kind = "simple"
  public let state: SourceState
  /// What the load found; nil for an array of objects.
  public private(set) var report: LoadReport?
  /// The file that was loaded; nil for an array of objects.
  public var path: String? { loader?.path }
  public var predicate: Predicate?
  /// The objects, with all edits; another table after a fetch that read the file again.
  public internal(set) var table: any Table
  /// Whether the fetch that is under way takes the file as it was read.
  var discardsEdits = false
  /// How the file is read; nil for an array of objects.
  public var options: ReadOptions? { loader?.options }
  private var loader: FileLoader?
  /// Whether the file is to be read in another way than it was.
  private var isReadAnew = false
  private var stamp: FileStamp?

  public init(_ objects: [Value], name: String = "") {
    table = ValueTable(objects)
    loader = nil
    state = SourceState(
      name: name, snapshot: Snapshot(LocalStore(table: table, title: .string(name))))
  }

  /// The objects that satisfy a predicate.
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

  /// Reads the objects of a file; of one larger than 16 MiB only what is looked at.
  ///
  /// - Parameters:
  ///   - path: as the system calls take it, relative to the working folder.
  ///   - options: how the file is read; what they leave open is found out.
  ///   - name: the name of the source and title of its section.
  ///   - cancellation: ends the load with `cancelled`, as the end of the task does.
  ///   - progress: is told how far reading the file is, now and whenever it is read again.
  /// - Throws: ``SourceError``.
  public static func load(
    _ path: String, options: ReadOptions = ReadOptions(), name: String = "",
    cancellation: Cancellation? = nil, progress: Progress? = nil
  ) async throws -> SimpleSource {
    try await load(
      FileLoader(path: path, options: options, progress: progress), name: name,
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

  /// Has the next fetch read the file in another way.
  /// - Throws: ``SourceError/data(_:)`` with `badArgument` for an array of objects, and for what
  ///   cannot be read twice, as a pipe.
  public func read(with options: ReadOptions) throws(SourceError) {
    guard let loader, loader.isRepeatable else {
      throw .data(.badArgument("what is no file cannot be read in another way"))
    }
    guard loader.options != options else { return }
    self.loader = FileLoader(path: loader.path, options: options, progress: loader.progress)
    isReadAnew = true
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
    // All or nothing: a file that was read in a fetch that failed is read again by the next one.
    try fetch.cancellation.check()
    self.table = table
    if let file {
      report = file.loaded.report
      stamp = file.stamp
      isReadAnew = self.options != options
    }
    return snapshot
  }

  /// The file read again; nil when what was read of it still holds.
  private func changedFile(cancellation: Cancellation) async throws -> LoadedFile? {
    guard let loader, let stamp, try isReadAnew || !loader.isUnchanged(since: stamp) else {
      return nil
    }
    return try await loader.load(cancellation: cancellation)
  }

  /// What is shown of a table.
  func snapshot(of table: any Table, cancellation: Cancellation) async throws -> Snapshot {
    let predicate = predicate
    var snapshot = try await Snapshot(LocalStore(table: table, title: .string(name)))
      .filtered(by: predicate, keepsEmpty: true, cancellation: cancellation)
    snapshot.arrangement = predicate.map { Arrangement(predicate: $0) }
    return snapshot
  }
}
