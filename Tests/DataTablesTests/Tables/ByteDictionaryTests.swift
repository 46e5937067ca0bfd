import Testing

@testable import DataTables

/// The dictionary numbers what a `Dictionary` of arrays would.
struct ByteDictionaryTests {
  @Test(arguments: [UInt64(31), 32])
  func stringsAreNumberedAsTheyFirstCome(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let dictionary = ByteDictionary()
    var numbers: [[UInt8]: UInt32] = [:]
    for _ in 0..<20_000 {
      let text = Self.text(&random)
      let known = numbers[text]
      let number = text.withUnsafeBytes { dictionary.code(for: $0) }
      #expect(number == known ?? UInt32(numbers.count), "seed \(seed), \(text)")
      numbers[text] = number
    }
    #expect(dictionary.count == numbers.count)
    for (text, number) in numbers {
      #expect(dictionary.withBytes(of: Int(number)) { $0.elementsEqual(text) }, "seed \(seed)")
    }
  }

  /// Of all lengths around the words that are compared at a time, and mostly the same but for a byte.
  private static func text(_ random: inout SplitMix64) -> [UInt8] {
    var text = [UInt8](repeating: 0x61, count: Int.random(in: 0...70, using: &random))
    for _ in 0..<Int.random(in: 0...2, using: &random) where !text.isEmpty {
      let place = Int.random(in: 0..<text.count, using: &random)
      text[place] = UInt8.random(in: 0...3, using: &random)
    }
    return text
  }
}
