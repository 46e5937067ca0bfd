import DataTables
import Dispatch
import Testing

@testable import DataSources

@Suite struct ArrivingBytesTests {
  private static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 31 >> 3) }

  private func append(_ bytes: ArraySlice<UInt8>, to store: ArrivingBytes) throws {
    for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 777) {
      try store.append(Array(bytes[start..<min(start + 777, bytes.endIndex)]))
    }
  }

  @Test func readersWaitForTheirBytes() throws {
    let store = try ArrivingBytes(count: Self.bytes.count)
    // On a queue of its own, because the readers block all threads of tasks.
    let queue = DispatchQueue(label: "ArrivingBytesTests")
    queue.async {
      do {
        try append(Self.bytes[...], to: store)
        let all = try store.end()
        #expect(all as? ArrivingBytes === store)
      } catch {
        Issue.record(error)
      }
    }
    DispatchQueue.concurrentPerform(iterations: 2) { reader in
      do {
        for start in stride(from: reader * 500, to: Self.bytes.count - 2_000, by: 1_000) {
          let read = try store.bytes(start..<start + 2_000)
          #expect(read == Array(Self.bytes[start..<start + 2_000]))
        }
      } catch {
        Issue.record(error)
      }
    }
    queue.sync {}
    #expect(try store.bytes(0..<Self.bytes.count) == Self.bytes)
  }

  @Test func fewerBytesThanStatedEndReads() throws {
    let store = try ArrivingBytes(count: Self.bytes.count)
    try append(Self.bytes[..<50_000], to: store)
    let all = try store.end()
    #expect(all.count == 50_000)
    #expect(try all.bytes(0..<50_000) == Array(Self.bytes[..<50_000]))
    #expect(try store.bytes(49_000..<50_000) == Array(Self.bytes[49_000..<50_000]))
    #expect(throws: TableError.self) { _ = try store.bytes(49_001..<50_001) }
  }

  @Test func moreBytesThanStatedAreReturnedAtTheEnd() throws {
    let store = try ArrivingBytes(count: 50_000)
    try append(Self.bytes[...], to: store)
    let all = try store.end()
    #expect(try all.bytes(0..<Self.bytes.count) == Self.bytes)
    #expect(try store.bytes(0..<50_000) == Array(Self.bytes[..<50_000]))
  }
}
