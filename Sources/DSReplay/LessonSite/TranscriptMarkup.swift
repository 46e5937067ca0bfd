import DisplayText
import Pictures

/// Commands with what they printed, as HTML.
struct TranscriptMarkup {
  private let steps: [TranscriptStep]

  init(_ steps: [TranscriptStep]) { self.steps = steps }

  /// Empty without commands.
  var markup: Markup {
    if steps.isEmpty { return "" }
    return """
      <div class="transcript">
      \(steps.map(Self.markup(of:)).joined())</div>

      """
  }

  private static func markup(of step: TranscriptStep) -> Markup {
    let lines = step.text.split(separator: "\n", omittingEmptySubsequences: false)
    var markup: Markup = "<pre class=\"command\">"
    for (number, line) in lines.enumerated() {
      let prompt = number == 0 ? "ds> " : "  > "
      markup += """
        <span class="line"><span class="prompt" aria-hidden="true">\(prompt)</span>\
        <kbd>\(text(String(line)))</kbd></span>
        """
    }
    markup += "</pre>\n"
    if let reason = step.reasonNotRun {
      markup += "<p class=\"quiet\">Not run here: \(reason).</p>\n"
    }
    return markup + step.pieces.map(Self.markup(of:)).joined()
  }

  private static func markup(of piece: CapturedOutput.Piece) -> Markup {
    switch piece {
    case .output(let lines, nil): output(lines)
    case .output(let lines, let picture?):
      """
      <figure class="scrolls" tabindex="0" role="group" aria-label="\(picture.title)">
      \(Markup(verbatim: SVGDrawing().element(picture)))</figure>
      <details class="text"><summary>As the prompt prints it</summary>
      \(output(lines))</details>

      """
    case .errors(let lines): errors(lines)
    }
  }

  private static func errors(_ lines: [String]) -> Markup {
    var markup: Markup = ""
    var style = "quiet"
    for line in lines {
      // Further lines of an error, such as the values of a failed `expect`, belong to it.
      if line.hasPrefix("error:") { style = "error" }
      if line.hasPrefix("warning:") || line.hasPrefix("trace:") { style = "quiet" }
      markup += "<pre class=\"\(style)\"><samp>\(text(line))</samp></pre>\n"
    }
    return markup
  }

  static func output(_ lines: [String]) -> Markup {
    if lines.isEmpty { return "" }
    return """
      <pre class="output scrolls" tabindex="0" role="group" aria-label="Output"><samp>\
      \(lines.map { "\(text($0))\n" as Markup }.joined())</samp></pre>

      """
  }

  /// A line whose tabs are kept.
  private static func text(_ line: String) -> Markup {
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
    return Markup(verbatim: parts.map { String($0).escapedForMarkup }.joined(separator: "\t"))
  }
}
