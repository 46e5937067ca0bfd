import DataTables

/// The findings about a YAML text, for the report of its load.
struct YAMLFindings {
  var emptyDocuments = 0
  var duplicates = CountedFinding(.duplicateKeys)
  private var complexKeys = 0
  private var firstComplexKey = 0
  /// The ignored tags, with the number of their values and the line of the first.
  private var tags: [(name: String, count: Int, line: Int)] = []

  private static let maxTags = 8

  init() {}

  mutating func noteComplexKey(line: Int) {
    complexKeys += 1
    if complexKeys == 1 { firstComplexKey = line }
  }

  /// Notes a tag that does not determine how a value is read.
  mutating func note(tag: String, line: Int) {
    if tag == "!" || YAMLTag(tag) != nil { return }
    if let index = tags.firstIndex(where: { $0.name == tag }) {
      tags[index].count += 1
    } else if tags.count < Self.maxTags {
      tags.append((tag, 1, line))
    }
  }

  /// One line each, for the user.
  var notes: [String] {
    var notes = duplicates.notes
    if complexKeys > 0 {
      let subject = complexKeys == 1 ? "1 key is" : "\(complexKeys.grouped) keys are"
      notes.append(
        "\(subject) a list or mapping, read as JSON, first at line \(firstComplexKey.grouped)")
    }
    for tag in tags {
      let subject = tag.count == 1 ? "1 value has" : "\(tag.count.grouped) values have"
      notes.append(
        "\(subject) the unknown tag `\(tag.name)`, which is ignored, first at line "
          + tag.line.grouped)
    }
    if emptyDocuments > 0 {
      let subject = emptyDocuments == 1 ? "document" : "documents"
      notes.append("\(emptyDocuments.grouped) empty \(subject) skipped")
    }
    return notes
  }
}
