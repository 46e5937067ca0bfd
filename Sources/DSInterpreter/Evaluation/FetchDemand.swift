import DataSources
import DataTables

/// How much a fetch covers.
struct FetchDemand: Sendable {
  let takesAllPages: Bool
  let discardsEdits: Bool
}

extension DataSource {
  func fetch(
    _ demand: FetchDemand, cancellation: Cancellation?, progress: Progress,
    listener: ((TranscriptEntry) -> Void)?
  ) async throws {
    if demand.takesAllPages {
      try await fetchAllPages(
        cancellation: cancellation, progress: progress, listener: listener)
    } else {
      try await fetchData(
        discardingEdits: demand.discardsEdits, cancellation: cancellation, progress: progress,
        listener: listener)
    }
  }
}
