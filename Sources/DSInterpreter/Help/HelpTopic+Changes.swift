extension HelpTopic {
  static let changes = HelpTopic(
    name: "changes",
    lines: [
      "insert, update and remove edit simple and loaded sources, also at the index path that a",
      "wrapper shows. All that wrap them follow at once: will, changes, finished.",
      "  diff X               the changes between the last two contents, edits included",
      "  X.changes            the same as records {change, from, to}",
      "  watch X, unwatch X   tells changes as they happen; fetched results follow only then",
      "The order is that of a table view: sections are deleted and inserted with their objects, then",
      "objects are deleted, inserted, moved and updated. Deletes and the first place of a move count",
      "in the old content, inserts and the second in the new one. Rows that others shift are not",
      "moved; moves are as few as can be, and a move tells that the object may have changed.",
      "Objects are the same when their `id:` is equal, which counts for all that wrap the source too;",
      "without one when they are equal, the first with the first.",
      "A fetch of an edited file is refused, unless `discard: true` takes the file as it was read.",
    ],
    examples: [
      "watch letters; insert foods {name: Fig, kind: fruit}",
      "update letters [0, 0] name: Quince; diff letters",
      "remove letters [0, 0]; print letters.changes",
      "set foods id: name; update foods [0, 0] kind: dark; diff letters",
    ])
}
