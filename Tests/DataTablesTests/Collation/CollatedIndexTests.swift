import Testing

@testable import DataTables

struct CollatedIndexTests {
  private static let english = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map { String($0) }

  private static let alphabets: [(String, [String])] = [
    ("sv", Self.english + ["Å", "Ä", "Ö", "#"]), ("da", Self.english + ["Æ", "Ø", "Å", "#"]),
    ("ru", "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЫЭЮЯ".map { String($0) } + ["#"]),
    ("ja", "あかさたなはまやらわ".map { String($0) } + ["#"]),
  ]

  private static let roots: [(String, String)] = [
    ("kiwi", "K"), ("7up", "#"), ("", "#"), ("Éclair", "E"), ("e\u{301}clair", "E"), ("zoo", "Z"),
    ("Æble", "A"), ("øl", "O"), ("łódź", "L"), ("жук", "#"), ("中", "#"), ("_x", "#"), (" a", "#"),
    ("ｋiwi", "K"), ("🍰", "#"), ("z\u{30C}", "Z"), ("þorn", "Z"), ("Þing", "Z"), ("ʒ", "Z"),
    ("a", "A"), ("\r\n", "#"), ("K\u{301}", "K"),
  ]

  private static let locals: [(String, String, String)] = [
    ("sv", "ärta", "Ä"), ("sv", "Éclair", "E"), ("is", "þorn", "Þ"), ("da", "Åben", "Å"),
    ("sv", "zebra", "Z"), ("sv", "жук", "#"),
    ("de", "ärta", "A"), ("ru", "жук", "Ж"), ("ru", "kiwi", "#"), ("ja", "ワイン", "わ"),
    ("ja", "かき", "か"), ("ja", "がく", "か"), ("cs", "chata", "CH"), ("cs", "čaj", "Č"),
    ("el", "Ωμέγα", "Ω"),
  ]

  @Test(arguments: [nil, "en", "de", "fr", "en_US_POSIX", "root"])
  func titlesAreTheLettersAToZAndANumberSign(_ locale: String?) throws {
    #expect(try CollatedIndex(locale: locale).titles == Self.english + ["#"])
  }

  @Test(arguments: alphabets)
  func aLocaleHasItsOwnLetters(_ locale: String, _ titles: [String]) throws {
    let found = try CollatedIndex(locale: locale).titles
    #expect(found == titles, "\(found)")
  }

  @Test(arguments: roots)
  func aStringIsUnderItsBaseLetter(_ string: String, _ title: String) throws {
    let index = try CollatedIndex()
    #expect(index.title(of: .string(string)) == title)
    let sections = try index.sections(of: DistinctValues([.string(string), nil, 7]))
    #expect(sections.map { index.titles[Int($0)] } == [title, "#", "#"])
  }

  @Test(arguments: locals)
  func aStringIsUnderTheLetterOfTheLocale(
    _ locale: String, _ string: String, _ title: String
  ) throws {
    #expect(try CollatedIndex(locale: locale).title(of: .string(string)) == title)
  }

  @Test func sectionsFollowTheSortWithinTheAlphabet() throws {
    let seed: UInt64 = 0xC0
    var samples = SampleTexts(seed: seed)
    let strings = (0..<3_000).map { _ in samples.text("latin") }
    let index = try CollatedIndex()
    let writer = TextWriter()
    for string in strings { writer.append(string) }
    let texts = TextHeap(try writer.finish())
    let order = try Collation(.localizedStandard).order(of: texts, cancellation: Cancellation())
    let all = try index.sections(of: DistinctValues(texts))
    let sections = order.codes.map { all[Int($0)] }.filter { Int($0) < index.titles.count - 1 }
    #expect(sections == sections.sorted(), "seed \(seed)")
    #expect(Set(sections).count > 5)
  }
}
