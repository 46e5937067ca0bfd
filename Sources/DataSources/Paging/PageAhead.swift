import DataTables

/// A page that is asked for before anybody wants it; given up with its last owner.
final class PageAhead: Sendable {
  let request: TransportRequest
  private let task: Task<RemoteAnswer, any Error>

  init(_ request: TransportRequest, _ reader: RemoteReader) {
    self.request = request
    task = Task { try await reader.answer(to: request, cancellation: Cancellation()) }
  }

  deinit { task.cancel() }

  /// The page; nil when it is another one or did not come, so that it is asked for again.
  /// - Throws: `TableError.cancelled`; nobody wants the page any more then.
  @concurrent
  func answer(
    to wanted: TransportRequest, cancellation: Cancellation
  ) async throws -> RemoteAnswer? {
    guard wanted == request else { return nil }
    let answer = try await cancellation.canceling { [task] in
      await withTaskCancellationHandler {
        try? await task.value
      } onCancel: {
        task.cancel()
      }
    }
    try cancellation.check()
    return answer
  }
}
