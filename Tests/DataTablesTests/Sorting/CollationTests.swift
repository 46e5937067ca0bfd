import Testing

@testable import DataTables

struct CollationTests {
  private static let orders: [(String, [String])] = [
    ("sv", ["a", "z", "å", "ä", "ö"]), ("en", ["a", "å", "ä", "ö", "z"]),
    ("de", ["a", "å", "ä", "ö", "z"]), ("en_US_POSIX", ["a", "å", "ä", "ö", "z"]),
    ("da", ["a", "z", "ä", "ö", "å"]),
  ]

  private func sorted(
    _ strings: [String], _ comparison: SortDescriptor.Comparison, locale: String? = nil
  ) throws -> [String] {
    let table = ValueTable(strings.map { ["name": .string($0)] })
    let descriptor = SortDescriptor(
      ObjectKeyPath(key: "name"), comparison: comparison, locale: locale)
    let order = try table.sorted(.natural(strings.count), by: [descriptor])
    return (0..<order.count).map { strings[order[$0]] }
  }

  @Test func localizedStandardSortsAsFileListsAreSorted() throws {
    let order = ["", "#x", "9", "10", "a", "B2", "b10", "e", "É", "f", "Z"]
    #expect(try sorted(order.reversed(), .localizedStandard) == order)
  }

  @Test func numbersInStringsSortByValueUnderLocalizedStandardOnly() throws {
    #expect(try sorted(["10", "9", "2"], .compare) == ["10", "2", "9"])
    #expect(try sorted(["10", "9", "2"], .localizedStandard) == ["2", "9", "10"])
    #expect(try sorted(["10", "9", "2"], .localized) == ["10", "2", "9"])
  }

  @Test(arguments: orders)
  func aLocaleHasItsOwnOrder(_ locale: String, _ order: [String]) throws {
    #expect(try sorted(order.reversed(), .localizedStandard, locale: locale) == order)
    #expect(try sorted(order.reversed(), .localized, locale: locale) == order)
  }

  @Test(arguments: ["xx", "klingon", "sv_XX", "sr_Lten", "C", "english_US", "sv\0", "s v"])
  func anUnknownLocaleIsRejectedByName(_ name: String) {
    let message = "unknown locale `\(name)`; write it as sv, de_AT or zh_Hant"
    #expect(throws: TableError.badArgument(message)) {
      try Collation(.localized, locale: name)
    }
    #expect(throws: TableError.badArgument(message)) {
      try sorted(["a", "b"], .localizedStandard, locale: name)
    }
  }

  @Test(arguments: ["", "root", "sv_SE", "zh-Hant-TW", "es_419", "de@collation=phonebook", "tlh"])
  func aLocaleThatExistsIsAccepted(_ name: String) throws {
    #expect(try Collation(.localized, locale: name).compare("a", "b") == .before)
  }

  @Test func caseInsensitiveDistinguishesOnlyLettersAndAccents() throws {
    let collation = try Collation(.localizedCaseInsensitive)
    #expect(try collation.compare("Acme", "aCME") == .same)
    #expect(try collation.compare("resume", "Résumé") == .before)
    #expect(try collation.compare("e\u{301}", "É") == .same)
    #expect(
      try sorted(["b", "Zed", "acme", "zed", "ACME"], .localizedCaseInsensitive)
        == ["acme", "ACME", "b", "Zed", "zed"])
  }

  @Test func canonicallyEquivalentStringsAreTheSameUnderEveryComparison() throws {
    for comparison in SortDescriptor.Comparison.allCases where comparison.isLocalized {
      let collation = try Collation(comparison)
      #expect(try collation.compare("\u{212B}ngström", "A\u{30A}ngstro\u{308}m") == .same)
      #expect(try collation.compare("가", "\u{1100}\u{1161}") == .same)
    }
  }

  @Test(arguments: [("a01B", "A1b"), ("a1", "a01"), ("a", "A"), ("a\u{1}", "a\u{2}"), ("ア", "ｱ")])
  func stringsWithWeakDifferencesHaveAnOrder(_ left: String, _ right: String) throws {
    let collation = try Collation(.localizedStandard)
    #expect(try collation.compare(left, right) == .before)
    #expect(try collation.compare(right, left) == .after)
  }

  @Test(arguments: SortDescriptor.Comparison.allCases.filter(\.isLocalized))
  func theOrderIsTotal(_ comparison: SortDescriptor.Comparison) throws {
    let seed: UInt64 = 0x70
    var samples = SampleTexts(seed: seed)
    let texts = (0..<600).map { samples.text(SampleTexts.names[$0 % SampleTexts.names.count]) }
    let order = try sorted(texts, comparison)
    let collation = try Collation(comparison)
    for index in order.indices.dropFirst() {
      let there = try collation.compare(order[index - 1], order[index])
      let back = try collation.compare(order[index], order[index - 1])
      #expect(there != .after, "seed \(seed): \(order[index - 1]) \(order[index])")
      #expect(back == there.reversed, "seed \(seed): \(order[index - 1]) \(order[index])")
    }
  }

  @Test func mixedTypesKeepTheOrderOfTypesUnderLocalizedComparisons() throws {
    let values: [Value] = ["b", 2, nil, "B", true, "a", 1]
    let table = ValueTable(values.map { ["key": $0] })
    let order = try table.sorted(
      .natural(values.count),
      by: [SortDescriptor(ObjectKeyPath(key: "key"), comparison: .localizedStandard)])
    #expect((0..<order.count).map { values[order[$0]] } == [nil, true, 1, 2, "a", "b", "B"])
  }
}
