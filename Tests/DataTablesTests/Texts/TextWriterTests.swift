import TestSupport
import Testing

@testable import DataTables

struct TextWriterTests {
  private func texts(_ random: inout SplitMix64) -> [[UInt8]?] {
    let shared = random.below(2) == 0 ? random.below(40) : nil
    let nulls = random.below(3) == 0
    return (0..<[0, 1, 70, 3_000][random.below(4)]).map { _ in
      if nulls, random.below(30) == 0 { return nil }
      let length = shared ?? (random.below(500) == 0 ? 20_000 : random.below(40))
      return [UInt8](repeating: UInt8(truncatingIfNeeded: random.next()), count: length)
    }
  }

  @Test(arguments: 0..<40)
  func blocksHoldTheTextsThatWereWritten(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let writer = TextWriter()
    var expected: [[UInt8]?] = []
    var blocks: [TextBlock] = []
    for _ in 0..<1 + random.below(5) {
      let texts = texts(&random)
      for text in texts { if let text { writer.append(text) } else { writer.appendNull() } }
      expected += texts
      blocks += try writer.finish()
    }
    let heap = TextHeap(blocks)
    let places = TextPlaces(heap)
    #expect(heap.count == expected.count, "seed \(seed)")
    for (number, text) in expected.enumerated() {
      #expect(heap.isNull(number) == (text == nil), "seed \(seed), \(number)")
      #expect(heap.text(number).elementsEqual(text ?? []), "seed \(seed), \(number)")
      let (start, count) = places.text(UInt32(number))
      let found = UnsafeRawBufferPointer(start: start, count: count)
      #expect(found.elementsEqual(text ?? []), "seed \(seed), \(number)")
    }
  }

  @Test func textsOfOneLengthHaveNoOffsets() throws {
    let writer = TextWriter()
    for number in 100..<999 { writer.append("\(number)") }
    let block = try #require(try writer.finish().first)
    #expect(block.bounds.offsets == nil && block.bounds.length == 3)
    #expect(block.text(898).elementsEqual("998".utf8))
    writer.append("four")
    writer.append("3rd")
    let other = try #require(try writer.finish().first)
    #expect(other.bounds.offsets != nil)
    #expect(other.text(0).elementsEqual("four".utf8) && other.text(1).elementsEqual("3rd".utf8))
  }

  @Test func aTextLargerThanTheMemoryHasItsOwnBlock() throws {
    let writer = TextWriter()
    let long = [UInt8](repeating: 7, count: 9 << 20)
    writer.append("before")
    writer.append(long)
    writer.append("after")
    let heap = TextHeap(try writer.finish())
    #expect(heap.text(0).elementsEqual("before".utf8))
    #expect(heap.text(1).elementsEqual(long))
    #expect(heap.text(2).elementsEqual("after".utf8))
  }

  @Test(arguments: 1...5)
  func blockRangesContainAllBlocksInOrder(ranges: Int) throws {
    let writer = TextWriter()
    let blocks = try [900, 1, 1, 50, 50, 48, 900, 0, 50].flatMap { count in
      for number in 0..<count { writer.append("\(number)") }
      return try writer.finish()
    }
    let heap = TextHeap(blocks)
    let found = heap.blockRanges(ranges)
    #expect(found.count == ranges)
    #expect(found.flatMap { Array($0) } == Array(blocks.indices))
    #expect(TextHeap([]).blockRanges(ranges) == [Range<Int>](repeating: 0..<0, count: ranges))
  }

  @Test(arguments: [40, 9 << 20])
  func runningOutOfMemoryIsThrownByFinish(length: Int) {
    let writer = TextWriter(memoryLimit: 1 << 18)
    let text = [UInt8](repeating: 7, count: length)
    for _ in 0..<20_000 where length < 100 { writer.append(text) }
    writer.append(text)
    writer.appendNull()
    #expect(throws: TableError.io("not enough memory for the strings of a column")) {
      try writer.finish()
    }
  }

  @Test func theOffsetsOfTextsCountAsMemory() {
    let writer = TextWriter(memoryLimit: 1 << 18)
    for _ in 0..<100_000 { writer.appendNull() }
    #expect(throws: TableError.io("not enough memory for the strings of a column")) {
      try writer.finish()
    }
  }

  @Test func aWriterWithinItsMemoryLimitWritesEverything() throws {
    let writer = TextWriter(memoryLimit: 1 << 18)
    for number in 0..<1_000 { writer.append("\(number)") }
    #expect(TextHeap(try writer.finish()).count == 1_000)
  }
}
