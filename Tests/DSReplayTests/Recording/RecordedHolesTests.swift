import Testing

@testable import DSReplay

@Suite struct RecordedHolesTests {
  @Test(arguments: [
    ("took 12 ms", "took 9 ms", "took {int} ms"), ("a 1.5 b", "a 2 b", "a {num} b"),
    ("at /tmp/a.csv now", "at /var/b.csv now", "at {path} now"),
    ("on 2012-11-02", "on 2013-01-01", "on {date}"), ("id deadbeef", "id 0badcafe", "id {hex}"),
    ("Ann is here", "Bo was here", "{*} {*} here"), ("a b", "a  b", "a {*}b"),
    ("{x} 1", "{x} 2", "{{x}} {int}"),
  ])
  func aDifferenceBecomesTheNarrowestHole(first: String, second: String, pattern: String) {
    let widened = LinePattern(text: first).widened(for: second)
    #expect(widened.written(.doubled) == pattern)
    for line in [first, second] {
      var matcher = LineMatcher(widened, line, captures: Captures())
      let isMatch = matcher.matches()
      #expect(isMatch)
    }
  }

  @Test func anotherNumberOfLinesBecomesAnyLines() {
    var captured = CapturedOutput()
    captured.output = ["head", "a", "b", "tail"]
    var holes = RecordedHoles([RecordedCommand(text: "show", captured)])
    var other = captured
    other.output = ["head", "c", "tail"]
    holes.compare([other])
    #expect(holes.text == "#!/usr/bin/env dsshell\nshow\n#| head\n#...\n#| tail\n")
    #expect(holes.count == 1)
  }
}
