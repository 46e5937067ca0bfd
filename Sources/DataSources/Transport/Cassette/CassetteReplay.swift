package import DataTables
import Synchronization

/// Responds with the exchanges of a cassette, without a network.
///
/// Equal requests receive the responses in the order of the recording, then the last one
/// repeatedly. `REDACTED` in a recorded request matches any text: the recorder may have learned the
/// secret from a later request.
public final class CassetteReplay: Transport {
  public let path: String
  /// The number of exchanges in the cassette.
  public var count: Int { exchanges.count }
  /// The line of an incomplete exchange, which is skipped.
  public let unfinished: Int?
  private let exchanges: [Exchange]
  private let keys: [RequestKey]
  /// The positions of the exchanges of a request.
  private let places: [RequestKey: [Int]]
  private let progress = Mutex(Progress())

  private struct Progress {
    var redactor = Redactor()
    /// The number of replayed responses for each recorded request.
    var counts: [RequestKey: Int] = [:]
  }

  /// - Throws: ``SourceError``: `io`, `encoding`, or `format` with the line that is wrong.
  package init(path: String, cancellation: Cancellation = Cancellation()) throws(SourceError) {
    self.path = path
    let text = try TextFile.read(path, cancellation: cancellation)
    do {
      let recording = try CassetteReader.recording(in: text)
      exchanges = recording.exchanges
      unfinished = recording.unfinished
    } catch {
      throw SourceError(error)
    }
    keys = exchanges.map { RequestKey($0.request) }
    places = Dictionary(grouping: keys.indices) { [keys] in keys[$0] }
  }

  /// - Throws: ``TransportError/cassette(_:)`` for a request that the cassette does not contain,
  ///   and recorded faults.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try request.checkAsRecorded()
    let recorded = progress.withLock { progress in
      _ = progress.redactor.learn(from: request)
      return RecordedRequest(request, by: progress.redactor)
    }
    let wanted = RequestKey(recorded)
    guard let key = places[wanted] == nil ? keys.first(where: wanted.matches) : wanted,
      let places = places(of: key, for: request), let last = places.last
    else { throw miss(wanted) }
    let turn = progress.withLock { progress in
      defer { progress.counts[key, default: 0] += 1 }
      return progress.counts[key, default: 0]
    }
    return try exchanges[turn < places.count ? places[turn] : last].response(to: request)
  }

  /// The positions of the exchanges with this key that may respond to a request; nil if the
  /// cassette does not contain the key.
  private func places(of key: RequestKey, for request: TransportRequest) -> [Int]? {
    let hasConditions = request.headers.contains {
      RecordedHeaders.conditions.contains($0.name.lowercased())
    }
    guard let places = places[key], !hasConditions else { return places[key] }
    // A 304 is useless to a client without the content.
    return places.filter { exchanges[$0].response?.status != HTTPStatus.notModified }
  }

  private func miss(_ key: RequestKey) -> TransportError {
    var nearest: (index: Int, differences: [RequestKey.Difference], weight: Int)?
    for index in keys.indices {
      let differences = key.differences(from: keys[index])
      let weight = differences.reduce(0) { $0 + $1.weight }
      // The last of equally near ones, because pages are requested in order.
      if weight <= nearest?.weight ?? .max { nearest = (index, differences, weight) }
    }
    let name = path.lastPathComponent
    let start = "not on the cassette \(name)"
    let fix = "`cassette \(name) mode: record` records it again"
    guard let nearest else { return .cassette("\(start), which is empty; \(fix)") }
    let what = nearest.differences.map(\.text).joined(separator: ", ")
    return .cassette(
      "\(start); the closest is GET \(exchanges[nearest.index].request.url): \(what); \(fix)")
  }
}

extension Exchange {
  /// The recorded response.
  /// - Throws: The ``fault``, if it preceded any response.
  func response(to request: TransportRequest) throws(TransportError) -> TransportResponse {
    guard let response else {
      throw fault ?? .cassette("GET \(self.request.url) was recorded without a response")
    }
    return TransportResponse(
      status: response.status, headers: response.headers, url: response.url ?? request.sentURL,
      body: .of(response.pieces, fault: fault))
  }
}

extension TransportBody {
  /// A body with all of its pieces, followed by the fault that ended it early.
  static func of(_ pieces: [[UInt8]], fault: TransportError? = nil) -> TransportBody {
    TransportBody { continuation in
      for piece in pieces { continuation.yield(piece) }
      continuation.finish(throwing: fault)
    }
  }
}
