public import DataTables
import Glibc

/// Responds in place of a server, from a file or from the files of a folder.
public struct StubTransport: Transport {
  /// For a file: the URL of the requests; without a query, it matches any query. For a folder: the
  /// prefix of the URLs.
  public let url: String
  /// The file or folder.
  public let path: String
  /// The status of responses with a file.
  public var status = 200
  /// Headers that are added to the response. A Content-Type replaces the type that the extension of
  /// the file determines.
  public var headers: [HeaderField] = []
  public let isFolder: Bool
  /// ``url`` without user, password and other secrets.
  public var shownURL: String { Redactor().redacted(url: url) }
  /// The parts of ``url``.
  let parts: RequestURL
  /// Formats, whose extensions determine the files of a folder and their media types.
  private let formats: FormatTable

  /// - Throws: `TableError.io` if `path` does not exist, `badArgument` for a URL without a host.
  public init(
    url: String, path: String, formats: FormatTable
  ) throws(TableError) {
    self.url = url
    self.path = path
    self.formats = formats
    parts = RequestURL(url)
    guard ["http", "https"].contains(parts.scheme), !parts.host.isEmpty else {
      throw .badArgument(
        "`\(Redactor().redacted(url: url))` is not an HTTP URL; write one like "
          + "`http://example.test/posts`")
    }
    var facts = stat()
    guard stat(FileOverlay.readable(path), &facts) == 0 else {
      throw OpenFile.failure("cannot open", path)
    }
    isFolder = facts.st_mode & S_IFMT == S_IFDIR
  }

  /// A rank of the match with a request's URL; nil without a match. If several stubs match, the one
  /// with the highest rank, which is the most specific, responds.
  func match(_ request: RequestURL) -> Int? {
    guard request.scheme == parts.scheme, request.host == parts.host,
      parts.query.allSatisfy(request.query.contains)
    else { return nil }
    let path = parts.path
    let isMatch =
      isFolder
      ? request.path == path || request.path.hasPrefix(path.hasSuffix("/") ? path : path + "/")
      : request.path == path
    return isMatch ? path.utf8.count + parts.query.count * 1000 + (isFolder ? 0 : 1) : nil
  }

  /// - Throws: ``TransportError/denied(_:)`` for a path that leads out of the folder, `io` for
  ///   a file that cannot be read.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let url = request.sentURL
    guard let file = try isFolder ? file(for: url) : path, FolderFiles.isFile(file) else {
      let text = "no file in \(path.lastPathComponent) matches \(RequestURL(url).path)\n"
      return TransportResponse(
        status: 404, headers: [HeaderField("Content-Type", "text/plain; charset=utf-8")],
        url: url, body: .of([Array(text.utf8)]))
    }
    let isTyped = headers.contains { $0.name.lowercased() == "content-type" }
    let type =
      isTyped
      ? [] : [HeaderField("Content-Type", ContentType.ofFile(named: file, formats: formats))]
    return TransportResponse(
      status: status, headers: type + headers, url: url, body: try FolderFiles.body(of: file))
  }

  private func file(for url: String) throws(TransportError) -> String? {
    let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
    let path = RequestURL(url).path.dropFirst(parts.path.count)
    return try FolderFiles(folder: self.path, formats: formats).file(
      for: PercentEncoding.text(of: path), query: PercentEncoding.text(of: query))
  }
}
