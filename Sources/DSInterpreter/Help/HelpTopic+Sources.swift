extension HelpTopic {
  static let sources = HelpTopic(
    name: "sources",
    lines: [
      "A source has sections of objects, a name and a delegate. Any wraps any, and a source can be",
      "wrapped more than once:",
    ] + kinds + [
      "load and simple have their content at once, the others after `fetch X`, which fetches what is",
      "below as well: one will, any number of partial, one finished or failed for each source (events",
      "X, trace on). A fetch that fails leaves the old content. A source that was fetched follows when",
      "one below is fetched or edited on its own. `set X LABEL: VALUE` changes what a source was made",
      "with from the next fetch on; all take `name:` and `id:`, wrappers `source:` for what they wrap.",
      "tree X shows what wraps what, explain X [s, r] why an object stands where it does.",
    ],
    examples: [
      "let kinds = sectioned letters key: kind sort: kind, name | fetch; tree kinds",
      "fetch letters; events letters",
      "explain letters [5, 1]",
    ])

  private static var kinds: [String] {
    CommandTable.standard.groups.flatMap(\.commands).filter { $0.resultKind == .newSource }
      .map { "  " + padded($0.name, to: 16) + $0.summary }
  }
}
