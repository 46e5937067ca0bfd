import DataTables

/// The answer to a request, read as a table.
struct RemoteAnswer: Sendable {
  /// What was asked, without conditions.
  let request: TransportRequest
  /// How it was read.
  let options: ReadOptions
  /// Where the answer came from, after all redirections.
  let url: String
  let loaded: LoadedTable
  /// The size of the body.
  let bytes: Int
  /// How a server is asked whether it has something newer.
  let conditions: [RequestParameter]
  /// The target of the `Link` with `rel=next`; nil without one.
  let nextLink: String?

  var table: any Table { loaded.table }
}
