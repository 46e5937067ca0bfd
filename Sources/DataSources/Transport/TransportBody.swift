/// The bytes of an answer in the pieces in which they come, decompressed; read once.
public struct TransportBody: AsyncSequence, Sendable {
  public typealias Element = [UInt8]
  private let pieces: AsyncThrowingStream<[UInt8], any Error>

  /// - Parameter next: gives the next piece when it is asked for, nil at the end.
  public init(_ next: @escaping @Sendable () async throws -> [UInt8]?) {
    pieces = AsyncThrowingStream(unfolding: next)
  }

  /// - Parameter build: gives all pieces, at once or as they come; they wait for their reader.
  public init(_ build: (AsyncThrowingStream<[UInt8], any Error>.Continuation) -> Void) {
    pieces = AsyncThrowingStream { build($0) }
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(pieces: pieces.makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var pieces: AsyncThrowingStream<[UInt8], any Error>.Iterator

    /// - Throws: ``TransportError``; ``TransportError/cancelled`` when the task has ended.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws -> [UInt8]? {
      if let piece = try await pieces.next(isolation: isolation) { return piece }
      // A stream is simply at its end then, and half a body would pass for a whole one.
      if Task.isCancelled { throw TransportError.cancelled }
      return nil
    }
  }
}
