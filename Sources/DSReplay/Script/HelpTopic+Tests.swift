import DSInterpreter

// Help on scripts as tests.
extension HelpTopic {
  static let tests = HelpTopic(
    name: "tests",
    lines: [
      "A script is a test: comments below a command have its expected output.",
      "  print 1 + 1",
      "  #| 2",
      "  count nothing",
      "  #! error: {*}",
      "dsshell test PATH… runs scripts, folders of scripts, and the ds fences of Markdown files; a",
      "command without expected output must succeed. dsshell test --help lists the options.",
      "  dsshell test FILE:LINE        tests one command or section",
      "  dsshell test --watch DIR      tests what changes again, until interrupted",
      "  dsshell test --update FILE    writes the actual output as expected, and keeps holes that match",
      "  dsshell test --update --fill  also writes expectations below commands that have none",
      "  dsshell test --review FILE    asks about each change",
      "  dsshell test --explore 9 FILE finds races: runs the script under 9 seeds, which determine the",
      "                                order of fetches in the background",
      "  dsshell test --coverage DIR   reports the sections, rows and keys that no expectation asserts",
      "  dsshell test --strict DIR     also fails for output that nothing expects, and for unused parts",
      "                                of the suite",
      "Suites: the directives each, set, before, after and tags, and the options --set, --tag, --exclude.",
      "`record FILE` writes a test from the commands that are typed. expect and require check values.",
      "help markers lists the comments with expected output, help directives those with settings.",
    ])

  static let markers = HelpTopic(name: "markers", lines: linesOfMarkers)

  static let directives = HelpTopic(name: "directives", lines: linesOfDirectives)

  /// The width of the column of what is written.
  private static let width = 36

  private static func row(_ written: String, _ meaning: String) -> String {
    "  " + padded(written + "  ", to: width) + meaning
  }

  private static var linesOfMarkers: [String] {
    var lines = [
      "In a test, these comments below a command have its expected output. A marker begins its line,",
      "and one space follows it.",
    ]
    lines += Marker.allCases.map { row("\($0.text) \($0.placeholder)", $0.summary) }
    lines.append("The holes of a line stand for text that varies; literal braces are doubled.")
    let holes = Hole.names.map { "{\($0)}" }.joined(separator: " ")
    lines.append(row(holes, "any text of this form"))
    lines.append(row("{/[0-9]{4}/}", "what a regular expression matches"))
    lines.append(row("{456.5~1e-3}", "a number with a relative tolerance (absolute below 1)"))
    lines.append(row("{n=int}", "captures a value, which a later {n} must equal"))
    return lines
  }

  private static var linesOfDirectives: [String] {
    let marker = Marker.directive.text
    return [
      "In a test, a comment \(marker) DIRECTIVE is a setting. Directly below a command, unordered, ignore:,",
      "timeout, skip, xfail and platform apply to it; elsewhere, directives apply to the rest of their",
      "section, or of the file if they are above the first section.",
    ] + Directive.help.map { row($0.example, $0.summary) }
  }
}
