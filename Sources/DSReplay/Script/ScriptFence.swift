import DSInterpreter

/// The lines of a file that contain commands: a whole script, or a ```` ```ds ```` fence in
/// Markdown.
struct ScriptFence {
  /// Counted from 1; empty for an empty fence.
  let lines: Range<Int>
  /// The indentation of the fence and its lines.
  let indent: Int
  /// The last heading above the fence, for the first fence below that heading.
  var heading: (text: String, line: Int)?

  /// Whether the commands of a file are in fences, by its name.
  static func isMarkdown(_ path: String) -> Bool {
    path.hasSuffix(".md") || path.hasSuffix(".markdown")
  }

  static func whole(_ source: ScriptText) -> ScriptFence {
    ScriptFence(lines: 1..<source.numberOfLines + 1, indent: 0)
  }

  /// The fences of a Markdown text whose info string begins with the word `ds`, in any case, or with
  /// the class `{.ds}`.
  static func all(in source: ScriptText) -> [ScriptFence] {
    var fences: [ScriptFence] = []
    var heading: (text: String, line: Int)?
    var open: (mark: FenceMark, firstLine: Int)?
    for number in 1...source.numberOfLines {
      let text = source.string(source.line(number))
      if let fence = open {
        guard fence.mark.isClosed(by: text) else { continue }
        if fence.mark.isScript {
          fences.append(
            ScriptFence(
              lines: fence.firstLine..<number, indent: fence.mark.indent, heading: heading))
          heading = nil
        }
        open = nil
      } else if let mark = FenceMark(text) {
        open = (mark, number + 1)
      } else if let title = headingText(text) {
        heading = (title, number)
      }
    }
    // An unclosed fence extends to the end of the text.
    if let fence = open, fence.mark.isScript {
      fences.append(
        ScriptFence(
          lines: fence.firstLine..<max(fence.firstLine, source.numberOfLines + 1),
          indent: fence.mark.indent, heading: heading))
    }
    return fences
  }

  /// The text of a heading: `The first minute` for `## The first minute`.
  static func headingText(_ line: String) -> String? {
    let marks = line.prefix { $0 == "#" }
    let rest = line.dropFirst(marks.count)
    guard (1...6).contains(marks.count), rest.first == " " else { return nil }
    let text = rest.drop { $0 == " " }.reversed().drop { $0 == "#" || $0 == " " }.reversed()
    return text.isEmpty ? nil : String(text)
  }
}

/// The line that opens a fence.
private struct FenceMark {
  let mark: Character
  let length: Int
  let indent: Int
  let isScript: Bool

  init?(_ line: String) {
    let blanks = line.prefix { $0 == " " }
    let rest = line.dropFirst(blanks.count)
    guard let mark = rest.first, mark == "`" || mark == "~" else { return nil }
    let fence = rest.prefix { $0 == mark }
    let info = rest.dropFirst(fence.count)
    // A backtick in the info string makes the line inline code.
    guard fence.count >= 3, mark == "~" || !info.contains("`") else { return nil }
    self.mark = mark
    length = fence.count
    indent = blanks.count
    isScript = info.split(whereSeparator: { " \t{},.".contains($0) }).first?.lowercased() == "ds"
  }

  func isClosed(by line: String) -> Bool {
    let rest = line.drop { $0 == " " }
    let fence = rest.prefix { $0 == mark }
    return fence.count >= length && rest.dropFirst(fence.count).allSatisfy(\.isWhitespace)
  }
}
