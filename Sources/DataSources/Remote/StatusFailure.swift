import DataTables

/// A non-2xx response, as an error with the first line of its body.
struct StatusFailure {
  let error: SourceError

  /// The maximum number of characters of the excerpt.
  private static let maximumLength = 120

  /// Reads the first line of the body only.
  /// - Parameter slot: counts the bytes that are read.
  init(
    _ response: TransportResponse, to request: TransportRequest, slot: ExchangeLog.Slot?
  ) async {
    var line: String?
    let type = response[header: "Content-Type"].map { MediaType($0) }
    if type?.isForeign != true { line = await Self.firstLine(of: response.body, slot) }
    error = .httpStatus(
      response.status, request: request.shown,
      excerpt: line.map { Self.shortened(request.redacting($0)) },
      wait: RequestedWait(response, to: request))
  }

  private static func firstLine(
    of body: TransportBody, _ slot: ExchangeLog.Slot?
  ) async -> String? {
    var bytes: [UInt8] = []
    do {
      for try await piece in body {
        bytes += piece
        slot?.add(bytes: piece.count)
        // Read more than is shown, so that a secret at the end of the excerpt is complete and can
        // be redacted.
        if bytes.count > 4_096 { break }
      }
    } catch {
      // The part that was received may still contain a line.
    }
    let text = String(decoding: bytes.prefix(4_096), as: UTF8.self)
    let line = text.split(whereSeparator: \.isNewline).first {
      $0.contains { !$0.isWhitespace }
    }
    return line.map { String($0.drop(while: \.isWhitespace)) }
  }

  private static func shortened(_ line: String) -> String {
    line.count <= maximumLength ? line : line.prefix(maximumLength - 1) + "…"
  }
}
