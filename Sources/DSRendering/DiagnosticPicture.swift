internal import DSInterpreter
internal import DataSources
internal import DataTables
internal import DisplayText

/// An error for people: the message, the line with the error, and a caret under its location.
struct DiagnosticPicture {
  private let diagnostic: Diagnostic
  private let paint: Paint
  private let width: Int
  private let textWidth: Int?

  /// The width, in cells, that is assumed when the width of the terminal is unknown.
  private static let maximumWidth = 200

  init(_ diagnostic: Diagnostic, terminal: TerminalTraits) {
    self.diagnostic = diagnostic
    paint = Paint(terminal)
    width = max(terminal.width ?? Self.maximumWidth, 20)
    textWidth = terminal.textWidth
  }

  var text: String {
    var lines = headline
    if let place = diagnostic.place { lines += picture(of: place) }
    lines += diagnostic.details.flatMap {
      ("  " + $0.escapingControls()).wrapped(to: textWidth, indent: 4)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var headline: [String] {
    let location = diagnostic.place.map(Self.location) ?? ""
    let label = "error:"
    var message = diagnostic.message.escapingControls()
    if let suggestion = diagnostic.suggestion {
      message += "; did you mean `\(suggestion.escapingControls())`?"
    }
    var lines = message.wrapped(
      to: textWidth, used: location.displayWidth + label.utf8.count + 1, indent: 2)
    lines[0] = location + paint.red(label) + " " + lines[0]
    return lines
  }

  /// `foods.ds:7:1: `; `line 7: ` in an entry of several lines.
  private static func location(of place: SourcePlace) -> String {
    if let file = place.file {
      return "\(file.escapingControls()):\(place.line):\(place.column): "
    }
    return place.line > 1 ? "line \(place.line): " : ""
  }

  private func picture(of place: SourcePlace) -> [String] {
    let shown = place.redactedText
    var characters = Array(shown.text)
    while let last = characters.last, last.isNewline { characters.removeLast() }
    guard !characters.isEmpty else { return [] }
    let first = max(place.column - 1, 0)
    let start = min(shown.offset(of: first), characters.count)
    let end = min(shown.offset(of: first + place.length), characters.count)
    let length = max(1, end - start)
    let window = window(of: characters, around: start)
    let before = characters[window.lowerBound..<start]
    let span = characters[start..<min(start + length, window.upperBound)]

    let lead = window.lowerBound > 0 ? "…" : ""
    let trail = window.upperBound < characters.count ? "…" : ""
    let line = String(characters[window]).escapingControls(keepsTabs: true)
    // A tab below each tab aligns the caret for any tab width.
    let indent = before.map { $0 == "\t" ? "\t" : blanks(cells(of: $0)) }.joined()
    let underline = max(1, span.reduce(0) { $0 + cells(of: $1) })
    let caret = "^" + String(repeating: "~", count: underline - 1)
    return [
      "  " + lead + line + trail, "  " + blanks(lead.count) + indent + paint.red(caret),
    ]
  }

  /// The range of characters to show: the whole line if it fits, else the part around `start`.
  private func window(of characters: [Character], around start: Int) -> Range<Int> {
    let available = width - 4
    var used = 0
    for character in characters {
      used += cells(of: character)
      if used > available { break }
    }
    if used <= available { return 0..<characters.count }
    var first = start
    var last = start
    used = 0
    while first > 0, used + cells(of: characters[first - 1]) <= available / 2 {
      first -= 1
      used += cells(of: characters[first])
    }
    while last < characters.count, used + cells(of: characters[last]) <= available {
      used += cells(of: characters[last])
      last += 1
    }
    return first..<last
  }

  private func cells(of character: Character) -> Int {
    character == "\t" ? 1 : String(character).escapingControls().displayWidth
  }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}

extension Diagnostic {
  /// The error for programs: `error`, `kind`, `file`, `line`, `column`, and optionally `suggestion`
  /// and `details`.
  var record: Record {
    var pairs: [(String, Value)] = [
      ("error", .string(message)),
      ("kind", .string(kind.rawValue)),
      ("file", (place?.file).map(Value.string) ?? .null),
      ("line", (place?.line).map(Value.integer) ?? .null),
      ("column", (place?.column).map(Value.integer) ?? .null),
    ]
    if let suggestion { pairs.append(("suggestion", .string(suggestion))) }
    if !details.isEmpty { pairs.append(("details", .array(details.map(Value.string)))) }
    return Record(pairs)
  }
}
