import Synchronization
import Testing

@testable import DataTables

/// Advice about formats and options, which is verified by reading the text again.
@Suite struct AdviceTests {
  /// A format that any text may have, or that fits a text better.
  private struct AnyFormat: TableFormat {
    let names: [String]
    let extensions: [String] = []
    let mediaTypes: [String] = []
    let options = [ReadOption.encoding]
    let recognition: Recognition
    var reading: @Sendable (FormatInput) throws -> Void = { _ in }

    func recognize(_ sample: FormatSample) -> Recognition { recognition }

    func read(_ input: FormatInput) throws -> LoadedTable {
      try reading(input)
      return LoadedTable(table: ValueTable([1]), report: LoadReport(format: name, rows: 1))
    }
  }

  private func read(
    _ options: ReadOptions = ReadOptions(), _ cancellation: Cancellation = Cancellation(),
    fitting: @escaping @Sendable (FormatInput) throws -> Void
  ) throws -> LoadedTable {
    let formats = FormatTable([
      AnyFormat(names: ["plain"], recognition: .possible),
      AnyFormat(names: ["fitting"], recognition: .likely, reading: fitting),
    ])
    var options = options
    options.format = "plain"
    return try formats.read(
      MemoryBytes(Array("text".utf8)), named: "", options: options, cancellation: cancellation)
  }

  @Test func aFittingFormatIsReadWithTheLimitsAndTheEncoding() throws {
    let seen = Mutex<[ReadOptions]>([])
    var options = ReadOptions()
    options.encoding = "latin1"
    options.limits.depth = 7
    let loaded = try read(options) { input in seen.withLock { $0.append(input.options) } }
    #expect(loaded.report.notes.count == 1)
    let verified = seen.withLock { $0 }
    #expect(verified.map(\.limits.depth) == [7])
    #expect(verified.map(\.encoding) == ["latin1"])
    #expect(verified.map(\.format) == [nil])
  }

  @Test func aCancellationWhileAFormatIsVerifiedEndsTheLoad() throws {
    let flag = Cancellation()
    #expect(throws: TableError.cancelled) {
      try read(ReadOptions(), flag) { _ in
        flag.cancel()
        throw TableError.cancelled
      }
    }
    #expect(try read { _ in throw TableError.format("no", at: nil) }.report.notes.isEmpty)
  }

  @Test func attemptsEndOnlyWithACancellation() throws {
    let flag = Cancellation()
    #expect(try flag.attempt { 1 } == 1)
    #expect(try flag.attempt { throw TableError.io("no") } as Int? == nil)
    flag.cancel()
    #expect(throws: TableError.cancelled) { try flag.attempt { 1 } }
  }

  /// The requested type fails, not the text, which is deeper than the default limit.
  @Test func jsonDeeperThanTheDefaultLimitIsNotSuggestedToBeRelaxed() throws {
    let depth = ReadLimits().depth + 100
    let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    var options = ReadOptions()
    options.limits.depth = depth + 10
    options.types = ["b": .integer]
    options.isStrict = true
    let error = #expect(throws: TableError.self) {
      try FormatTable.core.read(
        MemoryBytes(Array("[{\"a\": \(nested), \"b\": \"x\"}]".utf8)), named: "x.json",
        options: options)
    }
    guard case .format(let message, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!message.contains("relaxed"))
  }
}
