import FlyingSocks

/// The messages of a publication as server-sent events, until it ends or the browser disconnects.
struct MessageStream: AsyncBufferedSequence {
  typealias Element = UInt8

  private let place: Place
  /// The number of the last message that the browser has.
  private let last: Int

  /// - Returns: nil if there are too many streams.
  init?(of publication: Publication, after last: Int) {
    guard publication.openStream() else { return nil }
    place = Place(publication)
    self.last = last
  }

  func makeAsyncIterator() -> Iterator { Iterator(place: place, last: last) }

  /// A place among the streams of a publication, which is free again when it is released.
  fileprivate final class Place: Sendable {
    let publication: Publication
    init(_ publication: Publication) { self.publication = publication }
    deinit { publication.closeStream() }
  }

  struct Iterator: AsyncBufferedIteratorProtocol {
    private let place: Place
    private var last: Int
    private var hasBegun = false
    private var hasEnded = false

    fileprivate init(place: Place, last: Int) {
      self.place = place
      self.last = last
    }

    // The response is written in buffers; bytes are never requested one by one.
    mutating func next() async throws -> UInt8? { nil }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      if hasEnded { return nil }
      if !hasBegun {
        // Sends the head of the response at once, and the time after which browsers connect again.
        hasBegun = true
        return Array("retry: 1000\n\n".utf8)
      }
      switch await place.publication.messages(after: last) {
      case .some(let messages):
        // A comment: a browser that has disconnected is noticed only when something is sent.
        if messages.isEmpty { return Array(":\n\n".utf8) }
        last = messages.last?.number ?? last
        return messages.flatMap { Array("id: \($0.number)\ndata: \($0.json)\n\n".utf8) }
      case .lost:
        hasEnded = true
        return Array("data: {\"type\":\"lost\"}\n\n".utf8)
      case .ended:
        hasEnded = true
        return Array("data: {\"type\":\"ended\"}\n\n".utf8)
      case .canceled: return nil
      }
    }
  }
}
