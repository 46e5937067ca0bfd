internal import Synchronization

/// Patterns of logs that are read without options, and the pattern that is suggested for others.
enum KnownLogs {
  private static let clock = #"\d\d:\d\d:\d\d"#
  private static let isoTime =
    #"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"#
  private static let program = #"(?<program>[^\s:\[]+)(?:\[(?<pid>\d+)\])?: (?<message>.*)"#
  /// A group of one word, which `-` is not.
  private static func word(_ name: String) -> String { #"(?:-|(?<\#(name)>\S+))"# }
  private static func quoted(_ name: String) -> String { #"(?:-|"-"|"(?<\#(name)>[^"]*)")"# }
  private static let level =
    "(?<level>TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|"
    + "trace|debug|info|notice|warn|warning|error|critical|fatal)"

  /// From the most specific on.
  static let patterns = [
    // Syslog as files contain it (RFC 3164), also from journalctl, then with ISO times.
    KnownLog("Aaa ", #"(?<time>[A-Z][a-z]{2} [ \d]\d \#(clock)) (?<host>\S+) \#(program)"#),
    KnownLog("0000-00-00T", #"(?<time>\#(isoTime)) (?<host>\S+) \#(program)"#),
    // Syslog as it is sent (RFC 5424), in which `-` stands for a missing value.
    KnownLog(
      "<0",
      #"<(?<priority>\d+)>1 \#(word("time")) \#(word("host")) \#(word("program")) \#(word("pid")) \#(word("id")) (?:-|(?<data>(?:\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])+)) ?(?<message>.*)"#
    ),
    // Errors of Apache and nginx.
    KnownLog(
      "[Aaa Aaa ",
      #"\[(?<time>[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \#(clock)(?:\.\d+)? \d{4})\] \[(?:(?<module>[^:\]]*):)?(?<level>\w+)\] (?:\[pid (?<pid>[^\]]*)\] )?(?:\[client (?<client>[^\]]*)\] )?(?<message>.*)"#
    ),
    KnownLog(
      "0000/00/00 ",
      #"(?<time>\d{4}/\d\d/\d\d \#(clock)) \[(?<level>\w+)\] (?<pid>\d+)#(?<thread>\d+): (?<message>.*)"#
    ),
    // The messages of the kernel (dmesg), in seconds since the start.
    KnownLog("[", #"\[ *(?<time>\d+\.\d{6})\] (?<message>.*)"#),
    // The usual forms of logging libraries.
    KnownLog(
      "0000-00-00",
      #"(?<time>\#(isoTime)) - (?<logger>\S+) - \#(level) - (?<message>.*)"#),
    KnownLog(
      "0000-00-00",
      #"(?<time>\#(isoTime)) +\#(level) +(?<pid>\d+) --- (?:\[(?<application>[^\]]*)\] )?\[ *(?<thread>[^\]]*)\] (?<logger>\S+) *: (?<message>.*)"#
    ),
    KnownLog(
      "0000-00-00",
      #"(?<time>\#(isoTime)) \[(?<thread>[^\]]*)\] \#(level) +(?<logger>\S+) +(?:- |: )?(?<message>.*)"#
    ),
    KnownLog(
      "0000-00-00",
      #"(?<time>\#(isoTime)) \| \#(level) +\| (?<logger>[^\s|]+) (?:- |\| )(?<message>.*)"#),
    KnownLog(
      "0000-00-00", #"(?<time>\#(isoTime)) +\[?\#(level)\]?:? +(?<message>.*)"#),
    KnownLog(
      "[0000-00-00", #"\[(?<time>\#(isoTime))\] +\[?\#(level)\]?:? +(?<message>.*)"#),
    KnownLog(
      "[0000-00-00",
      #"\[(?<time>\#(isoTime))\] (?<channel>[^\s.]+)\.\#(level): (?<message>.*)"#),
    // Times without a day.
    KnownLog(
      "00:00:00",
      #"(?<time>\#(clock)(?:[.,]\d+)?) \[(?<thread>[^\]]*)\] \#(level) +(?<logger>\S+) +(?:- |: )?(?<message>.*)"#
    ),
    KnownLog(
      "00:00:00", #"(?<time>\#(clock)(?:[.,]\d+)?) +\[?\#(level)\]?:? +(?<message>.*)"#),
    // Logs of Go programs (glog, klog).
    KnownLog(
      "A0000",
      #"(?<level>[IWEF])(?<time>\d{4,8} \#(clock)(?:\.\d+)?) +(?<thread>\d+) (?<source>[^\s\]]+:\d+)\] ?(?<message>.*)"#
    ),
    // The requests of a bucket (Amazon S3).
    KnownLog(
      "",
      #"(?<owner>\S+) (?<bucket>\S+) \[(?<time>[^\]]*)\] \#(word("host")) \#(word("requester")) (?<id>\S+) (?<operation>\S+) \#(word("key")) \#(quoted("request")) \#(word("status")) \#(word("error")) \#(word("bytes")) \#(word("size")) \#(word("duration")) \#(word("turnaround")) \#(quoted("referer")) \#(quoted("agent")) \#(word("version"))(?<more>.*)"#
    ),
  ]

  /// Lines that begin with a time.
  static let suggestions = [
    KnownLog("[", #"\[(?<time>[^\]]*\d\d:\d\d[^\]]*)\] *(?<message>.*)"#),
    KnownLog("0000", #"(?<time>\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d\S*) +(?<message>.*)"#),
    KnownLog(
      "Aaa ",
      #"(?<time>(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d\S*) +(?<message>.*)"#),
  ]

  /// The pattern that matches most of the lines that do not begin with a blank; nil if none matches
  /// half of them. If several patterns match equally many lines, the first is returned.
  static func pattern(
    of lines: [ArraySlice<UInt8>], among patterns: [KnownLog] = patterns
  ) -> GroupedPattern? {
    let entries = lines.filter { !($0.first?.isBlank ?? true) }
    // All patterns but one begin with a time; few other texts do, and they need no pattern.
    guard beginWithTimes(entries) || entries.first.map(beginsWithOwner) == true else { return nil }
    var best: (pattern: GroupedPattern, count: Int)?
    for known in patterns where best.map({ $0.count < entries.count }) ?? true {
      // Most patterns need not be compiled.
      guard entries.count(where: known.mayMatch) * 2 >= entries.count, let pattern = known.pattern
      else { continue }
      let count = pattern.count(of: entries)
      if count * 2 >= entries.count, count > best?.count ?? 0 { best = (pattern, count) }
    }
    return best?.pattern
  }

  /// Whether at least half of the lines that do not begin with a blank begin with a time.
  static func beginWithTimes(_ lines: [ArraySlice<UInt8>]) -> Bool {
    let entries = lines.filter { !($0.first?.isBlank ?? true) }
    return !entries.isEmpty
      && entries.count(where: { $0.withUnsafeBufferPointer(beginsWithTime) }) * 2 >= entries.count
  }

  private static let longestTime = 48

  /// Whether one of the first characters of a line is a colon between digits, or the line begins
  /// with seconds in brackets.
  static func beginsWithTime(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    if line.first == UInt8(ascii: "["), beginsWithSeconds(line) { return true }
    let count = min(line.count, longestTime)
    return (1..<max(1, count - 1)).contains { index in
      line[index] == UInt8(ascii: ":") && line[index - 1].isDigit && line[index + 1].isDigit
    }
  }

  /// Whether a line begins with the 64 digits that identify the owner of a bucket.
  private static func beginsWithOwner(_ line: ArraySlice<UInt8>) -> Bool {
    line.prefix { ($0 | 0x20) &- UInt8(ascii: "a") < 6 || $0.isDigit }.count == 64
  }

  /// Whether a line begins like `[   12.345678]`.
  private static func beginsWithSeconds(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    let number = line.dropFirst().prefix(longestTime).drop { $0 == UInt8(ascii: " ") }
    let digits = number.prefix(while: \.isDigit).count
    guard digits > 0, number.dropFirst(digits).first == UInt8(ascii: ".") else { return false }
    let fraction = number.dropFirst(digits + 1)
    return fraction.prefix(while: \.isDigit).count == 6
      && fraction.dropFirst(6).first == UInt8(ascii: "]")
  }
}

/// A pattern that is compiled on first use.
final class KnownLog: Sendable {
  /// The first characters of a line: `A` for a capital letter, `a` for a small one, `0` for a digit,
  /// other characters for themselves.
  private let start: StaticString
  private let text: String
  private let compiled = Mutex<GroupedPattern?>(nil)

  init(_ start: StaticString, _ text: String) {
    self.start = start
    self.text = text
  }

  var pattern: GroupedPattern? {
    compiled.withLock { compiled in
      compiled = compiled ?? (try? GroupedPattern(text))
      return compiled
    }
  }

  /// Whether a line begins as the lines that match.
  func mayMatch(_ line: ArraySlice<UInt8>) -> Bool {
    start.withUTF8Buffer { start in
      guard line.count >= start.count else { return false }
      return zip(start, line).allSatisfy { form, byte in
        switch form {
        case UInt8(ascii: "A"): byte &- UInt8(ascii: "A") < 26
        case UInt8(ascii: "a"): byte &- UInt8(ascii: "a") < 26
        case UInt8(ascii: "0"): byte.isDigit
        default: byte == form
        }
      }
    }
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
