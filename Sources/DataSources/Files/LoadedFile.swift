import DataTables

/// A table with its load report, and the state of the file from which it was read.
struct LoadedFile: Sendable {
  let loaded: LoadedTable
  let stamp: FileStamp
  /// The bytes from which the table was read; nil if the table is not read from lines, or if the
  /// file is compressed.
  let content: FileContent?
  /// Samples of the content of a large file, and of one whose stamp does not suffice.
  let print: FilePrint?
  /// Whether the file was written so shortly before it was read that a later write may have left its
  /// stamp unchanged.
  let isFresh: Bool
  /// The states of the files beside the file, before it was read.
  let companions: [FileState]
  /// Whether the table was read from other bytes than those of the file.
  let isCompressed: Bool
  /// Whether the file has edits of the table, which were saved.
  let isSaved: Bool

  /// - Parameters:
  ///   - content: the content of the file.
  ///   - isCompressed: whether the table was read from other bytes.
  init(
    loaded: LoadedTable, stamp: FileStamp, content: FileContent, isCompressed: Bool = false,
    companions: [FileState]
  ) throws {
    self.companions = companions
    self.isCompressed = isCompressed
    isSaved = false
    self.loaded = loaded
    self.stamp = stamp
    self.content = isCompressed || TableGrowth.lineEnd(of: loaded) == nil ? nil : content
    isFresh = stamp.isFresh(at: .now)
    print = try content.file?.print ?? (isFresh ? FilePrint(of: content.bytes) : nil)
  }

  /// The same table after it was written to the file with its edits.
  init(saved old: LoadedFile, in file: OpenFile) throws {
    companions = old.companions
    isCompressed = old.isCompressed
    isSaved = true
    loaded = old.loaded
    stamp = file.stamp
    content = nil
    isFresh = stamp.isFresh(at: .now)
    print = try FilePrint(of: file, size: stamp.size)
  }

  /// Whether the file had further bytes, without a line end.
  var hasRest: Bool { content.map { $0.bytes.count < stamp.size } ?? false }
}

/// The bytes of a file.
struct FileContent: Sendable {
  let bytes: any ByteStore
  /// The file that is read when the bytes are accessed; nil for bytes in memory.
  var file: OpenFile?
}
