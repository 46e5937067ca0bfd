/// Lines of a source file that is being written, with their indentation.
package struct CodeText {
  package private(set) var lines: [String] = []
  private let step: String
  private var depth = 0
  /// The widest line that a wrapped call may have.
  static let width = 100

  /// The columns by which the lines will be indented elsewhere.
  private let margin: Int

  /// - Parameters:
  ///   - step: the spaces of one level.
  ///   - margin: the columns by which the lines will be indented where they are added.
  package init(step: Int, margin: Int = 0) {
    self.step = String(repeating: " ", count: step)
    self.margin = margin
  }

  /// The columns that the next line has left.
  var room: Int { Self.width - margin - depth * step.count }

  /// Appends lines at the present level; an empty line has no indentation.
  mutating func add(_ text: String) {
    let lead = String(repeating: step, count: depth)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append(line.isEmpty ? "" : lead + line)
    }
  }

  mutating func add(_ texts: [String]) { for text in texts { add(text) } }

  /// Replaces a text in the last line that contains it.
  mutating func replaceLast(_ old: String, with new: String) {
    guard let index = lines.lastIndex(where: { $0.contains(old) }) else { return }
    lines[index] = lines[index].replacing(old, with: new)
  }

  /// Appends an empty line, unless the text is empty or ends with one.
  mutating func separate() {
    if let last = lines.last, !last.isEmpty { lines.append("") }
  }

  /// Appends `head {`, what `body` adds one level deeper, and `}`.
  mutating func block(_ head: String, close: String = "}", _ body: (inout CodeText) -> Void) {
    let isOpen = ["{", "[", "(", " in"].contains { head.hasSuffix($0) }
    add(isOpen ? head : head + " {")
    indented(body)
    add(close)
  }

  /// Appends what `body` adds one level deeper.
  mutating func indented(_ body: (inout CodeText) -> Void) {
    depth += 1
    body(&self)
    depth -= 1
  }

  /// Appends a call in one line, or with one argument on each line if it is too long.
  ///
  /// - Parameters:
  ///   - head: what precedes the arguments, with the opening bracket.
  ///   - close: the closing bracket and what follows.
  ///   - trailingComma: whether the last of several lines ends with a comma, as in a literal.
  mutating func call(
    _ head: String, _ arguments: [Argument], close: String = ")", trailingComma: Bool = false
  ) {
    // The formatter writes none after a single element.
    let trailingComma = trailingComma && arguments.count > 1
    let line = head + arguments.map(\.line).joined(separator: ", ") + close
    // The formatter leaves room for the comma that several lines would need.
    let needed = line.count + (trailingComma ? 1 : 0)
    if needed <= room || arguments.isEmpty { return add(line) }
    add(head)
    indented { text in
      for (index, argument) in arguments.enumerated() {
        let isLast = index == arguments.count - 1
        text.add(argument, end: isLast && !trailingComma ? "" : ",")
      }
    }
    add(close)
  }

  /// Appends an argument between two texts; a call may take several lines.
  mutating func add(_ argument: Argument, after lead: String = "", end: String = "") {
    switch argument {
    case .text(let text): add(lead + text + end)
    case .call(let head, let arguments, let close, let trailingComma):
      call(lead + head, arguments, close: close + end, trailingComma: trailingComma)
    }
  }

  /// Appends a comment, wrapped between words.
  mutating func comment(_ text: String, sign: String = "//") {
    for line in Self.wrapped(Self.visible(text), to: room - sign.count - 1) {
      // In C, a backslash at the end of a line continues the comment on the next one.
      add("\(sign) \(line)\(line.hasSuffix("\\") ? " ." : "")")
    }
  }

  /// The text with escapes for scalars that end a line, or change the order of what follows.
  private static func visible(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.isInvisible, scalar != "\n" {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// The text with a newline after each line.
  package var text: String { lines.map { $0 + "\n" }.joined() }
}

/// An argument of a call or an element of a literal.
indirect enum Argument {
  case text(String)
  /// A call that may need several lines itself.
  case call(String, [Argument], close: String = ")", trailingComma: Bool = false)

  /// The argument in one line.
  var line: String {
    switch self {
    case .text(let text): text
    case .call(let head, let arguments, let close, _):
      head + arguments.map(\.line).joined(separator: ", ") + close
    }
  }

  /// The argument with another text, if it is one.
  func mapped(_ change: (String) -> String) -> Argument {
    if case .text(let text) = self { .text(change(text)) } else { self }
  }

  /// The argument after a label.
  func labeled(_ label: String) -> Argument {
    switch self {
    case .text(let text): .text("\(label): \(text)")
    case .call(let head, let arguments, let close, let comma):
      .call("\(label): \(head)", arguments, close: close, trailingComma: comma)
    }
  }

  /// A literal with brackets.
  static func list(_ elements: [Argument], open: String = "[", close: String = "]") -> Argument {
    .call(open, elements, close: close, trailingComma: true)
  }
}

extension Argument: ExpressibleByStringInterpolation {
  init(stringLiteral value: String) { self = .text(value) }
}

extension Unicode.Scalar {
  /// Whether a reader of the code would not see the scalar, or the compiler would not read it.
  var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    case .spaceSeparator: self != " "
    default: false
    }
  }
}
