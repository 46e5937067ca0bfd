import DataSources
import DataTables
import FlyingFox
import Pictures

import struct Foundation.Data

/// The responses to the requests of a page.
struct PageRoutes: Sendable {
  let check: RequestCheck
  let publication: Publication
  let questions: SessionQuestions

  /// A request for data: a path after the token, and its parameters.
  private struct DataRequest {
    let request: HTTPRequest

    func integer(_ name: String) -> Int? {
      request.query.first { $0.name == name }.flatMap { Int($0.value) }
    }

    var path: IndexPath? {
      guard let section = integer("section"), let row = integer("row") else { return nil }
      return IndexPath(section: section, row: row)
    }
  }

  func response(to request: HTTPRequest) async -> HTTPResponse {
    switch check.outcome(of: request) {
    case .refused(let refusal):
      return Self.text(refusal.message + "\n", status: Self.status(refusal.status))
    case .accepted(let path):
      if let asset = PageAsset.named(path) {
        return Self.response(asset.bytes, type: asset.mediaType)
      }
      do {
        return try await response(to: DataRequest(request: request), path)
      } catch {
        return Self.json(["error": .string(SourceError(error).message.redactingSecrets)])
      }
    }
  }

  private func response(to data: DataRequest, _ path: String) async throws -> HTTPResponse {
    switch path {
    case "session": return Self.json(publication.session)
    case "events": return events(data)
    case "lanes.svg":
      guard let lanes = data.integer("source").flatMap(publication.lanes) else { break }
      return Self.image(SVGDrawing().document(lanes))
    default: break
    }
    guard let source = data.integer("source"), let number = data.integer("content") else {
      return Self.text("Nothing is served here.\n", status: .notFound)
    }
    let content: PublishedContent
    switch publication.content(number, of: source) {
    case .found(let found): content = found
    case .noSource: return Self.json(["error": "the source is no longer served"], status: .notFound)
    case .noContent: return Self.json(["error": "the content has changed"], status: .gone)
    }
    switch (path, data.path) {
    case ("rows", _): return Self.json(try await content.page(from: data.integer("start") ?? 0))
    case ("index", _): return Self.json(try await content.index())
    case ("changes", _): return try await changes(data, source, to: content)
    case ("object", let path?): return Self.json(try await content.object(at: path))
    case ("value", let path?):
      let field = data.integer("field") ?? 0
      guard let text = try await content.text(ofField: field, at: path) else { break }
      return Self.text(text, status: .ok)
    case ("explain", let path?):
      let answer = await questions.explanation(
        SessionQuestions.Question(
          window: data.integer("window"), source: source, content: number, path: path))
      return Self.json(answer ?? ["error": "the session has not answered"])
    default: break
    }
    return Self.text("Nothing is served here.\n", status: .notFound)
  }

  private func changes(
    _ data: DataRequest, _ source: Int, to content: PublishedContent
  ) async throws -> HTTPResponse {
    guard let from = data.integer("from"),
      case .found(let old) = publication.content(from, of: source)
    else { return Self.json(["error": "the content has changed"], status: .gone) }
    let first = min(max(0, data.integer("first") ?? 0), old.layout.numberOfItems)
    let count = min(max(0, data.integer("count") ?? 0), 500)
    let shown = first..<min(first + count, old.layout.numberOfItems)
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      Self.json(try await content.changes(from: old, shown: shown, cancellation: cancellation))
    } onCancel: {
      cancellation.cancel()
    }
  }

  private func events(_ data: DataRequest) -> HTTPResponse {
    let header = data.request.headers[HTTPHeader("Last-Event-ID")].flatMap { Int($0) }
    guard let stream = MessageStream(of: publication, after: header ?? data.integer("after") ?? 0)
    else {
      return Self.text("Too many windows show this page.\n", status: .serviceUnavailable)
    }
    return HTTPResponse(
      statusCode: .ok, headers: Self.headers("text/event-stream"),
      body: HTTPBodySequence(from: stream))
  }

  // MARK: Responses

  private static func status(_ code: Int) -> HTTPStatusCode {
    switch code {
    case 403: .forbidden
    case 405: .methodNotAllowed
    default: .notFound
    }
  }

  private static func json(_ value: Value, status: HTTPStatusCode = .ok) -> HTTPResponse {
    var bytes: [UInt8] = []
    value.appendJSON(to: &bytes)
    return response(bytes, type: "application/json", status: status)
  }

  private static func text(_ text: String, status: HTTPStatusCode) -> HTTPResponse {
    response(Array(text.utf8), type: "text/plain; charset=utf-8", status: status)
  }

  /// A drawing has its style in the document.
  private static func image(_ text: String) -> HTTPResponse {
    response(
      Array(text.utf8), type: "image/svg+xml",
      policy: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  }

  private static func response(
    _ bytes: [UInt8], type: String, status: HTTPStatusCode = .ok, policy: String = policy
  ) -> HTTPResponse {
    HTTPResponse(statusCode: status, headers: headers(type, policy), body: Data(bytes))
  }

  private static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  private static func headers(_ type: String, _ policy: String = policy) -> HTTPHeaders {
    [
      .contentType: type,
      .cacheControl: "no-store",
      HTTPHeader("Content-Security-Policy"): policy,
      HTTPHeader("X-Content-Type-Options"): "nosniff",
      HTTPHeader("Referrer-Policy"): "no-referrer",
      HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
      HTTPHeader("Cross-Origin-Opener-Policy"): "same-origin",
    ]
  }
}

/// A file of the page, embedded in the program.
private struct PageAsset {
  let mediaType: String
  let bytes: [UInt8]

  static func named(_ path: String) -> PageAsset? {
    switch path {
    case "":
      PageAsset(mediaType: "text/html; charset=utf-8", bytes: PackageResources.page_html)
    case "page.css":
      PageAsset(mediaType: "text/css; charset=utf-8", bytes: PackageResources.page_css)
    case "icon.svg": PageAsset(mediaType: "image/svg+xml", bytes: PackageResources.icon_svg)
    case "page.js":
      PageAsset(mediaType: "text/javascript; charset=utf-8", bytes: PackageResources.page_js)
    default: nil
    }
  }
}
