import Testing

@testable import DSInterpreter

@Suite struct NameCompletionTests {
  private static let script =
    UnfinishedLine.people + """

      let quantity = 7; let ann = object people [0, 0]; let list = objects people
      let pair = print [{n: 1}, {n: 2}]; objects people
      """

  @Test(arguments: [
    ("fetch ", ["foods", "letters", "people"]), ("multi foods pe", ["people"]),
    ("fetch quan", []), ("print quant", ["quantity"]), ("drop quant", ["quantity"]),
    ("print ann.na", ["ann.name"]), ("print ann.address.c", ["ann.address.city"]),
    ("print people.numberOfO", ["people.numberOfObjects"]),
    ("print people.allObjects.na", ["people.allObjects.name"]),
    ("print _.na", ["_.name"]), ("print list.na", ["list.name"]),
    ("print pair.@c", ["pair.@count"]),
    ("for item in pair { print item.", ["item.n"]),
    ("print people[0].na", [".name"]), ("print people[0, 1].na", [".name"]),
    ("filtered foods where: kind == $qu", ["$quantity"]),
    ("sectioned foods key: $qu", ["$quantity"]), ("print $ann.na", ["$ann.name"]),
    ("print \"so \\(quant", ["quantity"]), ("print \"so \\(ann.na", ["ann.name"]),
    ("print \"so \\((count fo", ["foods"]), ("print \"\\(quantity) qu", []),
    ("let x = quant", ["quantity"]), ("let ", []), ("let x ", ["="]), ("rename quantity ", []),
    ("print (quant", ["quantity"]), ("count people | ti", ["titles", "timer"]),
    ("let y = 1; print y", []), ("let yard = 1; print ya", ["yard"]),
  ])
  func namesAreCompletedByType(line: String, expected: [String]) async throws {
    let typed = try await UnfinishedLine(after: Self.script)
    #expect(await typed.words(line) == expected)
  }

  @Test(arguments: [
    ("for x in foods { cou", ["count"]), ("for x in foods {\n  print 1\n  cou", ["count"]),
    ("for x in foods { print 1; cou", ["count"]), ("for num", []), ("for x ", ["in"]),
    ("for x in fo", ["foods"]), ("for item in foods { print it", ["item"]),
    ("for item in foods { print item.k", ["item.kind"]),
    ("for item in foods { for part in item { print pa", ["part"]),
    ("for item in foods { print 1 }; print it", []),
    ("if 1 == 1 { cou", ["count"]), ("if 1 == 1 { print 1 } e", ["else"]),
    ("if 1 == 1 { print 1 }\ne", ["else", "edit", "explain", "expect", "exec", "events"]),
    ("if 1 == 1 { print 1 } else { cou", ["count"]),
    ("if 1 == 1 { print 1 } else i", ["if"]),
    ("if 1 == 1 { print 1 } else if letters.numberOfS", ["letters.numberOfSections"]),
    ("edit foods { rem", ["remove", "remote"]), ("edit fo", ["foods"]),
    ("edit foods ", ["{"]),
    ("edit foods {\n  insert foods {na", ["name:"]),
    ("def f first second limit: 5 { print seco", ["second"]),
    ("def f first second limit: 5 { print lim", ["limit"]),
    ("def f X { sectioned X key: na", []), ("def f X { count X", []),
    ("def f source { count so", ["source"]), ("def f fi", []),
    ("for x in {1, 2} { cou", ["count"]), ("for x in foods { print \"\\(x.ki", ["x.kind"]),
  ])
  func blocksHaveTheirNames(line: String, expected: [String]) async throws {
    let typed = try await UnfinishedLine()
    let words = await typed.words(line)
    #expect(Set(words).isSuperset(of: expected) && words.count <= expected.count + 2)
  }

  @Test(arguments: [
    ("help section", ["sectioned", "sections"]), ("help ndj", ["ndjson"]),
    ("help predi", ["predicates"]),
    ("apropos nu", ["nulls"]), ("apropos sort key", ["keys"]), ("option ro", ["rows"]),
    ("option pager ", ["on", "off"]), ("option mode ", ["table"]),
    ("sections letters order: count d", ["desc"]), ("expect un", ["unique"]),
    ("expect all fo", ["foods"]), ("expect sorted fo", ["foods"]),
    ("expect none foods wh", ["where:"]), ("expect sorted foods b", ["by:"]),
    ("expect unique foods ki", ["kind"]), ("expect sorted foods by: ki", ["kind"]),
    ("cassette x.dscas mode: re", ["record", "replay"]),
  ])
  func wordsOfDeclarationsAreCompleted(line: String, expected: [String]) async throws {
    let typed = try await UnfinishedLine()
    #expect(Set(await typed.words(line)).isSuperset(of: expected))
  }
}
