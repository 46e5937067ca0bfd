import Testing

@testable import DSInterpreter

@Suite struct KeyCompletionTests {
  @Test(arguments: [
    ("sectioned people key: ad", ["address"]),
    (
      "sectioned people key: address.",
      [
        "address.city", "address.zip", "address.geo",
        "address.\"po box\"",
      ]
    ),
    ("sectioned people key: address.g", ["address.geo"]),
    ("sectioned people key: address.geo.", ["address.geo.north"]),
    (
      "sectioned people key: address.geo.north.",
      [
        "address.geo.north.rounded",
        "address.geo.north.floor",
      ]
    ),
    ("sectioned people key: address.\"po", ["address.\"po box\""]),
    ("sectioned people key: address.po", ["address.\"po box\""]),
    ("sectioned people key: ho", ["\"home town\""]),
    ("sectioned people key: \"ho", ["\"home town\""]),
    ("sectioned people key: SELF.\"home town\".len", ["SELF.\"home town\".length"]),
    ("sectioned people sort: age desc, address.c", ["address.city"]),
    ("objects people columns: name, address.c", ["address.city"]),
    ("objects people columns: [name, address.c", ["address.city"]),
    ("columns people name, address.z", ["address.zip"]),
    ("filtered people where: address.c", ["address.city"]),
    ("filtered people where: (address.c", ["address.city"]),
    ("filtered people where: length(address.c", ["address.city"]),
    ("filtered people where: age > 3 and address.c", ["address.city"]),
    ("filtered people where: ho", ["SELF.\"home town\""]),
    ("filtered people where: tags[0].le", [".length"]),
    ("sections people with: @sum.a", ["@sum.age", "@sum.address"]),
    ("sections people with: @max.address.c", ["@max.address.city"]),
    ("top people 2 by: address.ci", ["address.city"]),
    ("expect sorted people by: address.ci", ["address.city"]),
    ("expect all people where: address.ci", ["address.city"]),
  ])
  func keysThatOccurAreCompleted(line: String, expected: [String]) async throws {
    let typed = try await UnfinishedLine(after: UnfinishedLine.people)
    #expect(await typed.words(line) == expected)
  }

  @Test(arguments: [
    ("born", ["year", "month", "day", "weekday", "week", "hour"]), ("age", ["rounded", "floor"]),
    (
      "name",
      [
        "firstCharacter", "uppercased", "lowercased", "capitalized", "length", "folded", "initials",
        "trimmed",
      ]
    ),
    ("member", []),
  ])
  func derivedKeysFitTheType(key: String, expected: [String]) async throws {
    let typed = try await UnfinishedLine(after: UnfinishedLine.people)
    let words = await typed.words("sectioned people key: \(key).")
    #expect(words == expected.map { "\(key).\($0)" })
  }

  @Test func operatorsFollowArrays() async throws {
    let typed = try await UnfinishedLine(after: UnfinishedLine.people)
    let words = await typed.words("sectioned people key: tags.")
    #expect(words.contains("tags.@count"))
    #expect(words.contains("tags.length"))
    #expect(!words.contains("tags.year"))
  }

  @Test func objectsThatAreNoRecordsHaveDerivedKeys() async throws {
    let typed = try await UnfinishedLine(after: "let words = simple [red, green]")
    #expect(await typed.words("sectioned words key: le") == ["length"])
  }

  @Test func keysOfARecordAreLabels() async throws {
    let typed = try await UnfinishedLine(after: UnfinishedLine.people)
    #expect(await typed.words("indexPath people {na") == ["name:"])
    #expect(await typed.words("indexPath people {ho") == ["\"home town\":"])
    #expect(await typed.words("indexPath people {name: Ann, ag") == ["age:"])
    #expect(await typed.words("indexPath people {name: Ann, na") == [])
    #expect(await typed.words("insert people [{name: Cy, ag") == ["age:"])
  }

  @Test func valuesOfAKeyFollowItsLabel() async throws {
    let typed = try await UnfinishedLine(after: UnfinishedLine.people)
    let found = await typed.completions("indexPath people {name: ")
    #expect(
      found.candidates == [
        Completions.Candidate("Ann", description: "2 rows"),
        Completions.Candidate("Bea", description: "1 row"),
      ])
    #expect(await typed.words("indexPath people {age: ") == ["41", "7"])
    #expect(
      await typed.words("indexPath people {\"home town\": B") == ["\"Bad Ems\"", "\"Bergen\""])
    #expect(await typed.words("update people [0, 0] name: B") == ["Bea"])
    #expect(await typed.words("sectioned people sort: name in [Bea, A") == ["Ann"])
    // Titles and objects that are not records are not completed.
    #expect(await typed.words("indexPath people \"A") == [])
  }
}
