import CScan
import TestSupport
import Testing

@testable import DataTables

/// The codes equal those of a `Dictionary` of byte arrays.
struct ByteDictionaryTests {
  @Test(arguments: [UInt64(31), 32])
  func stringsAreNumberedByFirstAppearance(seed: UInt64) {
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

  @Test(arguments: [40, 3_000, 200_000])
  func stringsOfAnotherDictionaryHaveTheirNumbers(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let (joined, other) = (ByteDictionary(), ByteDictionary())
    for _ in 0..<count {
      let text =
        Self.text(&random) + (random.below(3) == 0 ? [] : Array("\(random.below(count))".utf8))
      let dictionary = random.below(2) == 0 ? joined : other
      _ = text.withUnsafeBytes { dictionary.code(for: $0) }
      if random.below(3) == 0 { _ = text.withUnsafeBytes { other.code(for: $0) } }
    }
    // An empty string that was quoted is a string.
    _ = [UInt8]().withUnsafeBytes { other.code(for: $0) }
    let before = joined.count
    let numbers = joined.numbers(of: other)
    #expect(numbers.count == other.count + 1)
    #expect(numbers.first == 0)
    var added = 0
    for code in 0..<other.count {
      let text = other.withBytes(of: code) { Array($0) }
      let number = Int(numbers[code + 1])
      guard number > 0, number <= joined.count else {
        return #expect(Bool(false), "a number of no string: \(number)")
      }
      #expect(joined.withBytes(of: number - 1) { $0.elementsEqual(text) })
      if number > before { added += 1 }
    }
    #expect(joined.count == before + added)
  }

  @Test(arguments: 0..<20)
  func fieldsHaveTheCodesOfTheirStrings(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let encoded = ByteDictionary()
    let known = ByteDictionary()
    for _ in 0..<8 {
      var bytes: [UInt8] = []
      var fields: [ds_field] = []
      var expected: [UInt32] = []
      for _ in 0..<random.below(400) {
        // Only quoted fields can be empty strings or contain doubled quotes.
        let isQuoted = Bool.random(using: &random)
        let text = isQuoted && random.below(9) == 0 ? Array("a\"b\"".utf8) : Self.text(&random)
        let isEscaped = text.contains(UInt8(ascii: "\""))
        let written = text.flatMap { isEscaped && $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] }
        let flags =
          (isQuoted ? UInt32(DS_FIELD_QUOTED) : 0) | (isEscaped ? UInt32(DS_FIELD_ESCAPED) : 0)
        fields.append(
          ds_field(start: UInt32(bytes.count), length: UInt32(written.count) | flags))
        bytes += written
        let isNull = !isQuoted && text.isEmpty
        expected.append(isNull ? 0 : text.withUnsafeBytes { known.code(for: $0) } + 1)
      }
      bytes += [UInt8](repeating: 0, count: Int(DS_PADDING))
      var codes = [UInt16](repeating: 0, count: fields.count)
      #expect(encoded.encode(fields, count: fields.count, stride: 1, of: bytes, into: &codes))
      #expect(codes.map { UInt32($0) } == expected, "seed \(seed)")
    }
  }

  @Test func codesThatDoNotFitAreReported() {
    let dictionary = ByteDictionary()
    let bytes = (0..<300).flatMap { Array("\(1_000 + $0)".utf8) }
    let padded = bytes + [UInt8](repeating: 0, count: Int(DS_PADDING))
    let fields = (0..<300).map { ds_field(start: UInt32($0 * 4), length: 4) }
    var codes = [UInt8](repeating: 0, count: 300)
    #expect(dictionary.encode(fields, count: 255, stride: 1, of: padded, into: &codes))
    #expect(!dictionary.encode(fields, count: 300, stride: 1, of: padded, into: &codes))
  }

  /// A text of a random length around the size of the words that are compared: the same letter, except
  /// for at most two bytes.
  /// A table that is larger than the cache grows while fields are encoded, by strings of each form.
  @Test(arguments: 0..<3)
  func fieldsHaveTheirCodesWhileALargeTableGrows(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let dictionary = ByteDictionary()
    var known: [String: UInt32] = [:]
    while known.count < 140_000 {
      var bytes: [UInt8] = []
      var fields: [ds_field] = []
      var expected: [UInt32] = []
      for _ in 0..<2_000 {
        let number = random.below(400_000)
        if random.below(20) == 0 {
          fields.append(ds_field(start: UInt32(bytes.count), length: 0))
          expected.append(0)
          continue
        }
        // Short, long, and escaped texts.
        let text =
          ["\(number)", "a text of some length \(number)", "\"\(number)\" and more of the text"][
            number % 3]
        let isEscaped = number % 3 == 2
        let written = Array((isEscaped ? text.replacing("\"", with: "\"\"") : text).utf8)
        let flags = isEscaped ? UInt32(DS_FIELD_QUOTED) | UInt32(DS_FIELD_ESCAPED) : 0
        fields.append(ds_field(start: UInt32(bytes.count), length: UInt32(written.count) | flags))
        bytes += written
        let code = known[text] ?? UInt32(known.count)
        known[text] = code
        expected.append(code + 1)
      }
      bytes += [UInt8](repeating: 0, count: Int(DS_PADDING))
      var codes = [UInt32](repeating: 0, count: fields.count)
      let fits = dictionary.encode(
        fields, count: fields.count, stride: 1, of: bytes, into: &codes)
      #expect(fits)
      #expect(codes == expected, "seed \(seed)")
    }
  }

  private static func text(_ random: inout SplitMix64) -> [UInt8] {
    var text = [UInt8](repeating: 0x61, count: Int.random(in: 0...70, using: &random))
    for _ in 0..<Int.random(in: 0...2, using: &random) where !text.isEmpty {
      let place = Int.random(in: 0..<text.count, using: &random)
      text[place] = UInt8.random(in: 0...3, using: &random)
    }
    return text
  }
}
