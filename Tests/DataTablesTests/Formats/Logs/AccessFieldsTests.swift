import TestSupport
import Testing

@testable import DataTables

struct AccessFieldsTests {
  /// The same rules as a regular expression that backtracks.
  private static let quoted = #"(?>"((?:\\.|[^\\])*?)"(?= |$))"#
  private static let entry =
    #"([^ ]+) ([^ ]+) (?>(.*?) \[(\d[^\]]*)\] )"# + quoted + #" (\d{3}|-) (\d+|-)"#

  @Test(arguments: [UInt64(1), 2, 3])
  func entriesAreThoseOfARegularExpression(seed: UInt64) throws {
    let expression = try Regex(
      Self.entry + "(?:(?: +" + Self.quoted + " +" + Self.quoted + #")? *)?"#)
    var random = SplitMix64(seed: seed)
    let fields = AccessFields(isCombined: true)
    for round in 0..<300 {
      let lines = (0..<Int.random(in: 0...12, using: &random)).map { _ in Self.line(&random) }
      var slow = LineReading()
      for (index, line) in lines.enumerated() {
        if line.allSatisfy({ $0 == " " || $0 == "\t" }) { continue }
        guard let match = try expression.wholeMatch(in: line) else {
          slow.rejected.append(index + 1)
          continue
        }
        slow.rows.append(Self.row(match.output.dropFirst().map { $0.substring.map(String.init) }))
      }
      let text = lines.joined(separator: "\n")
      let fast = try LineReading(
        Array(text.utf8), fields, keys: fields.keys, sizes: LineReading.randomSizes(&random))
      #expect(fast == slow, "seed \(seed), round \(round): \(text.debugDescription)")
    }
  }

  /// The cells for the groups of an entry: host ident user time request status bytes referer agent.
  private static func row(_ groups: [String?]) -> [String?] {
    let cells = groups.map { $0 == "-" || $0 == "" ? nil : $0 }
    var parts: [String?] = [nil, nil, nil]
    if let request = groups[4], let space = request.firstIndex(of: " "), space > request.startIndex,
      request[..<space].allSatisfy({ ("A"..."Z").contains($0) || $0 == "-" })
    {
      var path = request[request.index(after: space)...]
      if let last = path.lastIndex(of: " "), path[path.index(after: last)...].count > 5,
        path[path.index(after: last)...].first == "H",
        path[path.index(after: last)...].dropFirst(4).first == "/"
      {
        parts[2] = String(path[path.index(after: last)...])
        path = path[..<last]
      }
      parts[0] = request[..<space] == "-" ? nil : String(request[..<space])
      parts[1] = path.isEmpty || path == "-" ? nil : String(path)
    }
    return Array(cells[0...4]) + parts + Array(cells[5...])
  }

  /// An entry, usually with a mistake.
  private static func line(_ random: inout SplitMix64) -> String {
    let users = ["-", "frank", "john doe", "a [b"]
    let requests = [
      "GET /a HTTP/1.1", "-", "GET /b", "POST /c d HTTP/2", #"GET /\"x\" HTTP/1.0"#, "",
      #"\x16\x03"#,
      #"say "hi" now"#,
    ]
    let combined = Bool.random(using: &random)
    var line =
      "192.0.2.1 - \(random.one(of: users)) [10/Oct/2000:13:55:36 -0700] "
      + "\"\(random.one(of: requests))\" \(random.one(of: ["200", "-", "404"])) "
      + random.one(of: ["0", "-", "2326"])
    if combined { line += #" "-" "Mozilla/5.0 \"x\" (X11)""# }
    guard Bool.random(using: &random) else { return line }
    var characters = Array(line)
    for _ in 0..<Int.random(in: 1...3, using: &random) where !characters.isEmpty {
      let place = Int.random(in: 0..<characters.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: characters.remove(at: place)
      case 1: characters.insert(random.one(of: Array("\" [-\\]0")), at: place)
      default: characters.removeLast(characters.count - place)
      }
    }
    return String(characters)
  }

  private func read(_ text: String, _ change: (inout ReadOptions) -> Void = { _ in }) throws
    -> LoadedTable
  {
    var options = ReadOptions()
    change(&options)
    return try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: "x.log", options: options)
  }

  private static let entry1 =
    #"203.0.113.7 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326"#

  @Test func theFormIsRecognizedFromTheFirstLines() throws {
    let common = try read(Self.entry1 + "\n")
    #expect(common.report.format == "common log")
    #expect(
      try common.table.object(at: 0).json
        == ##"{"host":"203.0.113.7","ident":null,"user":"frank","time":"10/Oct/2000:13:55:36 -0700","request":"GET /a.gif HTTP/1.0","method":"GET","path":"/a.gif","protocol":"HTTP/1.0","status":200,"bytes":2326}"##
    )
    #expect(common.report.columns.map(\.type)[3] == .date)
    let combined = try read(Self.entry1 + #" "-" "curl/8""#)
    #expect(combined.table.keys.suffix(2) == ["referer", "agent"])
    let more = try read(Self.entry1 + #" "-" "curl/8" "10.0.0.1""#)
    #expect(more.table.keys.last == "more")
    let host = try read("example.com:80 " + Self.entry1)
    #expect(host.table.keys.prefix(2) == ["vhost", "host"])
  }

  @Test func aWrongFormNamesTheRightOne() {
    let error = #expect(throws: TableError.self) {
      try read(Self.entry1 + #" "-" "curl/8""#) { $0.format = "common" }
    }
    #expect(error?.message.hasSuffix("use `format: combined`") ?? false)
  }

  @Test func anEmptyLogHasTheKeys() throws {
    let loaded = try read("") { $0.format = "combined" }
    #expect(loaded.table.count == 0)
    #expect(loaded.table.keys.first == "host")
  }
}
