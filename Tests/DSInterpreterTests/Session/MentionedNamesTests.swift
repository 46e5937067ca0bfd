import Testing

@testable import DSInterpreter

@Suite struct MentionedNamesTests {
  @Test(arguments: [
    ("sectioned foods key: kind sort: name", ["sectioned", "foods", "kind", "name"]),
    ("count letters[5, 1].name # of foods", ["count", "letters", "5", "1"]),
    ("print \"foods\" + 'a b' + $x", ["print", "x"]),
    ("print \"n: \\(count foods)\" # x", ["print", "count", "foods"]),
    ("print \"\\(f(\"x\"))\" + \"# \" + letters", ["print", "letters"]),
    ("load data/foods.csv", ["load", "foods"].filter { $0 == "load" }),
    ("tables shop.main; print _", ["tables", "shop", "print", "_"]),
    ("print \"open", ["print"]),
    ("größe | count", ["größe", "count"]),
    ("", []),
  ])
  func aTextMentions(text: String, names: [String]) {
    let found = MentionedNames.names(in: text)
    #expect(Set(names).isSubset(of: found))
    for absent in ["key", "sort", "csv", "a", "b", "of", "main"] {
      #expect(!found.contains(absent), "\(text): \(absent)")
    }
  }
}
