import DataTables

/// Samples of the first bytes of a file, by which the same content is recognized: that of a file to
/// which bytes were appended, or that of a file whose stamp may be too coarse.
///
/// The samples of a file up to 16 MiB are all of its bytes. Those of a larger one are the first and
/// the last block, and blocks at regular distances between them: a rewrite that keeps all of these
/// blocks is not recognized.
struct FilePrint: Equatable, Sendable {
  /// Number of bytes that the samples represent.
  let size: Int
  private let hash: Int

  private static let blockSize = 1 << 10
  private static let blockCount = 64
  private static let pieceSize = 256 << 10

  /// The print of a file that is shorter than `size` differs from that of every longer one.
  /// - Throws: ``TableError``.
  init(of file: OpenFile, size: Int) throws {
    try self.init(size: size) { try file.read(at: $0, into: $1) }
  }

  init(of bytes: any ByteStore) throws {
    try self.init(size: bytes.count) { try bytes.read(at: $0, into: $1) }
  }

  private init(
    size: Int, read: (Int, UnsafeMutableRawBufferPointer) throws -> Int
  ) throws {
    self.size = size
    let isSampled = size > FileLoader.maxWholeSize
    let count = isSampled ? Self.blockSize : Self.pieceSize
    let last = max(0, size - count)
    let step = isSampled ? max(count, last / Self.blockCount) : count
    var hasher = Hasher()
    var block = [UInt8](repeating: 0, count: count)
    for start in Array(stride(from: 0, to: last, by: step)) + [last] {
      let filled = try block.withUnsafeMutableBytes { bytes in
        let part = UnsafeMutableRawBufferPointer(rebasing: bytes[..<min(count, size - start)])
        let filled = try read(start, part)
        hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: part[..<filled]))
        return filled
      }
      hasher.combine(filled)
    }
    hash = hasher.finalize()
  }
}
