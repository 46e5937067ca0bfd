/// Lines of help as paragraphs.
///
/// The texts of help are broken for lines of about 95 characters. A terminal breaks paragraphs at its
/// own width; elsewhere, the lines stay as they are.
enum Paragraphs {
  private static let width = 90

  /// Joins each line to the one before it if that one ended for lack of room.
  static func joined(_ lines: [String]) -> [String] {
    var paragraphs: [String] = []
    var previous = ""
    for line in lines {
      if let last = paragraphs.last, continues(line, previous, after: last) {
        paragraphs[paragraphs.count - 1] = last + " " + line.drop { $0 == " " }
      } else {
        paragraphs.append(line)
      }
      previous = line
    }
    return paragraphs
  }

  private static func continues(_ line: String, _ previous: String, after paragraph: String) -> Bool
  {
    let indent = line.prefix { $0 == " " }.count
    let text = line.dropFirst(indent)
    guard !text.isEmpty, !text.contains("  ") else { return false }
    let word = text.prefix { $0 != " " }
    return previous.count + 1 + word.count > width
      && (indent == textColumn(of: paragraph) || indent == textColumn(of: previous))
  }

  /// The column in which the text begins: the second column of `  name  text`.
  private static func textColumn(of line: String) -> Int {
    let indent = line.prefix { $0 == " " }.count
    guard let gap = line.dropFirst(indent).firstRange(of: "  ") else { return indent }
    let start = line[gap.lowerBound...].firstIndex { $0 != " " } ?? line.endIndex
    return line.distance(from: line.startIndex, to: start)
  }
}
