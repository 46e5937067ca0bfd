import DataTables
import Testing

@testable import DataSources

@Suite struct CountedBytesTests {
  private static let size = 1_024_000
  private let progress = Progress()
  private let bytes: CountedBytes

  init() {
    let content = (0..<Self.size).map { UInt8(truncatingIfNeeded: $0 / 7) }
    bytes = CountedBytes(MemoryBytes(content), named: "people.csv", progress: progress)
  }

  @discardableResult
  private func read(_ range: Range<Int>) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: range.count)
    let count = try buffer.withUnsafeMutableBytes {
      try bytes.read(at: range.lowerBound, into: $0)
    }
    return Array(buffer.prefix(count))
  }

  @Test func aPassIsReportedFromItsBeginningToItsEnd() throws {
    try read(0..<512_000)
    let report = try #require(progress.current)
    #expect(report.name == "people.csv")
    #expect(report.unit == .bytes)
    #expect(report.completed == 512_000)
    #expect(report.total == Self.size)
    try read(512_000..<1_000_000)
    #expect(progress.current?.completed == 1_000_000)
    try read(1_000_000..<Self.size)
    #expect(progress.current == nil)
  }

  @Test func theNextPassStartsFromZero() throws {
    try read(0..<Self.size)
    #expect(progress.current == nil)
    try read(0..<102_400)
    #expect(progress.current?.completed == 102_000)
  }

  @Test func aPassAfterAHeaderIsComplete() throws {
    try read(400..<Self.size)
    #expect(progress.current == nil)
  }

  @Test func bytesReadTwiceCountOnce() throws {
    for start in stride(from: 0, to: 512_000, by: 1_000) { try read(start..<start + 5_000) }
    #expect(progress.current?.completed == 516_000)
  }

  @Test func readingSingleRowsIsNotAPass() throws {
    for start in stride(from: 0, to: 500, by: 50) { try read(start * 2_000..<start * 2_000 + 900) }
    #expect(progress.current == nil)
  }

  @Test func aResetAbandonsAPass() throws {
    try read(0..<512_000)
    progress.reset()
    #expect(progress.current == nil)
    try read(300_000..<600_000)
    #expect(progress.current?.completed == 300_000)
  }

  @Test func theBytesEqualTheFile() throws {
    #expect(bytes.count == Self.size)
    #expect(try read(7_000..<7_003) == [232, 232, 232])
    #expect(try read(Self.size - 2..<Self.size + 10).count == 2)
    #expect(try read(Self.size..<Self.size + 10).isEmpty)
    #expect(try read(5..<5).isEmpty)
  }

  @Test func aSingleReadIsDoneInPieces() throws {
    let content = (0..<10 << 20).map { UInt8(truncatingIfNeeded: $0 / 1_021) }
    let store = CountedBytes(MemoryBytes(content), named: "a", progress: progress)
    var buffer = [UInt8](repeating: 0, count: content.count + 5)
    #expect(try buffer.withUnsafeMutableBytes { try store.read(at: 0, into: $0) } == content.count)
    #expect(buffer.dropLast(5).elementsEqual(content))
  }

  @Test(arguments: [1, 5, 1_023, 1_024, 1_025, 2_047, 10_007])
  func passesOverFilesOfAnySizeEnd(size: Int) throws {
    let store = CountedBytes(
      MemoryBytes(Array(repeating: 1, count: size)), named: "a", progress: progress)
    var byte: [UInt8] = [0]
    for offset in 0..<size {
      _ = try byte.withUnsafeMutableBytes { try store.read(at: offset, into: $0) }
      let report = progress.current
      #expect((report?.completed ?? 0) <= size && report?.total ?? size == size)
    }
    #expect(progress.current == nil)
  }

  @Test(arguments: 1...20) func readsCountTheBlocksWhoseMiddleTheyContain(seed: UInt64) throws {
    var state = seed
    func next(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var isRead = [Bool](repeating: false, count: Self.size)
    for _ in 0..<40 {
      let start = next(below: Self.size)
      let end = min(Self.size, start + 1 + next(below: 40_000))
      try read(start..<end)
      for offset in start..<end { isRead[offset] = true }
      let count = stride(from: 500, to: Self.size, by: 1_000).filter { isRead[$0] }.count * 1_000
      let expected = count < 16_000 ? nil : count
      #expect(progress.current?.completed == expected, "seed \(seed)")
    }
  }
}
