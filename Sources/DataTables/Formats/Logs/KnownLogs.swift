/// Patterns of logs that are read without options, and the pattern that is suggested for others.
enum KnownLogs {
  private static let clock = #"\d\d:\d\d:\d\d"#
  private static let isoTime =
    #"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"#
  private static let program = #"(?<program>[^\s:\[]+)(?:\[(?<pid>\d+)\])?: (?<message>.*)"#
  private static let level =
    "(?<level>TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|"
    + "trace|debug|info|notice|warn|warning|error|critical|fatal)"

  /// From the most specific on.
  static let patterns = [
    // Syslog as files contain it (RFC 3164), also from journalctl, then with ISO times.
    #"(?<time>[A-Z][a-z]{2} [ \d]\d \#(clock)) (?<host>\S+) \#(program)"#,
    #"(?<time>\d{4}-\d\d-\d\dT\S+) (?<host>\S+) \#(program)"#,
    // Syslog as it is sent (RFC 5424).
    #"<(?<priority>\d+)>1 (?<time>\S+) (?<host>\S+) (?<program>\S+) (?<pid>\S+) (?<id>\S+) (?<message>.*)"#,
    // Errors of Apache and nginx.
    #"\[(?<time>[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \#(clock)(?:\.\d+)? \d{4})\] \[(?:(?<module>[^:\]]*):)?(?<level>\w+)\] (?:\[pid (?<pid>[^\]]*)\] )?(?:\[client (?<client>[^\]]*)\] )?(?<message>.*)"#,
    #"(?<time>\d{4}/\d\d/\d\d \#(clock)) \[(?<level>\w+)\] (?<pid>\d+)#(?<thread>\d+): (?<message>.*)"#,
    // The usual forms of logging libraries.
    #"(?<time>\#(isoTime)) - (?<logger>\S+) - \#(level) - (?<message>.*)"#,
    #"(?<time>\#(isoTime)) \[(?<thread>[^\]]*)\] \#(level) +(?<logger>\S+) +(?:- |: )?(?<message>.*)"#,
    #"(?<time>\#(isoTime)) +\[?\#(level)\]?:? +(?<message>.*)"#,
    #"\[(?<time>\#(isoTime))\] +\[?\#(level)\]?:? +(?<message>.*)"#,
    #"\[(?<time>\#(isoTime))\] (?<channel>[^\s.]+)\.\#(level): (?<message>.*)"#,
  ]

  /// Lines that begin with a time.
  static let suggestions = [
    #"\[(?<time>[^\]]*\d\d:\d\d[^\]]*)\] *(?<message>.*)"#,
    #"(?<time>\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d\S*) +(?<message>.*)"#,
    #"(?<time>(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d\S*) +(?<message>.*)"#,
  ]

  /// Whether a line begins with a bracket or with a date, and a colon follows soon.
  private static func mayBeEntry(_ line: ArraySlice<UInt8>) -> Bool {
    let start = Array(line.prefix(64))
    guard start.count > 8, start.contains(UInt8(ascii: ":")) || start[0] == UInt8(ascii: "<") else {
      return false
    }
    func isDigit(_ index: Int) -> Bool { start[index] &- UInt8(ascii: "0") < 10 }
    func isLetter(_ index: Int) -> Bool { (start[index] | 0x20) &- UInt8(ascii: "a") < 26 }
    switch start[0] {
    case UInt8(ascii: "["): return isDigit(1) || isLetter(1)
    case UInt8(ascii: "<"): return isDigit(1)
    default:
      let isYear = (0..<4).allSatisfy(isDigit) && "-/".utf8.contains(start[4])
      return isYear || (0..<3).allSatisfy(isLetter) && start[3] == 0x20
    }
  }

  /// The pattern that matches most lines, and at least half of those that do not begin with a blank;
  /// of several such patterns the first.
  static func pattern(
    of lines: [ArraySlice<UInt8>], among patterns: [String] = patterns
  ) -> GroupedPattern? {
    let entries = lines.filter { $0.first != 0x20 && $0.first != 0x09 }
    // Compiling the patterns takes longer than loading a small file.
    guard entries.prefix(3).contains(where: mayBeEntry) else { return nil }
    var best: (pattern: GroupedPattern, count: Int)?
    for text in patterns {
      guard let pattern = try? GroupedPattern(text) else { continue }
      let count = pattern.count(of: entries)
      if count * 2 >= entries.count, count > best?.count ?? 0 { best = (pattern, count) }
    }
    return best?.pattern
  }
}

extension GroupedPattern {
  /// The number of lines that the pattern matches.
  func count(of lines: [ArraySlice<UInt8>]) -> Int {
    let matcher = PatternMatcher(self)
    return lines.count { line in
      line.withUnsafeBufferPointer { matcher.match($0) == .match }
    }
  }
}
