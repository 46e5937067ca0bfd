import DataTables
import Glibc

/// Bytes that are received or decompressed piece by piece: in memory up to a size, in an unnamed
/// temporary file beyond it.
struct Spool: ~Copyable {
  /// Bytes up to this number are kept in memory.
  static let memorySize = 16 << 20

  private let memorySize: Int
  private var bytes: [UInt8] = []
  private var file: TemporaryFile?
  private(set) var count = 0

  init(memorySize: Int = Spool.memorySize) { self.memorySize = memorySize }

  mutating func append(_ piece: [UInt8]) throws(TableError) {
    count += piece.count
    if let file {
      try file.append(piece)
    } else if count > memorySize {
      let file = try TemporaryFile()
      try file.append(bytes)
      try file.append(piece)
      bytes = []
      self.file = file
    } else if bytes.isEmpty {
      // A small body usually arrives in one piece, which is not copied.
      bytes = piece
    } else {
      bytes += piece
    }
  }

  /// The received bytes, for reading at any offset; the file is deleted with its last owner.
  consuming func store() -> any ByteStore {
    if let file { return SpooledBytes(file: file, count: count) }
    return MemoryBytes(bytes)
  }
}

/// The bytes of a temporary file that is complete.
struct SpooledBytes: ByteStore {
  let file: TemporaryFile
  let count: Int

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard offset >= 0, offset < count, buffer.count > 0 else { return 0 }
    let length = min(buffer.count, count - offset)
    return try file.read(
      at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<length]))
  }
}

/// A file without a name, closed and deleted with its last owner.
final class TemporaryFile: Sendable {
  private let descriptor: Int32
  private let folder: String

  /// - Throws: `TableError.io`, naming the folder (`$TMPDIR`, else /tmp).
  init() throws(TableError) {
    folder =
      getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var path = Array((folder + "/dsshell-XXXXXX").utf8CString)
    descriptor = path.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return -1 }
      let descriptor = mkstemp(start)
      guard descriptor >= 0 else { return -1 }
      unlink(start)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      return descriptor
    }
    guard descriptor >= 0 else {
      throw OpenFile.failure("cannot create a temporary file in", folder)
    }
  }

  deinit { close(descriptor) }

  func append(_ bytes: [UInt8]) throws(TableError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        OpenFile.retrying {
          write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
        }
      }
      guard count >= 0 else {
        throw OpenFile.failure("cannot write to a temporary file in", folder)
      }
      written += count
    }
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(TableError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = OpenFile.retrying {
        pread(descriptor, rest.baseAddress, rest.count, offset + filled)
      }
      guard count >= 0 else { throw OpenFile.failure("cannot read a temporary file in", folder) }
      if count == 0 { break }
      filled += count
    }
    return filled
  }
}
