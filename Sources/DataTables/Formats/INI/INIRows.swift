/// The sections of an INI text as records: the name of the section, then its keys.
struct INIRows {
  private(set) var records: [Value] = []
  private(set) var lines: [Int] = []
  /// Notes for the load report.
  private(set) var notes: [String] = []

  static let sectionKey = "section"

  init(_ sections: [INIReader.Section]) {
    // A text without headers has no names of sections to show.
    let hasNames = sections.contains { $0.name != nil }
    let key = Self.freeKey(sections)
    var shapes = RecordShapes()
    for section in sections {
      var keys = section.members.map(\.key)
      var values = section.members.map(\.value)
      if hasNames {
        keys.insert(key, at: 0)
        values.insert(section.name.map(Value.string) ?? .null, at: 0)
      }
      records.append(.record(shapes.record(keys, values)))
      lines.append(section.line)
    }
    if hasNames, key != Self.sectionKey {
      notes.append(
        "the names of the sections are at `\(key)`, because a section has a key `section`")
    }
    noteRepeatedNames(sections)
  }

  /// `section`, or a longer name that no section has as a key.
  private static func freeKey(_ sections: [INIReader.Section]) -> String {
    if !sections.contains(where: { $0.has(sectionKey) }) { return sectionKey }
    return DocumentRows.freeKey("sectionName", in: sections.lazy.map { $0.members.map(\.key) })
  }

  private mutating func noteRepeatedNames(_ sections: [INIReader.Section]) {
    var names: Set<String> = []
    let repeating = sections.compactMap(\.name).filter { !names.insert($0).inserted }
    guard let first = repeating.first else { return }
    let subject =
      repeating.count == 1 ? "1 section repeats" : "\(repeating.count.grouped) sections repeat"
    notes.append("\(subject) a name, first `\(first)`; each is a row")
  }
}
