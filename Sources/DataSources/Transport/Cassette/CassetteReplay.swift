package import DataTables
import Synchronization

/// Answers as a cassette has it, without a network.
///
/// Requests that are the same are answered in the order in which they were recorded, and with the
/// last answer when there are no more. What was taken out of a recorded request as secret may be
/// anything in the one that is asked: it may have come to be known as secret only afterwards.
public final class CassetteReplay: Transport {
  public let path: String
  /// How many exchanges are on the cassette.
  public var count: Int { exchanges.count }
  /// The line of an exchange that was not written to its end, and is left out.
  public let unfinished: Int?
  private let exchanges: [Exchange]
  private let keys: [RequestKey]
  /// Where the exchanges of a request are.
  private let places: [RequestKey: [Int]]
  private let progress = Mutex(Progress())

  private struct Progress {
    var redactor = Redactor()
    var asked: [RequestKey: Int] = [:]
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

  /// - Throws: ``TransportError/cassette(_:)`` for a request that is not on it, and the fault that
  ///   was recorded.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let asked = progress.withLock { progress in
      _ = progress.redactor.learn(from: request)
      return RecordedRequest(request, by: progress.redactor)
    }
    let wanted = RequestKey(asked)
    guard let key = places[wanted] == nil ? keys.first(where: wanted.matches) : wanted,
      let places = answers(to: key, request), let last = places.last
    else { throw miss(wanted) }
    let turn = progress.withLock { progress in
      defer { progress.asked[key, default: 0] += 1 }
      return progress.asked[key, default: 0]
    }
    return try exchanges[turn < places.count ? places[turn] : last].response(to: request)
  }

  /// Where the exchanges of a request are that may answer it; nil where none is.
  private func answers(to key: RequestKey, _ request: TransportRequest) -> [Int]? {
    let hasConditions = request.headers.contains {
      RecordedHeaders.conditions.contains($0.name.lowercased())
    }
    guard let places = places[key], !hasConditions else { return places[key] }
    // That there is nothing newer says nothing to whoever has nothing.
    return places.filter { exchanges[$0].answer?.status != HTTPStatus.notModified }
  }

  private func miss(_ key: RequestKey) -> TransportError {
    var nearest: (index: Int, differences: [RequestKey.Difference], weight: Int)?
    for index in keys.indices {
      let differences = key.differences(from: keys[index])
      let weight = differences.reduce(0) { $0 + $1.weight }
      // Of equally near ones the last: pages are asked for in their order.
      if weight <= nearest?.weight ?? .max { nearest = (index, differences, weight) }
    }
    let name = path.split(separator: "/").last.map { String($0) } ?? path
    let start = "not on the cassette \(name)"
    let mend = "`cassette \(name) mode: record` records anew"
    guard let nearest else { return .cassette("\(start), which is empty; \(mend)") }
    let what = nearest.differences.map(\.text).joined(separator: ", ")
    return .cassette(
      "\(start); the closest is GET \(exchanges[nearest.index].request.url): \(what); \(mend)")
  }
}

extension Exchange {
  /// What the request was answered.
  /// - Throws: The ``fault``, when it came before any answer.
  func response(to request: TransportRequest) throws(TransportError) -> TransportResponse {
    guard let answer else {
      throw fault ?? .cassette("GET \(self.request.url) was recorded without an answer")
    }
    return TransportResponse(
      status: answer.status, headers: answer.headers, url: answer.url ?? request.sentURL,
      body: .of(answer.pieces, fault: fault))
  }
}

extension TransportBody {
  /// A body that is there, up to what ended it before its time.
  static func of(_ pieces: [[UInt8]], fault: TransportError? = nil) -> TransportBody {
    TransportBody { continuation in
      for piece in pieces { continuation.yield(piece) }
      continuation.finish(throwing: fault)
    }
  }
}
