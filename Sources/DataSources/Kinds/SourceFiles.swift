import DataTables

/// The files from which a source was loaded: how they are read, the result of the last reading, and
/// whether they have changed since. Confined to the isolation of the source.
final class SourceFiles {
  private var loader: any TableLoader
  private var files: [ReadFile]
  private(set) var report: LoadReport
  /// Whether the read options have changed since the files were read.
  private var hasNewOptions = false
  /// The report whose findings were shown, if a fetch has read the files again since; else nil.
  private var shownReport: LoadReport?
  /// The state of the files at the last check for changes; nil before the first one.
  private var checkedState: [FileState]?

  /// The changed files that a fetch left unread, to keep edits of the content from before.
  private var acceptedState: [FileState]?

  /// The number of checks, 10 ms apart, for the new file of a program that replaces one.
  private static let maxMissingChecks = 20

  init(_ read: LoadedFiles, from loader: any TableLoader) {
    self.loader = loader
    files = read.files
    report = read.loaded.report
  }

  /// The path of the file, or the pattern or folder of the files.
  var path: String { loader.path }
  var options: ReadOptions { loader.request.options }
  var anticipatedKeys: [String] { loader.request.anticipatedKeys }
  /// Whether the files are those of a pattern or a folder.
  var areSelected: Bool { !(loader is FileLoader) }
  /// Whether the files can be read twice, unlike a pipe.
  var isRepeatable: Bool { loader.isRepeatable }

  /// The states in which a file was read, if it is one of the files.
  func states(ofFileAt path: String) -> [ReadState] {
    let absolute = FileOverlay.absolutePath(of: path)
    return files.filter { FileOverlay.absolutePath(of: $0.path) == absolute }.map { file in
      let loader = FileLoader(
        path: file.path, request: loader.request, formats: loader.formats)
      return ReadState(loader: loader, file: file.file, accepted: acceptedState)
    }
  }

  /// Keeps the state of a file that was written.
  /// - Returns: false if it is not the only file from which the source was loaded.
  func keepSaved(_ file: OpenFile, at path: String) throws -> Bool {
    guard files.count == 1, let old = files.first, loader is FileLoader,
      FileOverlay.absolutePath(of: old.path) == FileOverlay.absolutePath(of: path)
    else { return false }
    files = [
      ReadFile(
        path: old.path, file: try LoadedFile(saved: old.file, in: file), options: old.options)
    ]
    acceptedState = nil
    return true
  }

  /// Makes the next fetch read the files with other options.
  func read(with options: ReadOptions) {
    guard loader.request.options != options else { return }
    loader.request.options = options
    hasNewOptions = true
  }

  /// Reads the files again; returns nil when neither they nor their read options have changed.
  ///
  /// - Parameter isRefresh: whether a monitor has reported a change.
  func readChanges(
    isRefresh: Bool, cancellation: Cancellation
  ) async throws -> LoadedFiles? {
    if isRefresh, !hasNewOptions {
      return try await loader.reload(files, cancellation: cancellation)
    }
    guard try hasNewOptions || !loader.isUnchanged(since: files, cancellation: cancellation) else {
      return nil
    }
    return try await loader.load(replacing: files, cancellation: cancellation)
  }

  /// Reads the files again, whether or not they have changed.
  func readAll(cancellation: Cancellation) async throws -> LoadedFiles {
    try await loader.load(replacing: [], cancellation: cancellation)
  }

  /// Checks that the files are those that were read, or those that a fetch has accepted.
  ///
  /// - Parameter keepsEdits: whether to accept the files as they are now.
  /// - Throws: ``SourceError/conflict(_:)``.
  func checkUnchanged(keepsEdits: Bool, cancellation: Cancellation) async throws {
    if hasNewOptions {
      throw SourceError.conflict("its edits belong to the options with which it was read before")
    }
    guard try !loader.isUnchanged(since: files, cancellation: cancellation) else { return }
    let state = try FileState.all(of: loader.observedPaths(cancellation: cancellation))
    if keepsEdits { acceptedState = state }
    // A file that was just written differs from itself as a `FileState`.
    guard let accepted = acceptedState, accepted.count == state.count,
      zip(accepted, state).allSatisfy({ $0.hasStamp(of: $1) })
    else { throw SourceError.conflict("its file has changed since") }
  }

  /// Whether the files differ from those that were read or saved, also if a fetch has accepted them.
  func differ(cancellation: Cancellation) throws -> Bool {
    try !loader.isUnchanged(since: files, cancellation: cancellation)
  }

  /// Keeps the result of a reading, which the source shows from now on.
  ///
  /// - Parameter options: the options with which the files were read.
  func keep(_ read: LoadedFiles, readWith options: ReadOptions) {
    shownReport = shownReport ?? report
    report = read.loaded.report
    files = read.files
    hasNewOptions = self.options != options
  }

  /// The findings about rows and values of the fetches since the load or since the last call; nil if
  /// the files were not read again.
  func takeNewFindings() -> LoadReport? {
    guard let shown = shownReport else { return nil }
    shownReport = nil
    return report.findings(beyond: shown)
  }

  // MARK: Changes by other programs

  /// Begins to observe the files; see ``WatchableSource/makeMonitor(every:clock:cancellation:)``.
  func makeMonitor(
    every interval: Duration?, clock: AdjustableClock, cancellation: Cancellation
  ) throws(SourceError) -> any ChangeMonitor {
    let loader = loader
    guard let interval else {
      return try FileMonitor(cancellation: cancellation, loader.observedPaths)
    }
    do throws(TableError) {
      let state = try FileState.all(of: loader.observedPaths(cancellation: cancellation))
      return PollingMonitor(every: interval, clock: clock, state: state) {
        try FileState.all(of: loader.observedPaths(cancellation: $0))
      }
    } catch {
      throw SourceError(error)
    }
  }

  /// - Parameter hasFailed: whether the last reading failed. Files that could not be read are read
  ///   again when they change, even if their old content returns.
  func hasChanged(hasFailed: Bool, cancellation: Cancellation) async -> Bool {
    do {
      let state = try await settledState(cancellation: cancellation)
      let isNewState = state != checkedState
      checkedState = state
      if hasFailed { return isNewState }
      return try await loader.hasChanged(since: files, cancellation: cancellation)
    } catch {
      // The fetch fails with this error and reports it.
      return true
    }
  }

  /// The state of the files. A program that replaces a file may first delete it: waits briefly for
  /// the new one.
  private func settledState(cancellation: Cancellation) async throws -> [FileState] {
    var checks = 0
    while true {
      try cancellation.check()
      let state = try FileState.all(of: loader.observedPaths(cancellation: cancellation))
      guard checks < Self.maxMissingChecks, state.allSatisfy(\.isMissing) else { return state }
      checks += 1
      await DeterministicExecutor.outside { try? await Task.sleep(for: .milliseconds(10)) }
    }
  }
}
