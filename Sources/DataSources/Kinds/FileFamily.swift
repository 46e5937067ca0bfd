public import DataTables

/// The files of a multi source that has one section for each file.
struct FileFamily: Sendable {
  let selection: FileSelection
  let request: ReadRequest
  let formats: FormatTable
  let progress: Progress?

  /// A source for each file, in the order of the files. Empty files, and files that vanish meanwhile,
  /// are left out.
  ///
  /// - Parameter old: the sources of an earlier call; the source of a file that still exists is
  ///   returned again.
  func sources(
    replacing old: [SimpleSource], cancellation: Cancellation
  ) async throws -> [SimpleSource] {
    let paths = try selection.files(formats: formats, cancellation: cancellation).paths
    let known = Dictionary(
      old.map { ($0.path ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    let phase = progress?.begin("reading \(paths.count.grouped) files")
    defer { phase?.end() }
    var sources: [SimpleSource] = []
    for path in paths {
      try cancellation.check()
      if let source = known[path] {
        sources.append(source)
        continue
      }
      let loader = FileLoader(path: path, request: request, formats: formats)
      switch try await loader.outcome(named: selection.name(of: path), cancellation) {
      case .read(let file):
        sources.append(
          SimpleSource(
            LoadedFiles(loaded: file.loaded, files: [file]), from: loader,
            name: selection.name(of: path)))
      case .vanished, .empty: continue
      }
    }
    return sources
  }
}

extension MultiSource {
  /// Loads each file that matches a pattern, or each file in a folder, as a section that is titled
  /// with the path of the file. A fetch reads changed files again, and adds and removes sections for
  /// new and deleted files.
  ///
  /// - Parameters:
  ///   - path: a folder, or a pattern with `*`, `?`, `[a-z]` and `**` (any number of folders).
  ///   - root: the folder to which the titles are relative; "" for paths as they are read.
  /// - Throws: the errors of
  ///   ``SimpleSource/load(all:relativeTo:options:anticipatedKeys:formats:name:cancellation:progress:)``.
  public static func load(
    all path: String, relativeTo root: String = "", options: ReadOptions = ReadOptions(),
    formats: FormatTable, name: String = "", cancellation: Cancellation? = nil,
    progress: Progress? = nil
  ) async throws -> MultiSource {
    guard let selection = FileSelection(path, root: root) else {
      throw SourceError.data(.badArgument("`\(path)` is not a folder or a pattern"))
    }
    let family = FileFamily(
      selection: selection, request: ReadRequest(options: options), formats: formats,
      progress: progress)
    do {
      let sources = try await family.sources(
        replacing: [], cancellation: cancellation ?? Cancellation())
      return MultiSource(sources, of: family, name: name)
    } catch {
      throw SourceError(error)
    }
  }
}
