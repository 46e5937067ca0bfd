import DSRendering

extension PictureRow {
  /// Expected and actualText lines, each that is wrong above the one that came in its place.
  /// - Parameter captures: what references stand for.
  static func rows(
    _ steps: [Alignment.Step], _ expected: [ExpectedLine], _ actual: [String], _ captures: Captures
  ) -> [PictureRow] {
    var rows: [PictureRow] = []
    for hunk in Alignment.hunks(steps) {
      switch hunk {
      case .same(.match(let index, let line)):
        rows.append(PictureRow(.context, actual[line], number: expected[index].line))
      case .same(.any(let index, let lines)):
        let text = lines.count == 1 ? "… 1 line" : "… \(lines.count) lines"
        rows.append(PictureRow(.context, text, number: expected[index].line))
      case .same: break
      case .different(let missing, let extra):
        for place in 0..<max(missing.count, extra.count) {
          rows += pair(
            place < missing.count ? expected[missing[place]] : nil,
            place < extra.count ? actual[extra[place]] : nil, captures)
        }
      }
    }
    return rows
  }

  private static func pair(
    _ expected: ExpectedLine?, _ actual: String?, _ captures: Captures
  ) -> [PictureRow] {
    guard let expected else { return [PictureRow(.actual, LineEnding.written(actual ?? ""))] }
    var shown = expected.written
    guard let actual else { return [PictureRow(.expected, shown, number: expected.line)] }
    var actualText = LineEnding.written(actual)
    // Without the braces that are written twice.
    var expectedText = expected.text.map(LineEnding.written)
    // What looks the same is actualText by its code points.
    if actualText.escapingControls() == expectedText?.escapingControls() {
      actualText = actualText.namingCodePoints
      shown = shown.namingCodePoints
      expectedText = expectedText?.namingCodePoints
    }
    let caret =
      expectedText.map { commonCells($0, actualText) } ?? commonCells(expected, actual, captures)
    return [
      PictureRow(.expected, shown, number: expected.line),
      PictureRow(.actual, actualText, caret: caret),
    ]
  }

  /// The cells before the first difference of two texts.
  private static func commonCells(_ expectedText: String, _ actualText: String) -> Int {
    // By characters: half of one cannot be pointed at.
    let common = zip(expectedText, actualText).prefix { $0.utf8.elementsEqual($1.utf8) }.map(\.1)
    return String(common).escapingControls().displayWidth
  }

  /// The cells before the first difference of a line and what has holes.
  private static func commonCells(
    _ expected: ExpectedLine, _ actual: String, _ captures: Captures
  ) -> Int {
    guard let pattern = expected.patternWithHoles else { return 0 }
    var matcher = LineMatcher(pattern, actual, captures: captures)
    _ = matcher.matches()
    let bytes = Array(actual.utf8)[..<min(matcher.commonBytes, actual.utf8.count)]
    return String(decoding: bytes, as: UTF8.self).escapingControls().displayWidth
  }
}

extension Character {
  fileprivate var utf8: String.UTF8View { String(self).utf8 }
}

extension String {
  /// `caf\u{e9}`
  fileprivate var namingCodePoints: String {
    unicodeScalars.map { scalar in
      (0x20..<0x7F).contains(scalar.value)
        ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
    }.joined()
  }
}

extension Alignment {
  /// Lines that go together, and stretches of those that do not.
  enum Hunk {
    case same(Step)
    case different(missing: [Int], extra: [Int])
  }

  static func hunks(_ steps: [Step]) -> [Hunk] {
    var hunks: [Hunk] = []
    var missing: [Int] = []
    var extra: [Int] = []
    func flush() {
      if missing.isEmpty && extra.isEmpty { return }
      hunks.append(.different(missing: missing, extra: extra))
      missing = []
      extra = []
    }
    for step in steps {
      switch step {
      case .missing(let index): missing.append(index)
      case .extra(let line): extra.append(line)
      case .match, .any:
        flush()
        hunks.append(.same(step))
      }
    }
    flush()
    return hunks
  }
}
