// all: multi
import DataSources
import DataTables
import HTTPTransport

/// The sources of `all`, each over those that it wraps.
@MainActor final class AllSources {
  let people: SimpleSource
  let posts: RemoteSource
  let pages: PaginatedSource
  let all: MultiSource

  init() async throws {
    var peopleOptions = ReadOptions()
    try peopleOptions.set("nulls", to: ["-"])
    try peopleOptions.set("types", to: ["v": "real"])
    people = try await SimpleSource.load(
      "data/people-new.csv",
      options: peopleOptions,
      formats: .core
    )
    let transport = HTTPTransport()
    var postsOptions = ReadOptions()
    try postsOptions.set("keyPath", to: "data.posts")
    posts = RemoteSource(
      TransportRequest(
        url: "https://example.test/posts",
        query: [RequestParameter("page", .plain("2"))]
      ),
      through: transport,
      options: postsOptions,
      formats: .core,
      placeholders: [.loading, .error]
    )
    var paging = Paging(.page)
    paging.pageSize = 20
    paging.firstPage = 0
    pages = PaginatedSource(
      TransportRequest(url: "https://example.test/pages"),
      through: transport,
      paging: paging,
      formats: .core,
      prefetches: true
    )
    all = MultiSource([people, posts, pages])
  }

  /// Fetches the sources below too.
  func fetch() async throws {
    try await all.fetchData()
  }
}
