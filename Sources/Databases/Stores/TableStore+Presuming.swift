import DataSources
import DataTables

// Statements that run while the facts about their columns are determined.
extension TableStore {
  /// The facts about fewer rows are found before a second statement would have begun.
  private static let minPresumed = 100_000

  /// Determines what is true of the columns of a request. Meanwhile, the engine runs the first
  /// statement that the request needs if the columns are as they are declared.
  func learn(_ request: ContentRequest, _ context: RequestContext) async throws {
    let statement = await presumedStatement(of: request, context)
    guard let statement else {
      return try await table.learn(
        request.keyPaths, from: context.cache, cancellation: context.cancellation)
    }
    async let prefetch: Void = table.prefetch(statement, context.cancellation)
    try await table.learn(request.keyPaths, cancellation: context.cancellation)
    await prefetch
  }

  /// nil if all facts are known, or if nothing can be presumed about a column.
  private func presumedStatement(
    of request: ContentRequest, _ context: RequestContext
  ) async -> SQL? {
    // A cache on disk may have the facts and the rows.
    guard context.cache == nil, numberOfObjects >= Self.minPresumed else { return nil }
    let recorder = StatementRecorder()
    guard let presumed = table.presuming(request.keyPaths, on: recorder) else { return nil }
    let store = TableStore(
      presumed, selection, layout, input: input, journal: StoreJournal(), batchSize: pages.size)
    _ = try? await store.answer(request, context)
    return recorder.statement
  }
}
