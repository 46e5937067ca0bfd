// mine: remote, GET http://example.test/list, at items
import DataSources
import DataTables
import Foundation
import HTTPTransport

/// The sources of `mine`, each over those that it wraps.
@MainActor final class MineSources {
  let mine: RemoteSource

  init() async throws {
    let transport = HTTPTransport()
    var options = ReadOptions()
    try options.set("keyPath", to: "items")
    mine = RemoteSource(
      TransportRequest(
        url: "http://example.test/list",
        headers: [
          RequestParameter(
            "Authorization",
            .secret(ProcessInfo.processInfo.environment["API_TOKEN"] ?? "", symbol: "env API_TOKEN")
          )
        ]
      ),
      through: transport,
      options: options,
      formats: .core
    )
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await mine.fetchData()
  }
}
