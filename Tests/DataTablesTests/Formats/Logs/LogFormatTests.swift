import TestSupport
import Testing

@testable import DataTables

struct LogFormatTests {
  private func read(
    _ text: String, pattern: String? = nil, _ change: (inout ReadOptions) -> Void = { _ in }
  ) throws -> LoadedTable {
    var options = ReadOptions()
    if let pattern { try ReadOption.pattern.apply(.string(pattern), to: &options) }
    change(&options)
    return try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: "x.log", options: options)
  }

  @Test(
    arguments: [
      "Nov 22 19:22:39 web1 sshd[812]: session opened", "Nov  2 09:22:39 web1 kernel: eth0 up",
      "2024-11-22T19:22:39.120+01:00 web1 cron[1]: (root) CMD (true)",
      "<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - 'su root' failed",
      "[Wed Oct 11 14:32:52 2000] [error] [client 127.0.0.1] client denied",
      "[Fri Sep 09 10:42:29.902022 2011] [core:error] [pid 35708:tid 43] [client 72.15.99.187] File",
      "2024/11/22 19:22:39 [error] 31#31: *1 open() failed",
      "2024-11-22 19:22:39,120 - app.db - WARNING - slow",
      "2024-11-22 19:22:39.120 [main] INFO  com.example.App - started",
      "2024-11-22T19:22:39Z INFO started", "[2024-11-22 19:22:39] production.ERROR: failed {}",
      "10:00:00.123 [main] INFO  com.foo.Bar - msg", "10:00:00 WARN msg",
      "2024-01-01 10:00:00.123  INFO 71 --- [app] [  main] c.e.Server     : Started",
      "I0101 10:00:00.123456    1234 main.go:10] starting",
      "E20240101 10:00:00.123456    1234 dir/main.cc:10] starting",
      "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be bucket "
        + "[06/Feb/2019:00:00:38 +0000] 192.0.2.3 - 3E57 REST.GET.VERSIONING - "
        + "\"GET /bucket?versioning HTTP/1.1\" 200 - 113 - 7 - \"-\" \"S3Console/0.4\" - s9l SigV4",
      "[    0.000000] Linux version 5.10", "[   12.345678] usb 1-1: new device, a, b",
    ])
  func usualFormsAreReadWithoutOptions(line: String) throws {
    let loaded = try read("\(line)\n\(line)\n    at continuation\n\(line)\n")
    #expect(loaded.report.format == "log")
    #expect(loaded.table.count == 3)
    #expect(loaded.table.keys.contains("time"))
    #expect(loaded.report.rejected == 0)
    #expect(loaded.report.continued == 1)
    guard case .record(let record) = try loaded.table.object(at: 1) else { return }
    #expect(record.values.last?.json.hasSuffix("\\n    at continuation\"") ?? false)
    #expect(loaded.report.notes.first?.hasPrefix("detected `pattern: '") ?? false)
  }

  @Test func aDashInSyslogIsNull() throws {
    let loaded = try read(
      #"""
      <34>1 2003-10-11T22:14:15.003Z host su - ID47 - 'su root' failed
      <165>1 2003-08-24T05:14:15Z - evnt 12 - [a@1 x="]\"" y="-"][b@2] - started
      <165>1 2003-08-24T05:14:15Z - evnt 13 - [a@1]
      """#)
    #expect(
      try loaded.table.object(at: 0).json
        == #"{"priority":34,"time":"2003-10-11T22:14:15.003Z","host":"host","program":"su","pid":null,"#
        + #""id":"ID47","data":null,"message":"'su root' failed"}"#)
    #expect(
      try loaded.table.object(at: 1).json
        == #"{"priority":165,"time":"2003-08-24T05:14:15Z","host":null,"program":"evnt","pid":12,"#
        + #""id":null,"data":"[a@1 x=\"]\\\"\" y=\"-\"][b@2]","message":"- started"}"#)
    #expect(loaded.table.count == 3)
    #expect(loaded.report.columns.first { $0.key == "pid" }?.type == .integer)
  }

  @Test func anAccessOfABucketHasItsParts() throws {
    let owner = String(repeating: "7a", count: 32)
    let line =
      "\(owner) b [06/Feb/2019:00:00:38 +0000] 192.0.2.3 - 3E57 REST.GET.OBJECT a/b.txt "
      + "\"GET /b/a/b.txt HTTP/1.1\" 404 NoSuchKey 113 - 7 - \"-\" \"agent 1\" - s9l SigV4 -"
    let loaded = try read(line + "\n")
    let keys = loaded.table.keys
    guard case .record(let entry) = try loaded.table.object(at: 0) else { return }
    func value(_ key: String) -> String? {
      keys.firstIndex(of: key).map { entry.values[$0].json }
    }
    #expect(value("key") == "\"a/b.txt\"")
    #expect(value("request") == "\"GET /b/a/b.txt HTTP/1.1\"")
    #expect(value("status") == "404")
    #expect(value("referer") == "null")
    #expect(value("agent") == "\"agent 1\"")
    #expect(value("more") == "\" s9l SigV4 -\"")
  }

  @Test func linesWithATimeGetASuggestion() throws {
    let text = "2024-11-22 19:22:39 status installed bash\n2024-11-22 19:22:40 startup\n"
    let error = #expect(throws: TableError.self) { try read(text) }
    let pattern = error?.message.split(separator: "'").dropFirst().first.map(String.init)
    #expect(try read(text, pattern: pattern).table.count == 2)
  }

  @Test(
    arguments: [
      ("time,v\n2024-11-22 19:22:39,1\n2024-11-22 19:22:40,2\n", "CSV"),
      ("2024-11-22 19:22:39,INFO,a\n2024-11-22 19:22:40,INFO,b\n", "CSV"),
      ("{\"time\": \"2024-11-22\"}\n{\"time\": \"2024-11-23\"}\n", "NDJSON"),
      ("a\n1\n", "CSV"),
    ])
  func otherTextsAreNotLogs(text: String, format: String) throws {
    #expect(try read(text).report.format == format)
  }

  @Test func aPatternSelectsTheFormat() throws {
    let loaded = try read("a,1\nb,2\n# c\nzz\n", pattern: #"(?<x>\w),(?<y>\d)"#) {
      $0.commentPrefix = "#"
    }
    #expect(
      try loaded.table.objects(at: [0, 1]).map(\.json) == [
        #"{"x":"a","y":1}"#, #"{"x":"b","y":2}"#,
      ])
    #expect(loaded.report.rejects.map(\.reason) == ["does not match the pattern"])
  }

  @Test func aPatternOfPartsOfLinesGetsALongerOne() throws {
    let text = "1 a b\n2 c d\n"
    let error = #expect(throws: TableError.self) { try read(text, pattern: #"(?<n>\d+) "#) }
    #expect(error?.message.hasSuffix(#"use `pattern: '(?<n>\d+) (?<rest>.*)'`"#) ?? false)
  }

  @Test func aMalformedPatternIsAnError() {
    #expect(throws: TableError.self) { try read("a\n", pattern: "(?<x>") }
    #expect(throws: TableError.self) { try read("a\n", pattern: "a") }
  }

  @Test(arguments: [UInt64(1), 2])
  func linesAreMatchedAsByBacktracking(seed: UInt64) throws {
    let patterns = [#"(?<a>\w+) (?<b>.*)"#, #"(?<a>.*?) (?<b>.*)"#, #"(?<a>[^ ]*)(?: (?<b>.+))?"#]
    let pieces = ["a", "bc", " ", " ", "é", "\n", "\n", "\r\n", "漢", "x"]
    var random = SplitMix64(seed: seed)
    for round in 0..<200 {
      let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in random.one(of: pieces) }
        .joined()
      let pattern = random.one(of: patterns)
      let slow = try Self.slow(text, pattern)
      let fast = try LineReading(
        Array(text.utf8), PatternFields(pattern: try GroupedPattern(pattern)), keys: ["a", "b"],
        sizes: LineReading.randomSizes(&random))
      #expect(fast == slow, "seed \(seed), round \(round): \(pattern) on \(text.debugDescription)")
    }
  }

  private static func slow(_ text: String, _ pattern: String) throws -> LineReading {
    var reading = LineReading()
    /// The line ends and blank lines since the last row; nil if no row is open.
    var gap: String?
    for (index, part) in text.split(after: { $0 == "\n" || $0 == "\r\n" }).enumerated() {
      let line = part.last?.isNewline ?? false ? part.dropLast() : part[...]
      let end = String(part.suffix(part.count - line.count))
      guard line.contains(where: { $0 != " " }) else {
        gap = gap.map { $0 + part }
        continue
      }
      if let groups = try BacktrackingPattern(pattern, on: String(line)).match() {
        let scalars = Array(line.unicodeScalars)
        reading.rows.append(
          ["a", "b"].map { name in
            groups[name].flatMap { range in
              range.isEmpty ? nil : scalars[range].reduce(into: "") { $0.unicodeScalars.append($1) }
            }
          })
        gap = end
      } else if let between = gap, line.first == " ", !pattern.hasSuffix(")?") {
        let row = reading.rows.count - 1
        let message = reading.rows[row][1]
        // An empty message begins with the next line.
        let added = message == nil ? String(between.dropFirst()) : between
        reading.rows[row][1] = (message ?? "") + added + line
        gap = end
      } else {
        reading.rejected.append(index + 1)
        gap = nil
      }
    }
    return reading
  }

  @Test(arguments: ["combined", "common", "logfmt", "log", "fixed"])
  func damagedTextsAreErrorsOrRejects(format: String) throws {
    let entry = #"1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 1"#
    let pieces: [[UInt8]] = [
      Array(entry.utf8), Array("a=1 b=\"x y\"".utf8), [0xFF], [0x00], [0xC3], Array("\n".utf8),
      Array("  ".utf8), Array("Nov 22 19:22:39 h p: m".utf8), Array("\r\n".utf8), [0xF0, 0x9F],
      Array("é  12  3.4\n".utf8),
    ]
    var random = SplitMix64(seed: 7)
    for _ in 0..<300 {
      let text = (0..<Int.random(in: 0...30, using: &random)).flatMap { _ in random.one(of: pieces)
      }
      var options = ReadOptions()
      options.format = format
      do {
        let loaded = try FormatTable.core.read(MemoryBytes(text), named: "", options: options)
        let (table, report) = (loaded.table, loaded.report)
        // No line is lost: each is a row, continues one or is rejected, or has the keys.
        let lines = text.split(separator: 0x0A).count { $0.contains { $0 != 0x20 && $0 != 0x0D } }
        let found = table.count + report.rejected + report.continued
        #expect(
          found == lines || format == "fixed" && found == lines - 1,
          "\(format): \(String(decoding: text, as: UTF8.self).debugDescription)")
        let objects = try table.objects(at: Array(0..<table.count))
        for path in table.keys.map({ ObjectKeyPath(key: $0) }) {
          let column = try table.column(path, cancellation: Cancellation())
          #expect(column.count == objects.count)
        }
      } catch is TableError {}
    }
  }

  /// A text whose last line has no end for many times the limit.
  private struct EndlessLine: ByteStore {
    let start: [UInt8]
    let count = 64 << 20
    let limit: Int

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
      guard buffer.count <= limit * 8 else { throw TableError.io("\(buffer.count) bytes are read") }
      buffer.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "x"))
      for index in 0..<max(0, min(buffer.count, start.count - offset)) {
        buffer[index] = start[offset + index]
      }
      return min(buffer.count, count - offset)
    }
  }

  @Test(
    arguments: [
      ("log", "Nov 22 19:22:39 h p: m\nNov 22 19:22:39 h p: m\nNov 22 19:22:40 h p: "),
      ("log", "Nov 22 19:22:39 h p: m\nNov 22 19:22:39 h p: m\n  "), ("logfmt", "a=1\na=2\na="),
      ("common", "1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.0\" 200 1\n\n"),
      ("fixed", "name      count\nAnn          10\n"), ("csv", "a,b\n1,2\n"),
      ("csv", "a,b\n1,\"\n"),
      ("ndjson", "{\"a\": 1}\n{\"a\": \""),
    ])
  func anEndlessLineIsAnErrorInBoundedMemory(format: String, start: String) {
    var options = ReadOptions()
    options.format = format
    options.limits.row = 1 << 17
    let bytes = EndlessLine(start: Array(start.utf8), limit: 1 << 17)
    let error = #expect(throws: TableError.self) {
      try FormatTable.core.read(bytes, named: "", options: options)
    }
    let line = start.count { $0 == "\n" } + 1
    #expect(
      error?.message == "a row has more than 131,072 bytes at line \(line), column 1 "
        + "(`maxRow: 67108864` raises the limit)")
  }
}

extension String {
  /// The parts that end after a character.
  fileprivate func split(after isEnd: (Character) -> Bool) -> [String] {
    var parts = [""]
    for character in self {
      parts[parts.count - 1].append(character)
      if isEnd(character) { parts.append("") }
    }
    return parts
  }
}
