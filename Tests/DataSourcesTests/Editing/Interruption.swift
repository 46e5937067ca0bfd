import DataTables
import TestSupport

@testable import DataSources

/// A cancellation in one of six fetches and edits, after some of its events.
final class Interruption {
  let flag = Cancellation()
  let isPossible: Bool
  private var events: Int

  init(_ random: inout SplitMix64) {
    isPossible = random.below(6) == 0
    events = isPossible ? random.below(5) : -1
    if events == 0 { flag.cancel() }
  }

  var summary: String { isPossible ? ", canceled after \(events) events" : "" }

  func receive(_ entry: TranscriptEntry) {
    events -= 1
    if events == 0 { flag.cancel() }
  }
}
