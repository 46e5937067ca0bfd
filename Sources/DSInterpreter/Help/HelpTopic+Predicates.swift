extension HelpTopic {
  static let predicates = HelpTopic(
    name: "predicates",
    lines: [
      "where: takes a predicate: what an object satisfies or not. Bare words are keys of the object,",
      "texts are quoted, and SELF is the object itself (SELF.\"unit price\" for an odd key).",
      "  == != < <= > >=      by value; a date meets an ISO text as a date",
      "  IN {1, 2}  BETWEEN {1, 9}   one of a list; from the first to the second",
      "  BEGINSWITH ENDSWITH CONTAINS LIKE MATCHES   texts; [c] [d] [cd] leave out case, accents",
      "  LIKE 'f*b?r'         * is any characters, ? is one, a backslash takes the next as it is",
      "  MATCHES '[a-z]+'     a regular expression for the whole text, in time that grows with the",
      "                       text and the expression alone; so without references to groups and",
      "                       looking ahead or behind",
      "  ANY ALL NONE SOME    before a comparison: which elements of an array it is true of",
      "  items.@count > 2     what an operator makes of the elements (help keys)",
      "  and or not ( )       in any case; && || ! too",
      "A comparison with null is false, but for == and !=. What has no order, as 1 and '2', is false.",
    ],
    examples: [
      "filtered foods where: kind IN {'sweet', 'fruit'} and not name MATCHES '[A-M].*' | fetch",
      "indexPath letters where: name.length > 5 and name LIKE[c] '*a*'",
    ])
}
