import TestSupport
import Testing

@testable import DataTables

/// The lengths of rows, which are stored if the rows are contiguous.
struct RowLengthTests {
  private func index(_ text: String, chunk: Int = 1 << 20) throws -> RowIndex {
    let options = ReadOptions()
    return try RowIndex(
      MemoryBytes(Array(text.utf8)), from: 0,
      dialect: Dialect(delimiter: UInt8(ascii: ",")),
      columns: 2, limits: options.limits, sizes: ScanSizes(chunk: chunk),
      cancellation: Cancellation())
  }

  @Test func contiguousRowsAreStoredByTheirLengths() throws {
    let index = try index("1,2\n10,\"2\n0\"\r\n,\n")
    #expect(index.chunks.map(\.lengths) == [[4, 10, 2]])
  }

  @Test func aMissingTerminatorCountsAsOneByte() throws {
    #expect(try index("1,2\n3,4").chunks.map(\.lengths) == [[4, 4]])
  }

  @Test(arguments: [
    // A rejected row; a blank line and a missing terminator; a length beyond 16 bits.
    "1,2\n1,2,3\n1,2\n", "1,2\n\n3,4", "1,2\n3,\(String(repeating: "x", count: 70_000))\n5,6\n",
  ])
  func otherLengthsAreNotStored(text: String) throws {
    #expect(try index(text).chunks.map(\.lengths) == [[]])
  }

  @Test func aRowLongerThanSixteenBitsIsRead() throws {
    let long = String(repeating: "x", count: 70_000)
    let text = "a,b\n1,2\n3,\(long)\n5,6\n"
    let table = try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "a.csv").table
    let column = try table.column(ObjectKeyPath(key: "b"), cancellation: Cancellation())
    guard case .coded(let codes, let values) = column else { return #expect(Bool(false)) }
    #expect((0..<codes.count).map { values[codes[$0]] } == ["2", .string(long), "6"])
  }

  /// Each chunk searches for its first row only within itself.
  @Test(arguments: 1...UInt64(10)) func rowsOverManyChunksAreReadAFewTimes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var text = ""
    var ends: [Int] = []
    for _ in 0..<20 {
      if random.below(4) == 0 {
        let cell = String(repeating: "y", count: 200_000 + random.below(400_000))
        text += "3," + (random.below(2) == 0 ? cell : "\"\(cell)\"") + "\n"
      } else {
        for _ in 0..<random.below(3_000) {
          text += "1,2\n"
          ends.append(text.utf8.count)
        }
        text += "1,2\n"
      }
      ends.append(text.utf8.count)
    }
    let bytes = CountingBytes(text)
    let index = try RowIndex(
      bytes, from: 0, dialect: Dialect(delimiter: UInt8(ascii: ",")), columns: 2,
      limits: ReadOptions().limits, sizes: ScanSizes(chunk: 20_000, window: 5_000),
      cancellation: Cancellation())
    #expect(index.count == ends.count)
    #expect(index.chunks.last?.range.upperBound == ends.last)
    // A guess reads up to four times its chunk; a window that grows reads a row twice.
    #expect(bytes.bytesRead < 8 * text.utf8.count, "seed \(seed)")
  }
}
