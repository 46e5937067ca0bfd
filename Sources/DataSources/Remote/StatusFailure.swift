import DataTables

/// An answer that is none, because of its status, with what its body says of it.
struct StatusFailure {
  let error: SourceError

  private static let longest = 120

  /// Reads the first line of the body, and no more.
  init(_ response: TransportResponse, to request: TransportRequest) async {
    var line: String?
    let type = response[header: "Content-Type"].map { MediaType($0) }
    if type?.isForeign != true { line = await Self.firstLine(of: response.body) }
    error = .httpStatus(
      response.status, request: request.shown,
      excerpt: line.map { Self.cut(request.redacting($0)) })
  }

  private static func firstLine(of body: TransportBody) async -> String? {
    var bytes: [UInt8] = []
    do {
      for try await piece in body {
        bytes += piece
        // More than a line can show, so that a secret at its end is known whole.
        if bytes.count > 4_096 { break }
      }
    } catch {
      // What came of it may still say something.
    }
    let text = String(decoding: bytes.prefix(4_096), as: UTF8.self)
    let line = text.split(whereSeparator: \.isNewline).first {
      $0.contains { !$0.isWhitespace }
    }
    return line.map { String($0.drop(while: \.isWhitespace)) }
  }

  private static func cut(_ line: String) -> String {
    line.count <= longest ? line : line.prefix(longest - 1) + "…"
  }
}
