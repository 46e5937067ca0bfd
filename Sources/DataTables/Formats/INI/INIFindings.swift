/// The findings about an INI text, for the report of its load.
struct INIFindings {
  private(set) var rejects: [Reject] = []
  private(set) var rejected = 0
  private var comments: (mark: UInt8, count: Int, line: Int)?
  private var repeated = 0
  private var firstRepeated = ""
  private var inclusions: (first: String, count: Int, line: Int)?

  init() {}

  mutating func reject(_ reject: Reject) {
    rejected += 1
    if rejects.count < LoadReport.maxRejects { rejects.append(reject) }
  }

  /// Notes a value that contains what may be a comment.
  mutating func noteComment(_ mark: UInt8, line: Int) {
    if comments == nil { comments = (mark, 0, line) }
    comments?.count += 1
  }

  mutating func noteRepeated(_ key: String) {
    repeated += 1
    if repeated == 1 { firstRepeated = key }
  }

  /// Notes a line that inserts other files.
  mutating func noteInclusion(_ text: String, line: Int) {
    if inclusions == nil { inclusions = (text, 0, line) }
    inclusions?.count += 1
  }

  /// One line each, for the user.
  var notes: [String] {
    var notes: [String] = []
    if repeated > 0 {
      let subject = repeated == 1 ? "1 key repeats" : "\(repeated.grouped) keys repeat"
      notes.append(
        "\(subject) in a section, first `\(firstRepeated)`; the values are an array")
    }
    if let (mark, count, line) = comments {
      let subject = count == 1 ? "1 value contains" : "\(count.grouped) values contain"
      let scalar = Unicode.Scalar(mark)
      notes.append(
        "\(subject) ` \(scalar)`, first at line \(line.grouped); if it starts a comment, add "
          + "`comment: \"\(scalar)\"`")
    }
    if let (first, count, line) = inclusions {
      let subject =
        count == 1 ? "1 line includes other files" : "\(count.grouped) lines include other files"
      notes.append(
        "\(subject), which are not read: `\(first.prefix(80))` at line \(line.grouped)")
    }
    return notes
  }
}
