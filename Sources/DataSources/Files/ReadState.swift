import DataTables

/// The state in which a source has read a file.
struct ReadState: Sendable {
  let loader: FileLoader
  let file: LoadedFile
  /// The state of a changed file that a fetch has left unread, to keep edits.
  let accepted: [FileState]?

  private var isUnchanged: Bool { (try? loader.isUnchanged(since: file)) ?? false }

  /// Whether the path still names the file from which the table was read.
  var hasFileOfTable: Bool { !file.isSaved && isUnchanged }

  /// Whether the path still names the file with the content that was read, or that was accepted.
  func isCurrent() -> Bool {
    if isUnchanged { return true }
    guard let accepted else { return false }
    let now = FileState.all(of: loader.observedPaths(cancellation: Cancellation()))
    return now.count == accepted.count && zip(now, accepted).allSatisfy { $0.hasStamp(of: $1) }
  }
}
