/// The state of the file at a path: missing, or with a stamp.
struct FileState: Equatable {
  private let stamp: FileStamp?
  /// Distinguishes states whose stamps may be equal although the content differs.
  private let freshness: FileStamp.Time?

  var isMissing: Bool { stamp == nil }

  init(of path: String) {
    let now = FileStamp.Time.now
    stamp = FileStamp(ofFileAt: path)
    freshness = stamp.flatMap { $0.isFresh(at: now) ? now : nil }
  }

  /// The states of some files, and of the files in some folders.
  static func all(of paths: ObservedPaths) -> [FileState] {
    paths.files.map { FileState(of: $0) }
      + paths.folders.flatMap { folder in
        [FileState(of: folder)]
          + Folder.allNames(in: folder).filter { !$0.hasSuffix("/") }
          .map { FileState(of: folder + "/" + $0) }
      }
  }
}
