import Foundation
import Testing

/// Random histories of edits, transactions, undo, settings and faults, through all kinds of wrappers.
@Suite struct EditHistoryTests {
  /// The seeds; `Scripts/histories` sets many more.
  private static let seeds: Range<Int> = {
    let bounds = ProcessInfo.processInfo.environment["DSSHELL_HISTORIES", default: "0..<40"]
      .split(separator: ".").compactMap { Int($0.drop { $0 == "<" }) }
    guard bounds.count == 2, bounds[0] <= bounds[1] else { return 0..<0 }
    return bounds[0]..<bounds[1]
  }()
  private static let steps = 25
  /// The tests run these in parallel.
  private static let parts = 8

  @Test(arguments: 0..<parts) func historiesKeepAllSourcesInStep(part: Int) async throws {
    try #require(!Self.seeds.isEmpty, "DSSHELL_HISTORIES is a range: 0..<100")
    for seed in Self.seeds where seed % Self.parts == part {
      do {
        try await replay(seed: seed)
      } catch {
        Issue.record(error, "seed \(seed)")
      }
    }
  }

  private func replay(seed: Int) async throws {
    let history = try await SourceHistory(seed: UInt64(seed))
    for step in 0..<Self.steps {
      let faults = try await history.step()
      guard faults.isEmpty else {
        Issue.record(
          """
          seed \(seed), step \(step), \(history.last)
          \(faults.joined(separator: "\n"))
          \(history.graph)
          """)
        return
      }
    }
  }
}
