/// A verb of another tool, such as SQL, a system shell or pandas, with the commands that do its work.
struct ForeignVerb: Sendable {
  /// In lower case, without `_`.
  private let words: Set<String>
  /// Commands with `SOURCE` in them, and what they do: `` `sectioned SOURCE sort: KEY` sorts objects ``.
  private let advice: String

  private init(_ words: Set<String>, _ advice: String) {
    self.words = words
    self.advice = advice
  }

  /// The advice for a word; nil for a word that no tool is known for.
  ///
  /// - Parameters:
  ///   - source: the name that takes the place of `SOURCE`; nil to keep `SOURCE`.
  ///   - isPiped: whether `|` passes the source.
  /// - Complexity: O(verbs).
  static func advice(for word: String, source: String?, isPiped: Bool = false) -> String? {
    let key = word.lowercased().filter { $0 != "_" }
    guard let verb = all.first(where: { $0.words.contains(key) }) else { return nil }
    let advice = isPiped ? verb.advice.replacing(" SOURCE", with: "") : verb.advice
    return advice.replacing("SOURCE", with: source ?? "SOURCE")
  }

  private static let all = [
    ForeignVerb(
      ["sort", "sorted", "sortby", "order", "orderby", "arrange"],
      "`sectioned SOURCE sort: KEY` sorts objects, and `KEY desc` reverses the order"),
    ForeignVerb(
      ["group", "groupby", "section", "partition", "pivot"],
      "`sectioned SOURCE key: KEY mode: groups` makes a section for each value of a key"),
    ForeignVerb(
      ["head", "take", "first"], "`limit SOURCE N` keeps the first objects"),
    ForeignVerb(
      ["tail", "skip", "offset"], "`limit SOURCE N offset: N` leaves out the objects before others"),
    ForeignVerb(
      ["select", "project"],
      "`objects SOURCE` shows objects, `columns SOURCE KEY, KEY` only some of their keys, and "
        + "`filtered SOURCE where: PREDICATE` only those that satisfy a predicate"),
    ForeignVerb(
      ["cut", "pluck", "mutate"], "`columns SOURCE KEY, KEY` shows some keys of the objects"),
    ForeignVerb(
      ["where", "filter", "grep", "find", "search", "having"],
      "`filtered SOURCE where: PREDICATE` keeps the objects that satisfy a predicate"),
    ForeignVerb(
      ["ls", "dir", "vars", "names", "who"], "`list` shows what is bound"),
    ForeignVerb(
      ["from", "rows", "cat", "records", "table"], "`objects SOURCE` shows objects"),
    ForeignVerb(
      ["delete", "del", "rm", "erase"],
      "`remove SOURCE [0, 0]` removes the object at an index path, "
        + "`remove SOURCE where: PREDICATE` several objects, and `drop SOURCE` a name"),
    ForeignVerb(["add", "append"], "`insert SOURCE {KEY: VALUE}` inserts an object"),
    ForeignVerb(["sum"], aggregate("sum", "adds up the values of a key")),
    ForeignVerb(
      ["avg", "average", "mean"], aggregate("avg", "returns the average of the values of a key")),
    ForeignVerb(["min", "minimum"], aggregate("min", "returns the smallest value of a key")),
    ForeignVerb(["max", "maximum"], aggregate("max", "returns the largest value of a key")),
    ForeignVerb(
      ["uniq", "unique", "dedup", "dedupe"],
      "`distinct SOURCE by: KEY` shows one object for each value of a key"),
    ForeignVerb(["wc", "len", "length", "size"], "`count SOURCE` returns the number of objects"),
    ForeignVerb(
      ["schema", "summary", "summarize", "info"], "`describe SOURCE` shows keys, types and values"),
    ForeignVerb(["read", "import", "readcsv"], "`load FILE` reads a file"),
    ForeignVerb(["write", "export", "tocsv"], "`save SOURCE FILE` writes a file"),
    ForeignVerb(["echo", "puts", "printf", "say"], "`print EXPRESSION` prints a value"),
    ForeignVerb(["man"], "`help COMMAND` explains a command"),
    ForeignVerb(["bye", "logout"], "`quit` ends the session"),
  ]

  private static func aggregate(_ name: String, _ effect: String) -> String {
    "`print SOURCE.allObjects.@\(name).KEY` \(effect)"
  }
}
