import DSInterpreter
import DataSources
import DataTables

/// A directive (`#%` line). It applies to one command, or to the rest of its section.
enum Directive: Sendable, Equatable {
  case section(String)
  case unordered
  /// Columns and keys whose values may differ.
  case ignore([String])
  case timeout(Duration)
  case require([Facility])
  case skip(String)
  case expectedFailure(String)
  case cassette(String)
  case clock(ClockSetting)
  /// Advances a virtual clock.
  case advance(Duration)
  case seed(UInt64)
  /// A change of a file as another program makes it.
  case change(OutsideChange)
  case strict
  /// Runs the script once for each engine.
  case matrix([TableEngine])
  /// A part of a lesson.
  case lesson(LessonMark)
  /// Runs the script once for each file of a pattern; the name is bound to its path.
  case each(name: String, pattern: String)
  /// Binds a name to a value that `--set` may replace.
  case set(name: String, Value)
  /// The commands of another script.
  case attach(AttachedScript.Place, path: String)
  case tags([String])
  case environment(name: String, value: String)
  case platform([Platform])
  /// The number of runs with random edits.
  case property(Int)

  /// The syntax of a directive, for parsing and for error messages.
  private struct Form: Sendable {
    let name: String
    let example: String
    /// The effect, for `help directives`.
    let summary: String
    /// The words that the value may consist of.
    var words: [String] = []
    /// A clause that an error message adds.
    var note = ""
    let read: @Sendable (String) -> Directive?
  }

  private static let durationNote = " with a time up to 24h, in ms, s, min or h"
  private static let engines = TableEngine.allCases.map(\.rawValue)
  private static let facilities = Facility.allCases.map(\.rawValue)

  private static let forms = [
    Form(
      name: "section", example: "section \"letters\"",
      summary: "starts a section, which is a test of its own",
      note: "; the title has no quotation marks"
    ) { quoted($0).map { .section($0) } },
    Form(
      name: "unordered", example: "unordered",
      summary: "accepts the lines of the output in any order"
    ) { $0.isEmpty ? .unordered : nil },
    Form(
      name: "ignore:", example: "ignore: id, created",
      summary: "accepts any values of these columns and keys"
    ) { keys($0).map { .ignore($0) } },
    Form(
      name: "timeout", example: "timeout 2s",
      summary: "sets the time limit of each command", note: durationNote
    ) { duration($0).map { .timeout($0) } },
    Form(
      name: "require", example: "require http",
      summary: "permits requests, or skips commands without the facility", words: facilities,
      note: "; supported: \(facilities.joined(separator: ", "))"
    ) { text in
      let names = text.split(separator: " ")
      let required = names.compactMap { Facility(rawValue: String($0)) }
      return !names.isEmpty && required.count == names.count ? .require(required) : nil
    },
    Form(
      name: "skip", example: "skip \"why\"",
      summary: "does not run the commands"
    ) { quoted($0).map { .skip($0) } },
    Form(
      name: "xfail", example: "xfail \"why\"",
      summary: "expects the commands to fail"
    ) { quoted($0).map { .expectedFailure($0) } },
    Form(
      name: "cassette", example: "cassette posts.txt",
      summary: "replays responses from a file, or records them there"
    ) { quoted($0).map { .cassette($0) } },
    Form(
      name: "clock", example: "clock 2024-01-31T12:00:00Z",
      summary: "sets the virtual clock", words: ClockSetting.words,
      note: "; `real` selects the clock of the machine, `virtual` the virtual one"
    ) { ClockSetting($0).map { .clock($0) } },
    Form(
      name: "advance", example: "advance 2s",
      summary: "advances the virtual clock",
      note: durationNote
    ) { duration($0).map { .advance($0) } },
    Form(
      name: "seed", example: "seed 42",
      summary: "sets the seed of random numbers and of the order of fetches",
      note: " with a number from 0 to \(UInt64.max)"
    ) {
      UInt64($0).map { .seed($0) }
    },
    Form(
      name: "append", example: #"append log.csv "3,c\n""#,
      summary: "adds text to a file as another program would"
    ) { change(.append, $0) },
    Form(
      name: "write", example: #"write log.csv "n,name\n1,a\n""#,
      summary: "writes a file as another program would"
    ) { change(.write, $0) },
    Form(
      name: "remove", example: "remove log.csv",
      summary: "removes a file as another program would"
    ) { change(.remove, $0) },
    Form(
      name: "strict", example: "strict",
      summary: "requires commands without expected output to print nothing"
    ) { $0.isEmpty ? .strict : nil },
    Form(
      name: "matrix", example: "matrix csv, sqlite",
      summary: "runs the script once for each engine", words: engines,
      note: "; supported: \(engines.joined(separator: ", "))"
    ) { text in
      let names = text.split(separator: ",").map { trimmed($0) }
      let known = names.compactMap { TableEngine(rawValue: $0) }
      return !names.isEmpty && known.count == names.count ? .matrix(known) : nil
    },
    Form(
      name: "each", example: "each file in data/*.csv",
      summary: "runs the script once for each file",
      note: "; the name before `in` is bound to the path of each file"
    ) { each($0) },
    Form(
      name: "set", example: "set rows = 100",
      summary: "binds a name to a constant, which `--set` replaces",
      note: "; the value is a constant, such as 100, true or \"Pie\""
    ) { setting($0).map { .set(name: $0.name, $0.value) } },
    Form(
      name: "before", example: "before setup.ds",
      summary: "runs another script before the section"
    ) {
      quoted($0).map { .attach(.before, path: $0) }
    },
    Form(
      name: "after", example: "after cleanup.ds",
      summary: "runs another script after the section, also after failures"
    ) {
      quoted($0).map { .attach(.after, path: $0) }
    },
    Form(
      name: "tags", example: "tags slow, files",
      summary: "gives sections tags, for `--tag` and `--exclude`",
      note: "; a tag consists of letters, digits, `_` and `-`"
    ) { tags($0) },
    Form(
      name: "environment", example: "environment API_TOKEN=abc",
      summary: "sets a variable of the environment",
      note: "; a value with spaces is quoted"
    ) { environment($0) },
    Form(
      name: "platform", example: "platform linux",
      summary: "skips the commands on other platforms", words: Platform.names,
      note: "; supported: \(Platform.names.joined(separator: ", "))"
    ) { platforms($0) },
    Form(
      name: "property", example: "property 100",
      summary: "runs the section again with random edits",
      note: " with a number of runs from 1 to \(maximumRuns)"
    ) { runs($0).map { .property($0) } },
    Form(
      name: "lesson", example: "lesson \"Index paths\"",
      summary: "makes the script a lesson, with this title"
    ) { title($0) { .lesson($0) } },
    Form(
      name: "exercise", example: "exercise \"The third fruit\"",
      summary: "starts an exercise of a lesson"
    ) { title($0) { .exercise($0) } },
    Form(
      name: "start", example: "start",
      summary: "begins the commands that an exercise starts with"
    ) { $0.isEmpty ? .lesson(.start) : nil },
    Form(
      name: "solution", example: "solution",
      summary: "begins the solution of an exercise"
    ) { $0.isEmpty ? .lesson(.solution) : nil },
    Form(
      name: "check", example: "check",
      summary: "begins the checks of an answer"
    ) { $0.isEmpty ? .lesson(.check) : nil },
    Form(
      name: "hidden", example: "hidden \"more kinds of food\"",
      summary: "begins a hidden check with other data"
    ) { title($0) { .hidden($0) } },
    Form(
      name: "wrong", example: "wrong \"the section counts from 0\"",
      summary: "begins a wrong answer and its explanation"
    ) {
      title($0) { .wrong($0) }
    },
    Form(
      name: "when", example: "when",
      summary: "begins the check of an answer in a session"
    ) { $0.isEmpty ? .lesson(.when) : nil },
    Form(
      name: "hint", example: "hint \"rows count from 0\"",
      summary: "a hint for an exercise"
    ) { title($0) { .hint($0) } },
    Form(
      name: "predict", example: "predict \"How many sections?\" letters.numberOfSections",
      summary: "asks a question, with its answer"
    ) {
      prediction($0).map { .lesson($0) }
    },
  ]

  static var names: [String] { forms.map { $0.name } }

  /// An example of each directive with what it does.
  static var help: [(example: String, summary: String)] { forms.map { ($0.example, $0.summary) } }

  struct Mistake: Error {
    let message: String
    var suggestion: String?
  }

  init(parsing text: String) throws(Mistake) {
    let bytes = text.utf8
    let nameEnd = bytes.firstIndex(of: UInt8(ascii: " ")) ?? bytes.endIndex
    let name = text[..<nameEnd]
    let value = Self.trimmed(text[nameEnd...])
    guard let form = Self.forms.first(where: { $0.name == name }) else {
      let known = Self.names.joined(separator: ", ")
      throw Mistake(
        message: name.isEmpty
          ? "expected the name of a directive: \(known)"
          : "unknown directive `\(name)`; expected \(known)",
        suggestion: Suggestion.nearest(to: String(name), among: Self.names))
    }
    guard let directive = form.read(value) else {
      let unknownWord = value.split(separator: " ").first { !form.words.contains(String($0)) } ?? ""
      throw Mistake(
        message: "invalid `\(name)` directive; write `#% \(form.example)`\(form.note)",
        suggestion: Suggestion.nearest(to: String(unknownWord), among: form.words))
    }
    self = directive
  }

  /// Whether the directive applies to one command when it is directly below it.
  var canApplyToCommand: Bool {
    switch self {
    case .unordered, .ignore, .timeout, .skip, .expectedFailure, .platform: true
    default: false
    }
  }

  /// Whether the directive changes the environment of the commands below it.
  var changesEnvironment: Bool {
    switch self {
    case .cassette, .clock, .advance, .seed, .change, .matrix, .set, .environment: true
    default: false
    }
  }

  static func trimmed(_ text: Substring) -> String {
    let space = UInt8(ascii: " ")
    guard let first = text.utf8.firstIndex(where: { $0 != space }),
      let last = text.utf8.lastIndex(where: { $0 != space })
    else { return "" }
    return String(text[first...last])
  }

  /// The content of a string with or without quotes.
  static func quoted(_ text: String) -> String? {
    let quote = UInt8(ascii: "\"")
    let quotes = text.utf8.count { $0 == quote }
    if quotes == 0 { return text.isEmpty ? nil : text }
    guard quotes == 2, text.utf8.count > 2, text.utf8.first == quote, text.utf8.last == quote else {
      return nil
    }
    return String(Substring(text.utf8.dropFirst().dropLast()))
  }

  /// Keys separated by commas; a key with other characters than letters, digits, `_`, `-` and `.` is
  /// in quotes.
  private static func keys(_ text: String) -> [String]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { trimmed($0) }
    let keys = parts.map { part -> String? in
      if part.hasPrefix("\"") { return quoted(part) }
      let isPlain = part.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
      return part.isEmpty || !isPlain ? nil : part
    }
    return keys.contains(nil) ? nil : keys.compactMap(\.self)
  }

  /// The line of a script that lets the values of keys differ.
  static func text(ofIgnored names: [String]) -> String {
    let names = names.map { keys($0) == [$0] ? $0 : "\"\($0)\"" }
    return "\(Marker.directive.text) ignore: \(names.joined(separator: ", "))"
  }

  /// A text of a lesson, which people read, in quotes with escapes.
  private static func title(
    _ text: String, _ mark: (String) -> LessonMark
  ) -> Directive? {
    guard text.hasPrefix("\""), case .string(let title)? = try? Value(json: text), !title.isEmpty
    else { return nil }
    return .lesson(mark(title))
  }

  /// A question in quotes, and the expression whose value is the answer.
  private static func prediction(_ text: String) -> LessonMark? {
    var isEscaped = false
    guard text.hasPrefix("\""),
      let end = text.indices.dropFirst().first(where: { index in
        defer { isEscaped = text[index] == "\\" && !isEscaped }
        return text[index] == "\"" && !isEscaped
      }), case .string(let question)? = try? Value(json: String(text[...end]))
    else { return nil }
    let expression = trimmed(text[text.index(after: end)...])
    return question.isEmpty || expression.isEmpty
      ? nil : .predict(question, answer: expression)
  }

  /// A path, and the text to write as a string with escapes.
  private static func change(_ kind: OutsideChange.Kind, _ text: String) -> Directive? {
    let quote = text.firstIndex(of: "\"") ?? text.endIndex
    let path = trimmed(text[..<quote])
    guard !path.isEmpty, !path.contains(" ") else { return nil }
    if kind == .remove { return quote == text.endIndex ? .change(OutsideChange(kind, path)) : nil }
    guard case .string(let content)? = try? Value(json: String(text[quote...])) else { return nil }
    return .change(OutsideChange(kind, path, text: content))
  }

  /// `500ms`, `2s`, `1.5 s`, `1min`.
  private static func duration(_ text: String) -> Duration? {
    let units: [(name: String, seconds: Double)] = [
      ("ms", 0.001), ("min", 60), ("s", 1), ("h", 3600),
    ]
    for unit in units where text.hasSuffix(unit.name) {
      guard let count = Double(trimmed(text.dropLast(unit.name.count))),
        (1e-9...86_400).contains(count * unit.seconds)
      else {
        return nil
      }
      return .nanoseconds(Int64((count * unit.seconds * 1e9).rounded()))
    }
    return nil
  }
}

/// The setting of a script's clock (`#% clock`).
enum ClockSetting: Sendable, Equatable {
  /// The virtual clock, set to a date in seconds since 1970.
  case date(Int)
  /// The virtual clock, at its current time.
  case virtual
  /// The machine's clock.
  case real

  static let words = ["real", "virtual"]

  /// - Parameter text: an ISO 8601 date, in GMT if it has no zone, or one of ``words``.
  init?(_ text: String) {
    switch text {
    case "real": self = .real
    case "virtual": self = .virtual
    default:
      guard case .date(let date) = Value(literal: text) else { return nil }
      self = .date(date.secondsFromGMT)
    }
  }
}
