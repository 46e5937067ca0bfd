import DataTables

/// A table with its load report, and the state of the file from which it was read.
struct LoadedFile: Sendable {
  let loaded: LoadedTable
  let stamp: FileStamp
  /// The bytes from which the table was read; nil if the table is not read from lines, or if the
  /// file is compressed.
  let bytes: (any ByteStore)?
  /// Samples of a large file; nil unless the file may grow.
  private(set) var print: FilePrint?
  private let loadTime: FileStamp.Time

  init(loaded: LoadedTable, stamp: FileStamp, bytes: (any ByteStore)?) {
    self.loaded = loaded
    self.stamp = stamp
    self.bytes = TableGrowth.lineEnd(of: loaded) == nil ? nil : bytes
    loadTime = .now
  }

  /// Whether the file had further bytes, without a line end.
  var hasRest: Bool { bytes.map { $0.count < stamp.size } ?? false }

  /// Whether the file was written so shortly before it was read that a later write may have left
  /// its stamp unchanged.
  var isFresh: Bool { stamp.isFresh(at: loadTime) }

  /// Keeps the rows readable while lines are appended.
  mutating func allowGrowth() {
    guard let bytes, let file = bytes.openFile, print == nil else { return }
    guard let print = try? FilePrint(of: file, size: bytes.count),
      (try? file.checkUnchanged()) != nil
    else { return }
    self.print = print
    file.allowGrowth(of: print)
  }
}

extension ByteStore {
  /// The file that is read when the bytes are accessed; nil for bytes in memory.
  var openFile: OpenFile? {
    if let counted = self as? CountedBytes { return counted.store.openFile }
    return (self as? FileBytes)?.file
  }
}
