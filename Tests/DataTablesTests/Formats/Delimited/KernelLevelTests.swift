import CScan
import TestSupport
import Testing

@testable import DataTables

/// Every level of the kernels has the results of the portable one.
struct KernelLevelTests {
  private var levels: [ds_kernels] { (1...2).compactMap { ds_kernels_at(Int32($0))?.pointee } }

  @Test func theValidPrefixOfUTF8IsTheSame() throws {
    var random = SplitMix64(seed: 11)
    let scalars = ["a", "é", "漢", "😀", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10FFFF}", "\0"]
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      // With long runs of ASCII, which the wide scans skip by hundreds of bytes.
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let isPlain = Bool.random(using: &random)
        for _ in 0..<Int.random(in: 0...(isPlain ? 300 : 60), using: &random) {
          bytes += Array((isPlain ? "a" : scalars.randomElement(using: &random) ?? "").utf8)
        }
      }
      for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random), !bytes.isEmpty { bytes.removeLast() }
      let expected = Self.validPrefix(of: bytes)
      #expect(ds_utf8_valid_prefix(bytes, bytes.count) == expected)
      for level in levels {
        #expect(level.utf8_valid_prefix(bytes, bytes.count) == expected, "\(bytes)")
      }
    }
  }

  /// The longest prefix of complete characters, by the standard library.
  private static func validPrefix(of bytes: [UInt8]) -> Int {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var valid = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      valid += UTF8.width(scalar)
    }
    return valid
  }

  /// One for each kind of scan, and combinations.
  private static let dialects: [Dialect] = {
    let comma = UInt8(ascii: ",")
    let escape = UInt8(ascii: "\\")
    return [
      Dialect(delimiter: comma), Dialect(delimiter: comma, quote: nil),
      Dialect(delimiter: comma, lineEnds: .any), Dialect(delimiter: comma, escape: escape),
      Dialect(delimiter: comma, lineEnds: .any, quote: nil, escape: escape),
      Dialect(delimiter: comma, skipsSpaces: true),
      Dialect(delimiter: comma, lineEnds: .any, escape: escape, skipsSpaces: true),
    ]
  }()

  @Test(arguments: [UInt64(21), 22])
  func rowsAndFieldsAreTheSame(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pieces = [
      " ", "                                ", "a", "bc", ",", ",", "\n", "\n", "\"", "\"\"",
      "\r\n", "1234567890", ",,,", "\"q\"", "\r",
      "\r\r\n", "\\",
    ]
    for round in 0..<3_000 {
      let length = Int.random(in: 0...150, using: &random)
      let bytes = (0..<length).flatMap { _ in
        Array((pieces.randomElement(using: &random) ?? "").utf8)
      }
      let expected = UInt32.random(in: 1...4, using: &random)
      let dialect = Self.dialects[round % Self.dialects.count]
      let portable = try #require(ds_kernels_at(0)).pointee
      // Columns that usually end in the first block of a row, and one after it.
      for requested in [[0, 2], [1], [0, 1, 2], [40]] as [[UInt32]] {
        let reference = Self.scan(
          bytes, dialect, fields: expected, requested: requested, with: portable)
        for level in levels {
          let found = Self.scan(
            bytes, dialect, fields: expected, requested: requested, with: level)
          #expect(
            found == reference, "seed \(seed), round \(round), \(String(cString: level.name))")
        }
      }
    }
  }

  @Test(arguments: ["", "a", "\"\"", "a\"\"", "\"\"a", String(repeating: "b", count: 61) + "\"\"c"])
  func quotesAreFlaggedAtEveryPositionOfAField(written: String) {
    let cell = Array("\"\(written)\"".utf8)
    for before in 0..<130 {
      for suffix in [[], Array(",z".utf8)] as [[UInt8]] {
        let row = [UInt8](repeating: UInt8(ascii: "x"), count: before) + [UInt8(ascii: ",")]
        let bytes = row + cell + suffix + [UInt8(ascii: "\n")]
        let padded = bytes + [UInt8](repeating: 0, count: Int(DS_PADDING))
        for level in (0...2).compactMap({ ds_kernels_at(Int32($0))?.pointee }) {
          var place = ds_row(start: 0, end: UInt32(bytes.count))
          var field = ds_field()
          var dialect = Dialect(delimiter: UInt8(ascii: ",")).kernel
          level.csv_fields(padded, &dialect, &place, 1, [1], 1, &field)
          let flags = DS_FIELD_QUOTED | (written.contains("\"") ? UInt32(DS_FIELD_ESCAPED) : 0)
          #expect(field.start == row.count + 1, "\(before)")
          #expect(field.length == flags | UInt32(cell.count - 2), "\(before)")
        }
      }
    }
  }

  /// Every stop of a scan with its rows and fields, as strings.
  private static func scan(
    _ bytes: [UInt8], _ dialect: Dialect, fields: UInt32, requested: [UInt32],
    with kernels: ds_kernels
  ) -> [String] {
    let padded = bytes + [UInt8](repeating: 0, count: Int(DS_PADDING))
    var rows = [ds_row](repeating: ds_row(), count: 8)
    var found: [String] = []
    padded.withUnsafeBufferPointer { padded in
      rows.withUnsafeMutableBufferPointer { rows in
        var scan = ds_csv_scan()
        scan.bytes = padded.baseAddress
        scan.length = bytes.count
        scan.dialect = dialect.kernel
        scan.expected = fields
        scan.rows = rows.baseAddress
        scan.capacity = rows.count
        while true {
          scan.count = 0
          let stop = kernels.csv_rows(&scan)
          found.append("\(stop.rawValue) at \(scan.position)")
          found += Self.fields(
            requested, of: rows.prefix(scan.count), in: padded, dialect, with: kernels)
          switch stop {
          case DS_FULL: continue
          case DS_IRREGULAR: scan.position = scan.end
          case DS_BROKEN:
            let next = ds_csv_next_line(
              padded.baseAddress, bytes.count, scan.position, &scan.dialect)
            scan.position = next == 0 ? bytes.count : next
          default: return
          }
        }
      }
    }
    return found
  }

  private static func fields(
    _ requested: [UInt32], of rows: Slice<UnsafeMutableBufferPointer<ds_row>>,
    in bytes: UnsafeBufferPointer<UInt8>, _ dialect: Dialect, with kernels: ds_kernels
  ) -> [String] {
    var dialect = dialect.kernel
    return rows.map { row in
      var row = row
      var fields = [ds_field](repeating: ds_field(), count: requested.count)
      kernels.csv_fields(
        bytes.baseAddress, &dialect, &row, 1, requested, requested.count, &fields)
      return "\(row.start)-\(row.end): \(fields.map { "\($0.start)+\($0.length)" })"
    }
  }
}
