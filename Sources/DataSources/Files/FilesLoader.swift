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

  var observedPaths: ObservedPaths { ObservedPaths(folders: selection.folders) }

  // Concurrent, to leave the isolation of the source free while the files are read.
  @concurrent
  func load(replacing old: [ReadFile], cancellation: Cancellation) async throws -> LoadedFiles {
    let paths = try selection.paths(formats: formats, cancellation: cancellation)
    let phase = progress?.begin("reading \(paths.count.grouped) files")
    defer { phase?.end() }
    let known = Dictionary(old.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let outcomes = try await outcomes(paths, known, cancellation)
    var files: [ReadFile] = []
    var schema = FileSchema(request.options)
    for (path, outcome) in zip(paths, outcomes) {
      switch outcome {
      case .read(let file): files.append(file)
      case .vanished: schema.vanished.append(selection.name(of: path))
      case .empty: schema.empty.append(selection.name(of: path))
      }
    }
    if files.isEmpty {
      throw TableError.format(
        "the files of `\(selection.name)` are empty: \(schema.empty.joined(separator: ", "))",
        at: nil)
    }
    let names = files.map { selection.name(of: $0.path) }
    try schema.unite(zip(names, files).map { ($0, $1.loaded) }, cancellation: cancellation)
    for index in files.indices {
      try cancellation.check()
      let keys = schema.keysToUnify(at: index)
      if keys.isEmpty {
        files[index].unified = nil
      } else if files[index].unified?.keys != keys {
        files[index].unified = try await unified(files[index], keys, cancellation)
        if files[index].unified == nil { schema.mixed.formUnion(keys) }
      }
    }
    let table = FilesTable(
      zip(names, files).map { ($0, ($1.unified?.loaded ?? $1.loaded).table) })
    return LoadedFiles(
      loaded: LoadedTable(table: table, report: schema.report(of: table)), files: files)
  }

  /// The outcome for each path, in order. The files are read on all processors.
  private func outcomes(
    _ paths: [String], _ known: [String: ReadFile], _ cancellation: Cancellation
  ) async throws -> [FileOutcome] {
    try await withThrowingTaskGroup(of: [(Int, FileOutcome)].self) { group in
      let workers = min(Self.workers, paths.count)
      for worker in 0..<workers {
        group.addTask {
          var outcomes: [(Int, FileOutcome)] = []
          for index in stride(from: worker, to: paths.count, by: workers) {
            try cancellation.check()
            let path = paths[index]
            outcomes.append((index, try await outcome(path, known[path], cancellation)))
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
    _ path: String, _ old: ReadFile?, _ cancellation: Cancellation
  ) async throws -> FileOutcome {
    let loader = FileLoader(path: path, request: request, formats: formats)
    if let old, old.options == request.options,
      let isUnchanged = try? loader.isUnchanged(since: old.stamp), isUnchanged
    {
      return .read(old)
    }
    return try await loader.outcome(named: selection.name(of: path), cancellation)
  }

  /// The file with some columns as strings.
  private func unified(
    _ file: ReadFile, _ keys: Set<String>, _ cancellation: Cancellation
  ) async throws -> (keys: Set<String>, loaded: LoadedTable)? {
    var loader = FileLoader(path: file.path, request: request, formats: formats)
    for key in keys { loader.request.options.types[key] = .string }
    let name = selection.name(of: file.path)
    do {
      let new = try await loader.loadSettled(cancellation)
      guard new.stamp == file.stamp else {
        throw TableError.changed("`\(name)` has changed while it was loaded")
      }
      return (keys, new.loaded)
    } catch TableError.badArgument {
      // A format whose values have types of their own.
      return nil
    } catch let error as TableError {
      throw error.inFile(name)
    }
  }

  func isUnchanged(since old: [ReadFile], cancellation: Cancellation) throws -> Bool {
    var rest = old[...]
    for path in try selection.paths(formats: formats, cancellation: cancellation) {
      if let file = rest.first, file.path == path {
        let loader = FileLoader(path: path, request: request, formats: formats)
        // A file that vanished meanwhile has changed.
        guard (try? loader.isUnchanged(since: file.stamp)) == true else { return false }
        rest.removeFirst()
      } else if !Folder.isEmptyFile(path) {
        return false
      }
    }
    return rest.isEmpty
  }
}
