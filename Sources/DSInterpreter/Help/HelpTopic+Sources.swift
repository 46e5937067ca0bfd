import DataTables

// Sources, from their sections to the servers that they read.
extension HelpTopic {
  static let sources = HelpTopic(
    name: "sources",
    lines: [
      "A source has sections of objects, a name and a delegate. Any source can wrap any other, and a",
      "source can have several wrappers:",
    ] + kinds + [
      "load and simple have their content immediately, the others after `fetch X`, which also fetches",
      "the wrapped sources: each reports will, any number of partial, and finished or failed (events X,",
      "trace on). A failed fetch keeps the old content. A fetched source is updated whenever a source",
      "that it wraps is fetched or edited. `set X LABEL: VALUE` changes the settings of a source from the",
      "next fetch on; all sources accept `name:` and `id:`, and wrappers `source:`, the source to wrap.",
      "tree X shows the wrapped sources; explain X [s, r] shows why an object is where it is.",
    ],
    examples: [
      "let kinds = sectioned letters key: kind sort: kind, name | fetch; tree kinds",
      "fetch letters; events letters",
      "explain letters [5, 1]",
    ])

  private static var kinds: [String] {
    CommandTable.standard.commands.filter { $0.resultKind == .newSource }
      .map { "  " + padded($0.name, to: 16) + $0.summary }
  }

  static let modes = HelpTopic(
    name: "modes",
    lines: ["`mode:` determines how sectioned splits its sorted objects:"]
      + SectionMode.all.map { mode in
        let labels = mode.settings.map { " \($0.rawValue):" }.joined()
        return "  " + padded(mode.name, to: 10) + mode.summary
          + (labels.isEmpty ? "" : " (\(labels.dropFirst()))")
      } + [
        "Nulls and missing keys form one section titled null; in fixed and collated they are in the last",
        "section, and in months, days, years and weeks they are last. `order:` is title or count with",
        "asc or desc, or a list of titles; `titles:` a range such as A...Z or a list, `empty:` show or hide.",
      ],
    examples: [
      "sectioned foods key: kind mode: groups order: count desc | fetch",
      "sectioned foods key: name.firstCharacter mode: fixed titles: A...Z other: more | fetch",
      "sectioned foods key: name mode: collated empty: hide | fetch",
    ])

  static let index = HelpTopic(
    name: "index",
    lines: [
      "The index next to a list has titles that lead to sections. `indexTitles:` determines them:",
      "  firstCharacter   the first character of the section's title, in upper case (default)",
      "  initials         the first characters of its words: MB for Master Bathroom",
      "  KEYPATH          a derived key of the title, or a key of the section's first object",
      "  [A, B, C]        these titles, one for each section",
      "Titles may repeat; `at:` selects one by its position, counted from 0, and fails with notFound if",
      "another title is there. The index of fixed and collated sections has all titles of the list; the",
      "title of a hidden section leads to the closest section before it. Sections that multi and",
      "filtered show from other sources keep their index titles.",
    ],
    examples: [
      "indexTitles letters; sectionForIndexTitle letters C at: 2",
      "sectioned foods key: kind sort: kind indexTitles: kind.length | fetch | indexTitles",
      "collated foods key: name empty: hide | fetch; sectionForIndexTitle _ D",
    ])

  static let changes = HelpTopic(
    name: "changes",
    lines: [
      "insert, update, remove and move edit simple and loaded sources, also by the index paths of a",
      "wrapper. All wrappers are updated immediately and report will, changes, finished.",
      "  edit X { … }         makes several edits as one change, or none; begin X, commit, rollback",
      "  undo X, redo X       revert and repeat the last edit or transaction",
      "  snapshots X, back X  lists the last contents; shows one again without changing data",
      "  diff X               shows the changes between the last two contents, edits included",
      "  X.changes            returns them as records {change, from, to}",
      "  watch X, unwatch X   shows changes as they happen; fetched results follow only while watched",
      "The order is that of a table view: sections are deleted and inserted with their objects, then",
      "objects are deleted, inserted, moved and updated. Deletes and the origin of a move refer to the",
      "old content, inserts and the target of a move to the new one. Rows that are only shifted by",
      "others do not move, and as few rows as possible do; a moved object may have changed as well.",
      "Objects are the same if their `id:` is equal, in the source and in all of its wrappers;",
      "without an `id:`, equal objects are the same, in order.",
      "A fetch keeps the edits of a file, unless `discard: true`. If the file has changed, the fetch",
      "fails without `discard: true` or `keep: true`.",
    ],
    examples: [
      "watch letters; insert foods {name: Fig, kind: fruit}",
      "update letters [0, 0] name: Quince; diff letters",
      "remove letters [0, 0]; print letters.changes",
      "set foods id: name; update foods [0, 0] kind: dark; diff letters",
    ])

  static let servers = HelpTopic(
    name: "servers",
    lines: [
      "remote URL and paginated URL create sources of the responses of servers (http:, https:) and of",
      "files (file:). A fetch sends the request and reports will, partial (the request is sent), and",
      "finished or failed. A failed or canceled fetch keeps the old content.",
      "  paging: page     ?page=1, 2, …; page, page_size, number_of_pages and total_count are read from",
      "                   responses that have them",
      "  paging: offset   ?offset=0, 20, …",
      "  cursor: KEYPATH  the response has the cursor or the URL of the next page",
      "  afterKey: KEY    the key of the last object: the next page comes after it",
      "  paging: link     the Link header has the URL of the next page",
      "  paging: range    Range: items=0-19, 20-39, …",
      "Pages end with the last one by number or total, without a next cursor or link, or, if nothing of",
      "that is known, with an empty page. Signs that they end early are warnings.",
      "Temporary failures are retried (retries:); exchanges X shows the requests and responses.",
      "`body: {…}` sends a POST, for searches and GraphQL; parameters of pages are members of the body.",
      "option base URL is the address to which paths are appended: remote /foods.",
      "`headers: {Authorization: env API_TOKEN}` sends an environment variable and never shows it; so do",
      "`body: {key: env NAME}` and `user: ann password: env NAME` (auth: digest). The variables of",
      "proxies and certificates: http_proxy, https_proxy, all_proxy, no_proxy, CURL_CA_BUNDLE.",
      "fetch X async: true continues with other commands; wait X waits for the fetch (Ctrl-C cancels it)",
      "and cancel X cancels it. A script waits for its fetches before it ends.",
    ],
    examples: [
      "let foods = remote file:data/foods.csv | sectioned key: kind sort: kind | fetch",
      "let pages = paginated file:data/foods.csv | fetch; print pages.hasMorePages",
    ])

  static let offline = HelpTopic(
    name: "offline",
    lines: [
      "A script needs no network if its responses are in files. The first of these serves a request:",
      "  stub URL FILE        a file or a folder of files in place of a server",
      "  cassette FILE        a recording of requests, their responses and errors",
      "  the network          http and https; file: URLs are always read directly",
      "A change of stubs or of the cassette applies to all sources from the next fetch on.",
      "",
      "A recorded request matches if its method, URL (with the query in any order), body, Accept,",
      "Accept-Language and Range are equal. A request without a match fails with an error that shows",
      "the most similar recorded one and the differences; `mode: record` records again.",
      "Retries are recorded as they were sent. Delays are not: a response is replayed immediately, and",
      "the waits between retries take no time.",
      "",
      "Only headers that describe the content are recorded. REDACTED replaces secrets: the values of env,",
      "wherever they appear, and the values of names such as authorization, password, token and api_key",
      "in URLs, headers and JSON. Other secrets, in a column of a CSV file or in plain text, cannot be",
      "detected: inspect a new cassette.",
    ],
    examples: [
      "cassette remote.cassette",
      "stub http://example.test data; stub",
    ])
}
