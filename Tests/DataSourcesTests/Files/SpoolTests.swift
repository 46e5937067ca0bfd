import DataTables
import Testing

@testable import DataSources

@Suite struct SpoolTests {
  @Test(arguments: [0, 1, 999, 1_000, 1_001, 5_000])
  func appendedBytesAreReadBack(count: Int) throws {
    var spool = Spool(memorySize: 1_000)
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31) }
    for start in stride(from: 0, to: count, by: 130) {
      try spool.append(Array(bytes[start..<min(count, start + 130)]))
    }
    try expect(spool.store(), contains: bytes)
  }

  @Test(arguments: [0, 1, 999, 1_000, 1_001, 50_000])
  func bytesWrittenInTheBackgroundAreReadBack(count: Int) throws {
    let spool = BackgroundSpool(memorySize: 1_000)
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31) }
    for start in stride(from: 0, to: count, by: 130) {
      try spool.append(Array(bytes[start..<min(count, start + 130)]))
    }
    #expect(spool.count == count)
    try expect(spool.store(), contains: bytes)
  }

  private func expect(_ store: any ByteStore, contains bytes: [UInt8]) throws {
    let count = bytes.count
    #expect(store.count == count)
    #expect(store is MemoryBytes == (count <= 1_000))
    for range in [0..<count, count / 3..<count / 2, max(0, count - 5)..<count] {
      var buffer = [UInt8](repeating: 0, count: range.count + 10)
      let read = try buffer.withUnsafeMutableBytes {
        try store.read(at: range.lowerBound, into: $0)
      }
      #expect(read == min(range.count + 10, count - range.lowerBound))
      #expect(buffer.prefix(range.count) == bytes[range])
    }
  }
}
