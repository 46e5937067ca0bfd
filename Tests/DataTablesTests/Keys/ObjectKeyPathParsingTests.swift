import DataTables
import TestSupport
import Testing

struct ObjectKeyPathParsingTests {
  @Test(
    arguments: [
      ("city", [.key("city")]),
      ("address.city", [.key("address"), .key("city")]),
      ("address.\"zip code\"", [.key("address"), .key("zip code")]),
      ("\"unit price\"", [.key("unit price")]),
      ("'a.b'.c", [.key("a.b"), .key("c")]),
      ("tags[0]", [.key("tags"), .index(0)]),
      ("m[1][2].x", [.key("m"), .index(1), .index(2), .key("x")]),
      ("[3]", [.index(3)]),
      ("m[-1][0:3]", [.key("m"), .index(-1), .range(0, 3)]),
      ("m[1:][:-2][:]", [.key("m"), .range(1, nil), .range(nil, -2), .range(nil, nil)]),
      ("m[FIRST][LAST][SIZE]", [.key("m"), .index(0), .index(-1), .collection(.count)]),
      ("\"\"", [.key("")]),
      (#""say \"hi\"\n\u{e9}\u00e9\ud83d\ude00""#, [.key("say \"hi\"\néé😀")]),
      ("don't", [.key("don't")]),
      ("@id", [.key("@id")]),
      ("ключ.é", [.key("ключ"), .key("é")]),
    ] as [(String, [ObjectKeyPath.Step])])
  func stepsAreParsed(text: String, steps: [ObjectKeyPath.Step]) throws {
    #expect(try ObjectKeyPath(parsing: text).steps == steps)
  }

  @Test(arguments: [
    ("", 0), (".a", 0), ("a.", 2), ("a..b", 2), ("a[", 2), ("a[x]", 2), ("a[1:2:3]", 2),
    ("a[+1]", 2), ("a[-]", 2),
    ("a[99999999999999999999]", 2), ("a[0]b", 4), ("\"open", 0), ("a.\"b\\q\"", 4), ("a\"b", 1),
    ("\"\\ud83d\"", 1), ("\"\\u{110000}\"", 1), ("a]", 1), ("\"\\", 1), ("\"\\u{", 1),
  ])
  func aMalformedPathIsRejectedWithThePositionOfTheError(text: String, offset: Int) {
    #expect {
      try ObjectKeyPath(parsing: text)
    } throws: { error in
      guard case TableError.badArgument(let message) = error else { return false }
      return message.hasSuffix("at character \(offset)")
    }
  }

  @Test(arguments: [
    "city", "address.city", "address.\"zip code\"", "tags[0]", "[1].x", "\"a.b\".c", "\"\"",
    "\"#x\"", "\"x:\"", #""a\"b\\c\nd""#, "x-y", "dc:title",
  ])
  func aDescriptionIsThePathAsTyped(text: String) throws {
    #expect(try ObjectKeyPath(parsing: text).description == text)
  }

  @Test func aDescriptionReadsBackAsThePath() throws {
    var random = SplitMix64(seed: 7)
    let scalars = Array(" .[]{}()\"'\\#:,;|ab0é\n\t\u{1}\u{200B}\u{301}😀".unicodeScalars)
    for _ in 0..<2_000 {
      let steps = (0...random.below(3)).map { _ -> ObjectKeyPath.Step in
        if random.below(4) == 0 { return .index(random.below(100)) }
        var key = ""
        for _ in 0..<random.below(5) { key.unicodeScalars.append(random.one(of: scalars)) }
        return .key(key)
      }
      let path = ObjectKeyPath(steps)
      let read = try ObjectKeyPath(parsing: path.description)
      #expect(read == path, "seed 7: \(path.description)")
    }
  }
}
