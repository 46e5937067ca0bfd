import FlyingSocks
import Foundation

/// Bytes that are sent without their length.
struct ChunkedBytes: AsyncBufferedSequence {
  typealias Element = UInt8
  private let bytes: Data

  init(_ bytes: Data) { self.bytes = bytes }

  func makeAsyncIterator() -> Iterator { Iterator(rest: bytes[...]) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var rest: Data

    mutating func next() async throws -> UInt8? { rest.popFirst() }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
      guard !rest.isEmpty else { return nil }
      let buffer = rest.prefix(count)
      rest = rest.dropFirst(count)
      return buffer
    }
  }
}
