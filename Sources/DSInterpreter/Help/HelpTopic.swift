import DataTables

/// Help on what several commands share.
struct HelpTopic: Sendable {
  let name: String
  let lines: [String]
  /// Commands that run, as those of ``Command/examples`` do.
  let examples: [String]

  var output: Output {
    let text = lines.map { $0.isEmpty ? "" : $0 } + [""] + examples.map { "  " + $0 }
    return Output(.text(text, data: .array(text.map(Value.string))))
  }

  static let all = [
    language, sources, keys, sort, modes, index, expressions, predicates, changes, servers,
    offline,
  ]

  static let language = HelpTopic(
    name: "language",
    lines: [
      "A line is a command: a verb, its arguments, then labels with their values.",
      "  let NAME = COMMAND   binds what the command gives",
      "  COMMAND | COMMAND    passes it on as the first argument",
      "  (COMMAND)            is what it gives, wherever a value can stand",
      "  _                    is the last result; args are the words after a script's name",
      "  # text               is a comment; `; ` separates commands in a line",
      "A line goes on after `\\`, `,`, `|` and inside of brackets and quotes.",
      "Words are literals: numbers, dates, true, false, null, else texts; \"…\" is always a text.",
    ],
    examples: [
      "let kinds = sectioned foods key: kind sort: kind, name | fetch",
      "count letters; print _",
    ])

  static let keys = HelpTopic(
    name: "keys",
    lines: [
      "A key path is keys with dots: address.city, tags[0]; odd keys are quoted: a.\"b c\".",
      "Its last steps can be keys that are derived:",
    ] + DerivedKey.all.map { "  " + padded($0.name, to: 16) + $0.summary }
      + ["On an array, what follows these is taken of each element:"]
      + CollectionOperator.allCases.map { "  " + padded($0.rawValue, to: 24) + $0.summary },
    examples: [
      "sectioned foods key: name.firstCharacter sort: name | fetch",
      "print foods.allObjects.@distinctUnionOfObjects.kind",
      "sections letters with: @max.name.length",
    ])

  static let sort = HelpTopic(
    name: "sort",
    lines: [
      "sort: KEY [asc|desc] [COMPARISON], KEY …   the first counts most; equal rows keep their order",
      "  compare          by value: null, false, true, numbers, texts, dates (default)",
      "  caseInsensitive  texts without regard to case",
      "  numeric          numbers in texts by their value: a2 before a10",
      "  localized        as a language has it: letters, then accents, then case; `locale: sv`",
      "  localizedCaseInsensitive   the same without regard to case",
      "  localizedStandard          as file lists are: numbers by value, accents, case",
      "Nulls come first ascending and last descending; `nulls: first` or `nulls: last` says otherwise.",
      "Types stand one behind another: null, bool, number, text, date, array, record. `sort: SELF`",
      "sorts objects that are no records.",
    ],
    examples: [
      "sectioned foods key: kind sort: kind desc, name caseInsensitive | fetch",
      "sectioned foods sort: name localizedStandard locale: sv | fetch",
    ])

  static let modes = HelpTopic(
    name: "modes",
    lines: ["sectioned cuts its sorted objects as `mode:` says:"]
      + SectionMode.all.map { mode in
        let labels = mode.settings.map { " \($0.rawValue):" }.joined()
        return "  " + padded(mode.name, to: 10) + mode.summary
          + (labels.isEmpty ? "" : " (\(labels.dropFirst()))")
      } + [
        "Nulls and missing keys are one section titled null; in fixed and collated they go to the",
        "last section, and in months, days, years and weeks they come last. `order:` is title or",
        "count with asc or desc, `titles:` a range such as A...Z or a list, `empty:` show or hide.",
      ],
    examples: [
      "sectioned foods key: kind mode: groups order: count desc | fetch",
      "sectioned foods key: name.firstCharacter mode: fixed titles: A...Z other: more | fetch",
      "sectioned foods key: name mode: collated empty: hide | fetch",
    ])

  static let expressions = HelpTopic(
    name: "expressions",
    lines: [
      "expect, require and print take expressions; names are bare in them and texts are quoted.",
      "  X.property           " + SourceProperty.all.prefix(6).map(\.name).joined(separator: " "),
      "                       "
        + SourceProperty.all.dropFirst(6).prefix(7).map(\.name).joined(separator: " "),
      "                       "
        + SourceProperty.all.dropFirst(13).map(\.name).joined(separator: " "),
      "  X[1, 2]  X[1]        an object; the objects of a section; keys follow after a dot",
      "  [1, 2]  {a: 1}       an array, a record; {1, 2} is a set for IN and BETWEEN",
      "  == != < <= > >=      compare; unlike types are unequal and have no order",
      "  IN BETWEEN CONTAINS BEGINSWITH ENDSWITH LIKE MATCHES   with [cd] without case, accents",
      "  and or not ( )       join; ANY ALL NONE SOME look at the elements of an array",
    ],
    examples: [
      "print letters[5, 1].name BEGINSWITH[c] \"p\" and letters.numberOfSections > 3",
      "expect ANY letters.sectionTitles == \"P\"",
    ])
}
