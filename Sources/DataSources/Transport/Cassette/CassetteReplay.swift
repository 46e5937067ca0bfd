package import DataTables
import Synchronization

/// Responds with the exchanges of a cassette, without a network.
///
/// Equal requests receive the responses in the order of the recording, then the last one
/// repeatedly; a 304 responds only to a request with the recorded conditions. `REDACTED` in a
/// recorded request matches any text: the recorder may have learned the secret from a later request.
public final class CassetteReplay: Transport {
  public let path: String
  /// The path as messages show it.
  private let name: String
  /// The number of exchanges in the cassette.
  public var count: Int { exchanges.count }
  /// The line of an incomplete exchange, which is skipped.
  public let unfinished: Int?
  private let exchanges: [Exchange]
  private let lines: [Int]
  private let keys: [RequestKey]
  /// The positions of the exchanges of a request.
  private let places: [RequestKey: [Int]]
  private let progress = Mutex(Progress())

  private struct Progress {
    var redactor = Redactor()
    /// The number of responses of each recorded request that are over: replayed, or skipped.
    var turns: [RequestKey: Int] = [:]
    /// The positions of the exchanges that have responded.
    var used: Set<Int> = []
  }

  /// The exchanges that have not responded.
  var unused: Set<UnusedExchange> {
    let used = progress.withLock { $0.used }
    var unused: Set<UnusedExchange> = []
    for place in exchanges.indices where !used.contains(place) {
      unused.insert(UnusedExchange(line: lines[place], request: exchanges[place].request.shown))
    }
    return unused
  }

  /// - Parameter name: the path as the user wrote it; nil for the last component of the path.
  /// - Throws: ``SourceError``: `io`, `encoding`, or `format` with the line that is wrong.
  package init(
    path: String, name: String? = nil, cancellation: Cancellation = Cancellation()
  ) throws(SourceError) {
    self.path = path
    self.name = name ?? path.lastPathComponent
    let text = try TextFile.read(path, cancellation: cancellation)
    do {
      let recording = try CassetteReader.recording(in: text)
      exchanges = recording.exchanges
      lines = recording.lines
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
      let places = places[key]
    else { throw miss(wanted) }
    let place = progress.withLock { progress in
      let first = progress.turns[key, default: 0]
      let mayRespond = { self.exchanges[places[$0]].mayRespond(to: request) }
      guard
        let turn = places.indices.dropFirst(first).first(where: mayRespond)
          ?? places.indices.last(where: mayRespond)
      else { return nil as Int? }
      progress.turns[key] = max(first, turn + 1)
      progress.used.insert(places[turn])
      return places[turn]
    }
    guard let place else {
      throw TransportError.cassette(
        "the cassette \(name) has only `304 Not Modified` for it, without the "
          + "content; \(fix)")
    }
    return try exchanges[place].response(to: request)
  }

  /// `` `cassette posts.cassette mode: record` records it again ``
  private var fix: String { "`cassette \(Self.argument(name)) mode: record` records it again" }

  /// A path as an argument of a command.
  private static func argument(_ path: String) -> String {
    let isPlain = path.allSatisfy { $0.isLetter || $0.isNumber || "_-./~".contains($0) }
    return isPlain ? path : Value.string(path).json
  }

  private func miss(_ key: RequestKey) -> TransportError {
    var nearest: (index: Int, differences: [RequestKey.Difference], weight: Int)?
    for index in keys.indices {
      let differences = key.differences(from: keys[index])
      let weight = differences.reduce(0) { $0 + $1.weight }
      // The last of equally near ones, because pages are requested in order.
      if weight <= nearest?.weight ?? .max { nearest = (index, differences, weight) }
    }
    let start = "not on the cassette \(name)"
    guard let nearest else { return .cassette("\(start), which is empty; \(fix)") }
    let what = nearest.differences.map(\.text).joined(separator: ", ")
    let closest = exchanges[nearest.index].request
    return .cassette("\(start); the closest is \(closest.shown): \(what); \(fix)")
  }
}

extension Exchange {
  /// Whether the client can use the response: a 304 needs the content to which the recorded
  /// conditions refer.
  fileprivate func mayRespond(to request: TransportRequest) -> Bool {
    guard response?.status == HTTPStatus.notModified else { return true }
    let conditions = request.headers.filter(\.isCondition)
    return !conditions.isEmpty
      && self.request.headers.allSatisfy { recorded in
        !RecordedHeaders.conditions.contains(recorded.name.lowercased())
          || conditions.contains {
            $0.name.lowercased() == recorded.name.lowercased() && $0.value.sent == recorded.value
          }
      }
  }

  /// The recorded response.
  /// - Throws: The ``fault``, if it preceded any response.
  func response(to request: TransportRequest) throws(TransportError) -> TransportResponse {
    guard let response else {
      throw fault ?? .cassette("\(self.request.shown) was recorded without a response")
    }
    return TransportResponse(
      status: response.status, headers: response.headers, url: response.url ?? request.sentURL,
      redirections: response.redirections, body: .of(response.pieces, fault: fault))
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
