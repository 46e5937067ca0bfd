import DataTables
import Glibc

/// Reads several files as one table, with the path of its file under the last key of each record.
///
/// A file that vanishes between the listing and its turn, and an empty file, are left out and
/// reported. A file that changes while it is read is read again.
struct FilesLoader: TableLoader {
  let selection: FileSelection
  var request: ReadRequest
  let formats: FormatTable
  var progress: Progress?

  /// Reading more files at the same time gains nothing.
  private static let workers = max(1, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  var path: String { selection.path }
  var isRepeatable: Bool { true }

  func observedPaths(cancellation: Cancellation) throws(TableError) -> ObservedPaths {
    try selection.observedPaths(cancellation: cancellation)
  }

  func load(replacing old: [ReadFile], cancellation: Cancellation) async throws -> LoadedFiles {
    try await load(replacing: old, isReload: false, cancellation: cancellation)
  }

  func reload(_ old: [ReadFile], cancellation: Cancellation) async throws -> LoadedFiles {
    try await load(replacing: old, isReload: true, cancellation: cancellation)
  }

  // Concurrent, to leave the isolation of the source free while the files are read.
  @concurrent
  private func load(
    replacing old: [ReadFile], isReload: Bool, cancellation: Cancellation
  ) async throws -> LoadedFiles {
    let selected = try selection.files(formats: formats, cancellation: cancellation)
    let paths = selected.paths
    let phase = progress?.begin("reading \(paths.count.grouped) files")
    defer { phase?.end() }
    let known = Dictionary(old.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let outcomes = try await outcomes(paths, known, isReload, cancellation)
    var schema = FileSchema(request.options)
    schema.unreadable = selected.unreadable.map { selection.name(of: $0) }
    var files = try readFiles(paths, outcomes, &schema)
    let names = files.map { selection.name(of: $0.path) }
    try schema.unite(zip(names, files).map { ($0, $1.loaded) }, cancellation: cancellation)
    try await unify(&files, &schema, cancellation)
    let table = FilesTable(
      zip(names, files).map { ($0, ($1.unified?.file ?? $1.file).loaded.table) })
    return LoadedFiles(
      loaded: LoadedTable(table: table, report: schema.report(of: table)), files: files)
  }

  /// The files that were read; notes the others.
  /// - Throws: `TableError` if no file was read.
  private func readFiles(
    _ paths: [String], _ outcomes: [FileOutcome], _ schema: inout FileSchema
  ) throws(TableError) -> [ReadFile] {
    var files: [ReadFile] = []
    for (path, outcome) in zip(paths, outcomes) {
      switch outcome {
      case .read(let file): files.append(file)
      case .vanished: schema.vanished.append(selection.name(of: path))
      case .empty: schema.empty.append(selection.name(of: path))
      }
    }
    guard files.isEmpty else { return files }
    guard !schema.empty.isEmpty else {
      throw .io("the files of `\(selection.name)` no longer exist")
    }
    throw .format(
      "the files of `\(selection.name)` are empty: \(schema.empty.joined(separator: ", "))", at: nil
    )
  }

  /// Reads the columns that are strings in one of the files as strings in all of them.
  private func unify(
    _ files: inout [ReadFile], _ schema: inout FileSchema, _ cancellation: Cancellation
  ) async throws {
    for index in files.indices {
      try cancellation.check()
      let file = files[index]
      let keys = schema.keysToUnify(at: index)
      guard keys != file.unified?.keys ?? [] else { continue }
      let unified = keys.isEmpty ? nil : try await unified(file, keys, cancellation)
      if !keys.isEmpty, unified == nil { schema.mixed.formUnion(keys) }
      files[index] = file.with(unified: unified)
    }
  }

  /// The outcome for each path, in order. The files are read on all processors.
  private func outcomes(
    _ paths: [String], _ known: [String: ReadFile], _ isReload: Bool, _ cancellation: Cancellation
  ) async throws -> [FileOutcome] {
    try await withThrowingTaskGroup(of: [(Int, FileOutcome)].self) { group in
      let workers = min(Self.workers, paths.count)
      for worker in 0..<workers {
        group.addTask {
          var outcomes: [(Int, FileOutcome)] = []
          for index in stride(from: worker, to: paths.count, by: workers) {
            try cancellation.check()
            let path = paths[index]
            outcomes.append(
              (index, try await outcome(path, known[path], isReload, cancellation)))
          }
          return outcomes
        }
      }
      var outcomes = [FileOutcome?](repeating: nil, count: paths.count)
      for try await part in group { for (index, outcome) in part { outcomes[index] = outcome } }
      return outcomes.compactMap { $0 }
    }
  }

  private func outcome(
    _ path: String, _ old: ReadFile?, _ isReload: Bool, _ cancellation: Cancellation
  ) async throws -> FileOutcome {
    let loader = FileLoader(path: path, request: request, formats: formats)
    let name = selection.name(of: path)
    guard let old, old.options == request.options else {
      return try await loader.outcome(named: name, cancellation)
    }
    let isChanged =
      isReload
      ? try? loader.hasChanged(since: old.file, cancellation: cancellation)
      : old.file.hasRest || (try? loader.isUnchanged(since: old.file)) != true
    if isChanged == false { return .read(old) }
    return try await loader.outcome(named: name, after: isReload ? old.file : nil, cancellation)
  }

  /// The file with some columns as strings.
  private func unified(
    _ file: ReadFile, _ keys: Set<String>, _ cancellation: Cancellation
  ) async throws -> (keys: Set<String>, file: LoadedFile)? {
    var loader = FileLoader(path: file.path, request: request, formats: formats)
    for key in keys { loader.request.options.types[key] = .string }
    let name = selection.name(of: file.path)
    do {
      // Without a part of a line that was not read before.
      let end = file.file.hasRest ? file.file.content?.bytes.count : nil
      let new = try await loader.settled(cancellation) {
        try await $0.load(upTo: end, cancellation: cancellation)
      }
      guard new.stamp == file.file.stamp else {
        throw TableError.changed("`\(name)` has changed while it was loaded")
      }
      return (keys, new)
    } catch TableError.badArgument {
      // A format whose values have types of their own.
      return nil
    } catch let error as TableError {
      throw error.inFile(name)
    }
  }

  func isUnchanged(since old: [ReadFile], cancellation: Cancellation) throws -> Bool {
    try areSame(old, cancellation) { file, loader in
      try !file.hasRest && loader.isUnchanged(since: file)
    }
  }

  @concurrent
  func hasChanged(since old: [ReadFile], cancellation: Cancellation) async throws -> Bool {
    try !areSame(old, cancellation) { file, loader in
      try !loader.hasChanged(since: file, cancellation: cancellation)
    }
  }

  /// Whether the same files are found, and each satisfies a condition.
  private func areSame(
    _ old: [ReadFile], _ cancellation: Cancellation,
    _ isSame: (LoadedFile, FileLoader) throws -> Bool
  ) throws -> Bool {
    var rest = old[...]
    for path in try selection.files(formats: formats, cancellation: cancellation).paths {
      if let file = rest.first, file.path == path {
        let loader = FileLoader(path: path, request: request, formats: formats)
        // A file that vanished meanwhile has changed.
        guard (try? isSame(file.file, loader)) == true else { return false }
        rest.removeFirst()
      } else if !Folder.isEmptyFile(path) {
        return false
      }
    }
    return rest.isEmpty
  }
}
