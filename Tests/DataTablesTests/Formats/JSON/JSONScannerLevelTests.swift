import CScan
import TestSupport
import Testing

@testable import DataTables

/// Every level of the kernels finds the members that the portable one finds. Other tests compare
/// the highest level, the one in use, with the slow reader.
@Suite struct JSONScannerLevelTests {
  @Test(arguments: [UInt64(31), 32, 33])
  func membersAreTheSame(seed: UInt64) throws {
    var texts = JSONTexts(seed: seed)
    for round in 0..<400 {
      let text = texts.broken(texts.lines())
      let needed = texts.random.below(3) == 0 ? [0, 1] : []
      let portable = try #require(ds_kernels_at(0)).pointee
      let reference = Self.scans(of: text, needed: needed, with: portable)
      for level in (1...2).compactMap({ ds_kernels_at(Int32($0))?.pointee }) {
        let found = Self.scans(of: text, needed: needed, with: level)
        #expect(
          found == reference, "seed \(seed), round \(round), \(String(cString: level.name))")
      }
    }
  }

  /// The members of each line, scanned in order, so that each line is expected to be like the
  /// previous.
  private static func scans(of text: [UInt8], needed: [Int], with kernels: ds_kernels) -> [String] {
    let scanner = JSONScanner(
      keys: JSONKeys(), newlinesAreSpace: false, depthLimit: 8, kernels: kernels)
    scanner.neededKeys = needed
    let lines = text.split { $0 == 0x0A || $0 == 0x0D }
    return lines.map { line in
      let start = line.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? line.endIndex
      let padded = line[start...] + [UInt8](repeating: 0, count: JSONScanner.padding)
      return padded.withUnsafeBufferPointer { buffer in
        guard let bytes = buffer.baseAddress else { return "" }
        guard let end = scanner.scan(bytes, from: 0, to: line.endIndex - start) else {
          return "\(scanner.failure)"
        }
        let members = scanner.members.map { "\($0.key): \($0.start)..<\($0.end)" }
        return "\(end) \(members) \(scanner.mayRepeatKeys) \(scanner.didStopEarly)"
      }
    }
  }
}
