import DataTables

extension HelpTopic {
  /// - Parameter folder: the folder of the bundled data; nil if it is not known.
  func output(folder: String? = nil) -> Output {
    let examples = ExampleLines(folder: folder).lines(of: examples)
    let end = (examples.isEmpty ? [] : [""]) + examples
    let text = lines + end
    var output = Output(.text(text, data: .array(text.map(Value.string))))
    output.paragraphs = Paragraphs.joined(lines) + end
    return output
  }

  /// Those of the language, which every program has.
  static let all = [
    language, sources, formats, keys, sort, modes, index, expressions, predicates, functions,
    changes, servers, offline, errors,
  ]
}

// The language.
extension HelpTopic {
  static let language = HelpTopic(
    name: "language",
    lines: [
      "A line is a command: a verb, its arguments, then labels with their values.",
      "  let NAME = COMMAND   binds the result of a command to a name",
      "  COMMAND | COMMAND    passes the result on as the first argument",
      "  (COMMAND)            is the result of a command, in place of any value",
      "  _                    is the last result; args is the list of a script's arguments",
      "  # comment            extends to the end of the line; `; ` separates commands",
      "A line continues after `\\`, `,` and `|` and inside brackets and quotes.",
      "Words are literals: numbers, dates, true, false and null, else strings; \"…\" is always a string.",
    ],
    examples: [
      "let kinds = sectioned foods key: kind sort: kind, name | fetch",
      "count letters; print _",
    ])

  static let keys = HelpTopic(
    name: "keys",
    lines: [
      "A key path joins keys with dots: address.city, tags[0]. Quote unusual keys: a.\"b c\".",
      "tags[-1] is the last element, tags[0:3] the first three, tags[1:] all but the first;",
      "tags[FIRST], tags[LAST] and tags[SIZE] are the first, the last and the number of elements.",
      "These derived keys can end a key path:",
    ] + DerivedKey.all.map { "  " + padded($0.name, to: 16) + $0.summary }
      + ["On an array, these operators apply the rest of the key path to each element:"]
      + CollectionOperator.allCases.map { "  " + padded($0.rawValue, to: 24) + $0.summary },
    examples: [
      "sectioned foods key: name.firstCharacter sort: name | fetch",
      "print foods.allObjects.@distinctUnionOfObjects.kind",
      "sections letters with: @max.name.length",
    ])

  static let sort = HelpTopic(
    name: "sort",
    lines: [
      "sort: KEY [asc|desc] [COMPARISON], KEY …   later keys order rows that earlier keys leave equal;",
      "rows that are equal by all keys keep their order. `KEY in [High, Medium, Low]` orders by the",
      "list; other values follow, by the comparison. desc reverses the whole order.",
      "  compare          by value: null, false, true, numbers, strings, dates (default)",
      "  caseInsensitive  strings without regard to case",
      "  numeric          numbers in strings by their value: a2 before a10",
      "  localized        by the rules of a language: letters, then accents, then case; `locale: sv`",
      "  localizedCaseInsensitive   the same without regard to case",
      "  localizedStandard          like file lists: numbers by value, then accents, then case",
      "Nulls are first in ascending and last in descending order; `nulls: first` and `nulls: last`",
      "override that. Types are ordered null, Boolean, number, string, date, data, array, record.",
      "`sort: SELF` sorts objects by their own values.",
    ],
    examples: [
      "sectioned foods key: kind sort: kind desc, name caseInsensitive | fetch",
      "sectioned foods sort: name localizedStandard locale: sv | fetch",
      "sectioned foods key: kind sort: kind in [fruit, sweet], name | fetch",
    ])

  static let expressions = HelpTopic(
    name: "expressions",
    lines: [
      "expect, require and print accept expressions: names are bare words, strings are quoted."
    ] + properties + [
      "  X[1, 2]  X[1]        an object; the objects of a section; keys follow after a dot",
      "  X[-1, -1]  X[0:2]    the last object of the last section; the objects of two sections",
      "  + - * / % **         between spaces: decimals are exact, 7 / 2 is 3.5",
      "  $name                what a name is bound to; sum(…): a function (help functions)",
      "  [1, 2]  {a: 1}       an array, a record; {1, 2} is a set for IN and BETWEEN",
      "  == != < <= > >=      compare; values of different types are unequal and have no order",
      "  IN BETWEEN CONTAINS BEGINSWITH ENDSWITH LIKE MATCHES   [cd] ignores case and accents",
      "  and or not ( )       combine; ANY ALL NONE SOME test the elements of an array",
    ],
    examples: [
      "print letters[5, 1].name BEGINSWITH[c] \"p\" and letters.numberOfSections > 3",
      "expect ANY letters.sectionTitles == \"P\"",
    ])

  /// The lines of help that list the properties of a source.
  private static var properties: [String] {
    wrapped(SourceProperty.all.map(\.name), to: 77).enumerated().map { number, names in
      padded(number == 0 ? "  X.property" : "", to: 23) + names
    }
  }

  static let predicates = HelpTopic(
    name: "predicates",
    lines: [
      "`where:` accepts a predicate, a condition that objects satisfy. Bare words are keys of the object,",
      "strings are quoted, and SELF is the object itself (SELF.\"unit price\" for an unusual key).",
      "  == != < <= > >=      by value; a date and an ISO string compare as dates; also = <> =< =>",
      "  IN {1, 2}  NOT IN {1, 2}   any of a list, none of it; IN 'text' is a part of a string",
      "  BETWEEN {1, 9}       from the first to the second",
      "  BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES   compare strings",
      "  ==[cd] IN[c] …       [c] ignores case, [d] accents; [n] neither; [l] orders by language",
      "  LIKE 'f*b?r'         * matches any characters, ? matches one; a backslash escapes the next",
      "  MATCHES '[a-z]+'     a regular expression for the whole string, in time proportional to the",
      "                       lengths of both; without backreferences, lookahead and lookbehind",
      "  ANY ALL NONE SOME    before a comparison: the elements of an array that must satisfy it",
      "  items.@count > 2     an operator over the elements (help keys)",
      "  SUBQUERY(items, $x, $x.price > 3).@count > 0   the elements that satisfy a condition",
      "  price * count > 9    arithmetic, between spaces; sum(prices): a function (help functions)",
      "  TERNARY(a > 1, b, c) b if the condition holds, otherwise c",
      "  $name                the value of a name that `let` binds",
      "  TRUEPREDICATE FALSEPREDICATE YES NO   true and false; YES and NO before an operator are keys",
      "  and or not ( )       in any case; also && || !",
      "Comparisons with null are false, except == and !=; so are < <= > >= between values without an",
      "order, such as 1 and '2'. A value that cannot be computed, such as 1 / 0, is null.",
    ],
    examples: [
      "filtered foods where: kind IN {'sweet', 'fruit'} and not name MATCHES '[A-M].*' | fetch",
      "indexPath letters where: name.length > 5 and name LIKE[c] '*a*'",
    ])

  static let functions = HelpTopic(
    name: "functions",
    lines: [
      "Predicates and expressions accept these functions. A name of one part needs no colon; the first",
      "argument can also precede the name: `FUNCTION(prices, 'sum:')` is `sum(prices)`.",
    ] + ValueFunction.all.map { "  " + padded($0.synopsis, to: 28) + $0.summary } + [
      "  now()                       the time at which the line runs, in GMT",
      "  TERNARY(a > 1, b, c)        b if the condition holds, otherwise c",
      "  SUBQUERY(list, $x, $x > 1)  the elements of a list that satisfy a condition",
      "In a predicate, a value that cannot be computed is null; elsewhere it is an error.",
    ],
    examples: [
      "filtered foods where: length(name) * 2 > 12 | fetch",
      "print sum({1, 2.5}) + FUNCTION({3, 4}, 'max:')",
    ])

  static let errors = HelpTopic(
    name: "errors",
    lines: [
      "Every error has a kind, for `expect throws KIND: COMMAND` and programs (--output json):"
    ] + ErrorKind.allCases.map { "  " + padded($0.rawValue, to: 14) + $0.summary },
    examples: [
      "expect throws outOfRange: object letters [9, 0]",
      "expect throws unknownKey: sectioned foods key: nme | fetch",
    ])
}

extension CommandTable {
  /// The subjects of `help` that are not commands or tasks.
  var helpTopics: [HelpTopic] { HelpTopic.all + topics }

  /// The names of these subjects and of the lists.
  var helpSubjects: [String] {
    helpTopics.map(\.name) + [HelpCommandList.name, HelpExamples.name]
  }
}
