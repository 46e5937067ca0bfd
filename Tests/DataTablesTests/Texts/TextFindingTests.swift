import CScan
import TestSupport
import Testing

@testable import DataTables

/// Compares the search for bytes, at every level of the kernels, with a search at each position.
struct TextFindingTests {
  private var levels: [ds_kernels] { (0...2).compactMap { ds_kernels_at(Int32($0))?.pointee } }

  private func lowercased(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
  }

  @Test(arguments: 0..<200)
  func everyLevelFindsTheFirstOccurrence(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let alphabet: [UInt8] = random.one(of: [
      Array("ab".utf8), Array("aAbB@`[{".utf8), (0...255).map { UInt8($0) },
    ])
    let text = (0..<random.one(of: [0, 1, 5, 63, 64, 65, 200, 700])).map { _ in
      random.one(of: alphabet)
    }
    for _ in 0..<40 {
      let folds = random.below(2) == 0
      let length = 1 + random.one(of: [0, 1, 3, 20, 64, 100])
      var needle = (0..<length).map { _ in random.one(of: alphabet) }
      if random.below(3) > 0, text.count >= length {
        let start = random.below(text.count - length + 1)
        needle = Array(text[start..<start + length])
      }
      if folds { needle = lowercased(needle) }
      // Memory of exactly this size, so that a sanitizer sees reads behind it.
      let start = random.below(text.count + 1)
      let part = Array(text[start...])
      let compared = folds ? lowercased(part) : part
      let expected =
        (0...part.count).first { compared[$0...].starts(with: needle) } ?? part.count
      for level in levels {
        let found = level.find_text(part, part.count, needle, needle.count, folds ? 1 : 0)
        #expect(found == expected, "seed \(seed), \(String(cString: level.name))")
      }
    }
  }

  @Test func longNeedlesAreFoundInLinearTime() {
    var needle = [UInt8](repeating: 0x61, count: 100_000)
    needle[50_000] = 0x62
    let text = [UInt8](repeating: 0x61, count: 1_000_000) + needle
    for level in levels {
      #expect(level.find_text(text, text.count, needle, needle.count, 0) == 1_000_000)
    }
  }
}
