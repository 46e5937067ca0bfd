/// Answers `file:` URLs, and says of all others that there is no network here.
public struct OfflineTransport: Transport {
  public init() {}

  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let scheme = URLParts(request.url).scheme ?? ""
    guard scheme == "file" else {
      throw TransportError.denied("nothing here sends to `\(scheme):` URLs")
    }
    return try await FileTransport().send(request)
  }
}
