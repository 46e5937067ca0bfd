import DataTables
import Testing

struct ObjectKeyPathEvaluationTests {
  private func evaluate(_ path: String, on object: Value) throws -> Value {
    try ObjectKeyPath(parsing: path).evaluate(on: object)
  }

  private func date(_ text: String) -> Value { Value(literal: text) }

  @Test func aRecordKeyTakesPrecedenceOverADerivedKey() throws {
    let object = Value.record(Record([("length", "own"), ("name", "four")]))
    #expect(try evaluate("length", on: object) == "own")
    #expect(try evaluate("name.length", on: object) == 4)
  }

  @Test func aMissingValueIsNull() throws {
    let object = Value.record(Record([("a", .record(Record([("b", nil)])))]))
    #expect(try evaluate("x", on: object).isNull)
    #expect(try evaluate("x.y.z", on: object).isNull)
    #expect(try evaluate("a.b.c", on: object).isNull)
    #expect(try evaluate("a[0]", on: object).isNull)
    #expect(try evaluate("firstCharacter", on: 3).isNull)
    #expect(try evaluate("year", on: "pie").isNull)
  }

  @Test func aKeyMapsOverTheElementsOfAnArray() throws {
    let items: Value = [
      .record(Record([("price", 3)])), .record(Record([])), .record(Record([("price", 5)])),
    ]
    let object = Value.record(Record([("items", items), ("tags", Value.array(["pie", ""]))]))
    #expect(try evaluate("items.price", on: object) == [3, nil, 5])
    #expect(try evaluate("tags.firstCharacter", on: object) == ["p", nil])
    #expect(try evaluate("items.price[2]", on: object) == 5)
    #expect(try evaluate("tags[1]", on: object) == "")
    #expect(try evaluate("tags[2]", on: object).isNull)
  }

  @Test func theFirstCharacterIsOneGrapheme() throws {
    #expect(try evaluate("firstCharacter", on: "e\u{301}clair") == "é")
    #expect(try evaluate("firstCharacter", on: "👨‍👩‍👧‍👦x") == "👨‍👩‍👧‍👦")
    #expect(try evaluate("firstCharacter", on: "").isNull)
  }

  @Test(
    arguments: [
      ("uppercased", "straße", "STRASSE"), ("lowercased", "ÉCLAIR", "éclair"),
      ("capitalized", "don't PANIC, jean-luc", "Don't Panic, Jean-Luc"), ("length", "née 👨‍👩‍👧‍👦", 5),
      ("folded", "Éclair ØÅ", "eclair øa"), ("folded", "PIE", "pie"),
      ("initials", "master  bathroom", "MB"), ("initials", " ", ""),
      ("trimmed", " \t pie tin \n", "pie tin"), ("trimmed", "  ", ""),
    ] as [(String, Value, Value)])
  func stringsHaveDerivedKeys(key: String, of string: Value, equals value: Value) throws {
    #expect(try evaluate(key, on: string) == value)
  }

  @Test(arguments: [
    ("year", "2012-11-05", 2012), ("month", "2012-11-05", 11), ("day", "2012-11-05", 5),
    ("weekday", "2012-11-05", 1), ("weekday", "2012-11-04", 7), ("week", "2012-11-02", 44),
    ("week", "2021-01-03", 53), ("hour", "2012-12-31T23:30:00", 23),
    ("hour", "2012-12-31", 0), ("hour", "2012-12-31T23:30:00+05:00", 18),
    ("year", "2013-01-01T00:30:00+01:00", 2012),
  ])
  func datesAndIsoStringsHaveDerivedKeys(key: String, of text: String, equals number: Int) throws {
    let value = Value.integer(number)
    #expect(try evaluate(key, on: date(text)) == value)
    #expect(try evaluate(key, on: .string(text)) == value)
  }

  @Test(arguments: [
    ("rounded", "2.5", "3"), ("rounded", "-2.5", "-3"), ("rounded", "7", "7"),
    ("floor", "2.99", "2"), ("floor", "-0.5", "-1"),
    ("floor", "12345678901234567890", "12345678901234567890"), ("rounded", "1e300", "1e300"),
  ])
  func numbersHaveDerivedKeys(key: String, of number: String, equals result: String) throws {
    #expect(try evaluate(key, on: Value(literal: number)) == Value(literal: result))
  }

  @Test func everyDerivedKeyHasAName() {
    let names = DerivedKey.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.count == 18)
  }
}
