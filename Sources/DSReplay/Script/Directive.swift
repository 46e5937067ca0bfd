import DSInterpreter
import DataSources
import DataTables

/// A directive (`#%` line). It applies to one command, or to the rest of its section.
enum Directive: Sendable, Equatable {
  case section(String)
  case unordered
  case timeout(Duration)
  case require([Facility])
  case skip(String)
  case expectedFailure(String)
  case cassette(String)
  case clock(ClockSetting)
  case seed(UInt64)
  /// A change of a file as another program makes it.
  case change(OutsideChange)
  case strict

  /// The syntax of a directive, for parsing and for error messages.
  private struct Form: Sendable {
    let name: String
    let example: String
    /// The words that the value may consist of.
    var words: [String] = []
    /// A clause that an error message adds.
    var note = ""
    let read: @Sendable (String) -> Directive?
  }

  private static let facilities = Facility.allCases.map(\.rawValue)

  private static let forms = [
    Form(name: "section", example: "section \"letters\"") { quoted($0).map { .section($0) } },
    Form(name: "unordered", example: "unordered") { $0.isEmpty ? .unordered : nil },
    Form(name: "timeout", example: "timeout 2s") { duration($0).map { .timeout($0) } },
    Form(
      name: "require", example: "require http", words: facilities,
      note: "; supported: \(facilities.joined(separator: ", "))"
    ) { text in
      let names = text.split(separator: " ")
      let required = names.compactMap { Facility(rawValue: String($0)) }
      return !names.isEmpty && required.count == names.count ? .require(required) : nil
    },
    Form(name: "skip", example: "skip \"why\"") { quoted($0).map { .skip($0) } },
    Form(name: "xfail", example: "xfail \"why\"") { quoted($0).map { .expectedFailure($0) } },
    Form(name: "cassette", example: "cassette posts.txt") { quoted($0).map { .cassette($0) } },
    Form(
      name: "clock", example: "clock 2024-01-31T12:00:00Z", words: ClockSetting.words,
      note: "; `real` selects the clock of the machine, `virtual` the virtual one"
    ) { ClockSetting($0).map { .clock($0) } },
    Form(name: "seed", example: "seed 42", note: " with a number from 0 to \(UInt64.max)") {
      UInt64($0).map { .seed($0) }
    },
    Form(name: "append", example: #"append log.csv "3,c\n""#) { change(.append, $0) },
    Form(name: "write", example: #"write log.csv "n,name\n1,a\n""#) { change(.write, $0) },
    Form(name: "remove", example: "remove log.csv") { change(.remove, $0) },
    Form(name: "strict", example: "strict") { $0.isEmpty ? .strict : nil },
  ]

  static var names: [String] { forms.map { $0.name } }

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
    case .unordered, .timeout, .skip, .expectedFailure: true
    default: false
    }
  }

  /// Whether the directive changes the environment of the commands below it.
  var changesEnvironment: Bool {
    switch self {
    case .cassette, .clock, .seed, .change: true
    default: false
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    let space = UInt8(ascii: " ")
    guard let first = text.utf8.firstIndex(where: { $0 != space }),
      let last = text.utf8.lastIndex(where: { $0 != space })
    else { return "" }
    return String(text[first...last])
  }

  /// The content of a string with or without quotes.
  private static func quoted(_ text: String) -> String? {
    let quote = UInt8(ascii: "\"")
    let quotes = text.utf8.count { $0 == quote }
    if quotes == 0 { return text.isEmpty ? nil : text }
    guard quotes == 2, text.utf8.count > 2, text.utf8.first == quote, text.utf8.last == quote else {
      return nil
    }
    return String(Substring(text.utf8.dropFirst().dropLast()))
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
      guard let count = Double(trimmed(text.dropLast(unit.name.count))), count > 0,
        count * unit.seconds <= 86_400
      else {
        return nil
      }
      return .milliseconds(Int64(count * unit.seconds * 1000))
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
