/// Labels of other tools, and the labels of this language that do their work.
enum LabelSynonyms {
  /// The labels that a word may mean, the likeliest first. Words are in lower case, without `_`.
  private static let meanings: [String: [String]] = [
    "by": ["key", "sort", "columns"],
    "group": ["key", "section"], "groupby": ["key", "section"], "sections": ["key", "section"],
    "sectionby": ["key", "section"],
    "key": ["by"], "keys": ["by", "columns"], "on": ["by", "key", "id"],
    "order": ["sort", "by"], "orderby": ["sort", "by"], "sortby": ["sort", "by"],
    "sort": ["by"], "sorted": ["sort", "by"],
    "filter": ["where"], "if": ["where"], "when": ["where"], "predicate": ["where"],
    "condition": ["where"],
    "as": ["format", "name"], "type": ["types", "format"], "dtype": ["types"],
    "sep": ["delimiter"], "separator": ["delimiter"],
    "limit": ["first"], "n": ["first", "limit"], "head": ["first", "limit"],
    "take": ["first", "limit"], "rows": ["first", "limit"],
    "skip": ["offset", "from"], "start": ["from", "offset"],
    "fields": ["columns"], "select": ["columns"], "cols": ["columns"],
    "force": ["overwrite"], "replace": ["overwrite"], "title": ["name"],
  ]

  /// The label that a word means, among the labels that a command has.
  static func label(for word: String, among known: [String]) -> String? {
    let key = word.lowercased().filter { $0 != "_" }
    return meanings[key]?.first { known.contains($0) }
  }
}
