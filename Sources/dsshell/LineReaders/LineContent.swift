/// The content of the terminal's last rows: a prompt, the entry with the styles of its parts, and a
/// hint.
struct LineContent: Equatable {
  /// A part of the text, in UTF-8 bytes, and the sequence that turns its style on.
  struct StyledPart: Equatable {
    let range: Range<Int>
    let style: String
  }

  /// Precedes the first line of the text.
  var prompt: String
  /// Precedes the other lines of the text.
  var nextPrompt = ""
  var text: String
  /// The UTF-8 offset of the cursor in ``text``.
  var cursor: Int
  /// In the order of the text; they do not overlap.
  var parts: [StyledPart] = []
  /// A text that could follow. It is dimmed, and shortened to the rest of the row.
  var hint = ""

  /// The bytes before and after the cursor that are laid out of a larger text.
  private static let maximumDistance = 16_000

  /// The content without the parts of a large text that are far from the cursor, so that a key after a
  /// paste of megabytes takes no longer than usual.
  var nearCursor: LineContent {
    let utf8 = text.utf8
    guard utf8.count > 2 * Self.maximumDistance else { return self }
    let position = utf8.index(utf8.startIndex, offsetBy: min(cursor, utf8.count))
    var start =
      utf8.index(position, offsetBy: -Self.maximumDistance, limitedBy: utf8.startIndex)
      ?? utf8.startIndex
    var end =
      utf8.index(position, offsetBy: Self.maximumDistance, limitedBy: utf8.endIndex)
      ?? utf8.endIndex
    // At the boundaries of scalars.
    while start < position, UTF8.isContinuation(utf8[start]) { utf8.formIndex(after: &start) }
    while end < utf8.endIndex, UTF8.isContinuation(utf8[end]) { utf8.formIndex(after: &end) }
    let offset = utf8.distance(from: utf8.startIndex, to: start)
    var part = self
    if offset > 0 { part.prompt = nextPrompt }
    part.text = String(text[start..<end])
    part.cursor = cursor - offset
    let length = part.text.utf8.count
    part.parts = parts.compactMap { styled in
      let lower = max(0, styled.range.lowerBound - offset)
      let upper = min(length, styled.range.upperBound - offset)
      return lower < upper ? StyledPart(range: lower..<upper, style: styled.style) : nil
    }
    if end < utf8.endIndex { part.hint = "" }
    return part
  }
}
