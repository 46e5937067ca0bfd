import DataSources
import DataTables
import Testing

@testable import DSInterpreter

@Suite struct DescribeTests {
  @Test(arguments: [1, 63, 64, 65, 130])
  func keysAreDescribedInOrder(count: Int) async throws {
    let pairs = (0..<count).map { ("k\($0)", Value.integer($0)) }
    var session = Session()
    session.bind("wide", to: .source(SimpleSource([.record(Record(pairs))])))
    var interpreter = Interpreter(session: session)
    var rows: [[Value]] = []
    try await interpreter.run("describe wide") { event, _ in
      if case .output(let output) = event, case .grid(let grid) = output.content {
        rows = grid.rows
      }
    }
    #expect(rows.map { $0[0] } == pairs.map { .string($0.0) })
    #expect(rows.map { $0[4] } == pairs.map(\.1))
  }

  @Test func theNumberOfKeysDecodedTogetherFitsMemory() {
    #expect(DescribeCommand.keysPerPass(rows: 0, keys: 100) == 64)
    #expect(DescribeCommand.keysPerPass(rows: 1_000_000, keys: 100) == 64)
    #expect(DescribeCommand.keysPerPass(rows: 20_000_000, keys: 100) == 3)
    #expect(DescribeCommand.keysPerPass(rows: 1 << 40, keys: 100) == 1)
    #expect(DescribeCommand.keysPerPass(rows: 100, keys: 32_000) == 4_000)
  }
}
