import DataTables

/// Responds to `file:` URLs with the bytes of the file and status 200.
///
/// It accepts `file:///folder/name`, `file://localhost/folder/name`, `file:/folder/name`, and
/// `file:name`, which is relative to ``folder``. Percent-encoded bytes are decoded; the query and
/// the fragment are ignored.
public struct FileTransport: Transport {
  /// The folder of relative paths; empty for the working folder.
  public let folder: String

  public init(folder: String = "") { self.folder = folder }

  /// - Throws: ``TransportError/io(_:)`` for a file that cannot be read,
  ///   ``TransportError/badURL(_:)`` for a URL that does not name a local file, and `limit` for a
  ///   file larger than ``TransferLimits/bodySize``.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let path = try path(of: request)
    let file: OpenFile
    do { file = try OpenFile(path: path) } catch { throw TransportError(error) }
    let limit = request.limits.bodySize
    if let size = file.size, size > limit { throw Self.tooLarge(path, limit: limit) }
    let reader = FileReader(file: file, limit: limit)
    return TransportResponse(
      status: 200, headers: [], url: request.url, body: TransportBody { try await reader.next() })
  }

  private func path(of request: TransportRequest) throws(TransportError) -> String {
    let url = request.url
    let shown = Redactor().redacted(url: url)
    guard url.lowercased().hasPrefix("file:") else {
      throw .badURL("`\(shown)` is not a `file:` URL")
    }
    var rest = url.dropFirst("file:".count).prefix { $0 != "?" && $0 != "#" }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != "/" }
      guard host.isEmpty || host.lowercased() == "localhost" else {
        throw .badURL(
          "`\(shown)` names a file of the host `\(host)`; write file:///folder/name")
      }
      rest = rest.dropFirst(host.count)
    }
    guard let bytes = PercentEncoding.decoded(rest), !bytes.isEmpty, !bytes.contains(0),
      let path = String(validating: bytes, as: UTF8.self)
    else { throw .badURL("`\(shown)` does not name a file") }
    return path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
  }

  fileprivate static func tooLarge(_ path: String, limit: Int) -> TransportError {
    .limit("`\(path)` is larger than \(limit.counted("byte"))", setting: "bodySize")
  }
}

/// Reads a file once from start to end, in pieces.
private actor FileReader {
  private static let pieceSize = 1 << 18

  private let file: OpenFile
  private let limit: Int
  private var count = 0

  init(file: OpenFile, limit: Int) {
    self.file = file
    self.limit = limit
  }

  func next() async throws -> [UInt8]? {
    do {
      if Task.isCancelled { throw TransportError.cancelled }
      let bytes = try await piece()
      count += bytes.count
      guard count <= limit else { throw FileTransport.tooLarge(file.path, limit: limit) }
      return bytes.isEmpty ? nil : bytes
    } catch let error as TableError {
      throw TransportError(error)
    } catch is CancellationError {
      throw TransportError.cancelled
    }
  }

  private func piece() async throws -> [UInt8] {
    guard let size = file.size else { return try await streamed() }
    var bytes = [UInt8](repeating: 0, count: min(Self.pieceSize, size - count))
    let filled = try bytes.withUnsafeMutableBytes { try file.read(at: count, into: $0) }
    guard filled == bytes.count else { throw file.changedError }
    if filled == 0 { try file.checkUnchanged() }
    return bytes
  }

  private func streamed() async throws -> [UInt8] {
    while true {
      if let bytes = try file.readNext(Self.pieceSize) { return bytes }
      // The pipe has no bytes yet.
      try await DeterministicExecutor.outside { try await Task.sleep(for: .milliseconds(20)) }
    }
  }
}

extension TransportError {
  init(_ error: TableError) {
    switch error {
    case .cancelled: self = .cancelled
    case .denied(let message): self = .denied(message)
    default: self = .io(error.message)
    }
  }
}
