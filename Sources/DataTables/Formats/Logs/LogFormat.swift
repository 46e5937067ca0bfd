internal import CScan

/// Logs whose lines a pattern with named groups describes: a given one, or one of the usual forms,
/// such as that of syslog.
struct LogFormat: TableFormat {
  let names = ["log"]
  let extensions: [String] = []
  let mediaTypes: [String] = []
  let options = [.pattern] + ReadOption.cellTypes + [.comment, .encoding, .strict]
  let allowsEmptyFile = true

  /// Certain if a known pattern matches the lines, possible if they begin with a time. Lines that may
  /// be delimited text as well are only likely, so that the extension decides: messages may have the
  /// same number of commas.
  func recognize(_ sample: FormatSample) -> Recognition {
    guard let text = sample.text else { return .impossible }
    let lines = Self.lines(
      text.prefix(16 << 10), isWhole: sample.isWhole && text.count <= 16 << 10)
    guard !lines.isEmpty else { return .ifNamed }
    let areDelimited = Self.areDelimited(lines)
    if KnownLogs.pattern(of: lines) != nil { return areDelimited ? .likely : .certain }
    if areDelimited { return .ifNamed }
    return KnownLogs.pattern(of: lines, among: KnownLogs.suggestions) == nil ? .ifNamed : .possible
  }

  /// The first lines that are not blank.
  private static func lines(_ text: ArraySlice<UInt8>, isWhole: Bool) -> [ArraySlice<UInt8>] {
    let first = text.startIndex
    return text.withUnsafeBytes { bytes in
      TextLines(bytes, ends: .feed).prefix(100)
        .filter { !$0.isLast || isWhole || $0.number == 1 }
        .map { text[first + $0.range.lowerBound..<first + $0.range.upperBound] }
        .filter { line in !line.allSatisfy(\.isBlank) }
    }
  }

  /// Whether all lines have the same number of a delimiter, if it counts in quotes or if not.
  private static func areDelimited(_ lines: [ArraySlice<UInt8>]) -> Bool {
    lines.count > 1
      && ",;\t|".utf8.contains { delimiter in
        let count = lines[0].count { $0 == delimiter }
        let outside = Self.count(of: delimiter, outsideQuotesOf: lines[0])
        return count > 0 && lines.allSatisfy { line in line.count { $0 == delimiter } == count }
          || outside > 0
            && lines.allSatisfy { Self.count(of: delimiter, outsideQuotesOf: $0) == outside }
      }
  }

  private static func count(
    of delimiter: UInt8, outsideQuotesOf line: ArraySlice<UInt8>
  ) -> Int {
    var isQuoted = false
    return line.count { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == delimiter && !isQuoted
    }
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    try input.withText { text in
      let sample = try TextSample(text, size: 64 << 10)
      return try table(sample, input.options).read(text, sample, input)
    }
  }

  private func table(_ sample: TextSample, _ options: ReadOptions) throws(TableError) -> LineTable {
    let lines = Self.lines(sample.bytes[..<sample.count], isWhole: sample.isWhole)
    guard let pattern = try options.pattern ?? KnownLogs.pattern(of: lines) else {
      let suggested = KnownLogs.pattern(of: lines, among: KnownLogs.suggestions)
      let fix =
        suggested.map { "add \(SuggestedLabels("pattern", $0.text))" }
        ?? "add `pattern:` with a named group for each key, such as "
        + "\(SuggestedLabels("pattern", #"(?<first>\S+) (?<rest>.*)"#))"
      throw .format("the lines match no known log format; \(fix)", at: nil)
    }
    let fields = PatternFields(
      pattern: pattern, beginsWithTime: KnownLogs.beginWithTimes(lines))
    var table = LineTable(formatName: "log", fields: fields, keys: pattern.names)
    if options[.pattern] == nil {
      table.notes = ["detected \(SuggestedLabels("pattern", pattern.text))"]
    } else {
      table.advice = { Self.advice(pattern, lines) }
    }
    return table
  }

  /// A pattern that matches most lines, for one that does not.
  private static func advice(
    _ pattern: GroupedPattern, _ lines: [ArraySlice<UInt8>]
  ) -> String {
    var longer = pattern.text
    if longer.hasSuffix("$") { longer.removeLast() }
    if let longer = try? GroupedPattern(longer + "(?<rest>.*)"),
      longer.count(of: lines) * 2 >= lines.count
    {
      return "it must match whole lines: use \(SuggestedLabels("pattern", longer.text))"
    }
    let other =
      KnownLogs.pattern(of: lines) ?? KnownLogs.pattern(of: lines, among: KnownLogs.suggestions)
    return other.map { "use \(SuggestedLabels("pattern", $0.text))" }
      ?? "the pattern must match whole lines"
  }
}

extension ReadOption {
  static let pattern = ReadOption(
    "pattern", .string, "regular expression of a line with named groups",
    example: "'(?<a>\\S+) (?<b>.*)'"
  ) { value, options throws(TableError) in
    options.values["pattern"] = value
    _ = try options.pattern
  }.selectingFormat()
}

extension ReadOptions {
  /// - Throws: ``TableError/badArgument(_:)`` for a malformed expression.
  fileprivate var pattern: GroupedPattern? {
    get throws(TableError) {
      guard case .string(let text)? = self[.pattern] else { return nil }
      do throws(RegularExpressionError) {
        return try GroupedPattern(text)
      } catch {
        throw .badArgument("`pattern:` is malformed: \(error.message)")
      }
    }
  }
}
