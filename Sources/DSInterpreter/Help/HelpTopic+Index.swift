extension HelpTopic {
  static let index = HelpTopic(
    name: "index",
    lines: [
      "The index beside a list has titles that lead to sections. `indexTitles:` says how they are made:",
      "  firstCharacter   the first character of the section's title, in capitals (default)",
      "  initials         the first characters of its words: MB for Master Bathroom",
      "  KEYPATH          a derived key of the title, or a key of the section's first object",
      "  [A, B, C]        these, one a section in turn",
      "Titles may repeat, so `at:` tells which is meant, counted from 0; one that does not stand there",
      "is notFound. In fixed and collated sections the index has all titles of the list: one whose",
      "section is hidden leads to the nearest section before it. Sections that multi and filtered",
      "take over keep their index titles.",
    ],
    examples: [
      "indexTitles letters; sectionForIndexTitle letters C at: 2",
      "sectioned foods key: kind sort: kind indexTitles: kind.length | fetch | indexTitles",
      "collated foods key: name empty: hide | fetch; sectionForIndexTitle _ D",
    ])
}
