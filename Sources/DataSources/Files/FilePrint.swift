import DataTables

/// Samples of the first bytes of a file, by which a file that has grown is recognized as the same
/// one with bytes appended.
///
/// The first and the last block are sampled, and blocks at regular distances between them. A
/// rewrite that keeps all of these blocks and only adds bytes at the end is not recognized.
struct FilePrint: Equatable, Sendable {
  /// Number of bytes that the samples represent.
  let size: Int
  private let samples: [Int]

  private static let blockSize = 4 << 10
  private static let blockCount = 64

  /// - Throws: ``TableError``, `changed` when the file is shorter than `size`.
  init(of file: OpenFile, size: Int) throws(TableError) {
    self.size = size
    let last = max(0, size - Self.blockSize)
    let step = max(Self.blockSize, last / Self.blockCount)
    var samples: [Int] = []
    for start in Array(stride(from: 0, to: last, by: step)) + [last] {
      var block = [UInt8](repeating: 0, count: min(Self.blockSize, size - start))
      var count = 0
      let error: TableError? = block.withUnsafeMutableBytes { bytes in
        do throws(TableError) {
          count = try file.read(at: start, into: bytes)
          return nil
        } catch {
          return error
        }
      }
      if let error { throw error }
      guard count == block.count else { throw file.changedError }
      samples.append(block.hashValue)
    }
    self.samples = samples
  }
}
