import Testing

@testable import DisplayText

@Suite struct EscapingTests {
  private let controls = "a\u{1B}[2J\u{7F}\u{9B}\u{202E}\u{2066}\u{FFFE}é漢"

  @Test func controlCharactersAreWrittenAsEscapes() {
    #expect(
      controls.escapingControls() == "a\\u{1b}[2J\\u{7f}\\u{9b}\\u{202e}\\u{2066}\\u{fffe}é漢")
    #expect("a\tb\nc\rd".escapingControls() == "a\\tb\\nc\\rd")
    #expect("a\tb\nc\rd".escapingControls(keepsTabs: true) == "a\tb\\nc\\rd")
    #expect("a\tb\nc\rd".escapingControls(keepsTabs: true, keepsLines: true) == "a\tb\nc\\rd")
  }

  @Test func jsonKeepsItsValues() {
    let json = "{\"\(controls)\": [1,\n\t2]}"
    #expect(
      json.escapingControlsInJSON()
        == "{\"a\\u001b[2J\\u007f\\u009b\\u202e\\u2066\\ufffeé漢\": [1,\n\t2]}")
    #expect("[\"é\"]".escapingControlsInJSON() == "[\"é\"]")
  }
}
