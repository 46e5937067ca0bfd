import Foundation
import Glibc
import TestServer
import TestSupport
import Testing

/// Programs that run for long use no more memory, descriptors, threads and files than at first.
///
/// `DSSHELL_SOAK=60` repeats the rounds of each test for as many minutes, and prints what was used.
@Suite struct SoakTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/tmp", withIntermediateDirectories: true)
  }

  private var environment: [String: String] {
    ["TMPDIR": folder.path + "/tmp", "XDG_CACHE_HOME": folder.path + "/cache"]
  }

  /// Rows that differ in each round.
  private static func rows(_ round: Int) -> String {
    "name,n\n" + (0..<40 + round % 7).map { "row \($0),\(($0 + round % 3) % 17)\n" }.joined()
  }

  @Test func fetchesEditsAndChangesOfFilesStayFlat() async throws {
    try await TestServer.run { server in
      let path = folder.path
      try folder.write("rows.csv", Self.rows(0))
      let session = try TerminalSession.prompt(in: folder, [], environment, width: 200)
      for (command, text) in [
        ("option pager off; option rows 3", ""),
        ("let rows = load \(path)/rows.csv; watch rows", "watched"),
        ("save rows \(path)/d.sqlite table: t; let d = open \(path)/d.sqlite", ""),
        ("let groups = sectioned rows key: n sort: n, name | fetch", "17 sections"),
        ("let top = fetchedResults rows sort: n desc, name where: n > 3 | fetch", "objects"),
        ("let both = multi groups d.t | fetch", "objects"),
        ("let pages = paginated \(server.url)/pages?total=40 keyPath: items pageSize: 7", ""),
        ("let answer = remote \(server.url)/modified; let gone = remote \(server.url)/none", ""),
        ("fetch pages all: true", "40 objects"), ("fetch answer", "object"),
        ("fetch d.t", "40 objects"),
        ("serve groups top both", ": http://127.0.0.1:"),
      ] {
        try session.run(command, shows: text)
      }
      session.type("serve\r")
      try session.expect(": http://127.0.0.1:")
      let parts = try session.expect("/\r\n").split(separator: "/")
      let port = try #require(UInt16(parts[0]))
      let address = "/\(parts[1])/events?after=0"
      var browsers = try (0..<10).map { _ in try OpenStream(port: port, path: address) }
      var soak = Soak("prompt", session.identifier, folder: path + "/tmp")
      // Those that succeed are kept for `history save`.
      soak.commandsInRound = 24
      try soak.run { round in
        try folder.replace("rows.csv", Self.rows(round))
        for command in [
          "fetch rows; fetch both; fetch d.t; fetch top", "fetch pages all: true",
          "fetch answer; fetch gone",
          "insert rows {name: new, n: 3}; update rows where: n == 5 name: \"five\"",
          "undo rows; redo rows; undo rows; undo rows",
          "sections groups with: @sum.n; describe d.t",
          "explain top; tree both; indexPath top where: n == 9", "filtered rows whre: n; fetch x",
          "save top \(path)/out.json overwrite: true; let d = open \(path)/d.sqlite",
          "fetch pages async: true; cancel pages; let both = multi groups d.t | fetch",
        ] {
          session.type(command + "\r")
        }
        session.type("print [\(round)]\r")
        let shown = try session.expect("\r\n[\(round)]\r\n")
        // `fetch gone`, the mistyped label, and `fetch x`.
        #expect(shown.split(separator: "error: ", omittingEmptySubsequences: false).count == 4)
        // One browser goes, another comes; the first one reads nothing.
        for browser in browsers.dropFirst() { browser.skip() }
        browsers.removeLast()
        browsers.insert(try OpenStream(port: port, path: address), at: 1)
        session.forget()
      }
      browsers = []
      session.type("quit\rquit\r")
      #expect(try session.end().status == 0)
      soak.check()
    }
  }

  @Test(.requiresBrowser) func aPageInSeveralBrowsersStaysFlat() throws {
    try folder.write("rows.csv", Self.rows(0))
    let session = try TerminalSession.prompt(in: folder, [], environment, width: 200)
    try session.run(
      "option pager off; let rows = load \(folder.path)/rows.csv; watch rows", shows: "watched")
    try session.run(
      "let groups = sectioned rows key: n sort: n, name | fetch", shows: "17 sections")
    session.type("serve groups rows\r")
    try session.expect(": http://")
    let address = "http://" + (try session.expect("/\r\n")) + "/"
    try session.expect("ds> ")
    let browser = try Chromium()
    // Ten take a processor for themselves.
    let pages = try (0..<(Soak.minutes == nil ? 2 : 10)).map { _ in
      try BrowserPage(address, in: browser, isAlone: true)
    }
    let isConnected = "document.querySelector('#connection')?.textContent === 'connected'"
    for page in pages { try page.wait(for: isConnected) }
    var soak = Soak("page", session.identifier, folder: folder.path + "/tmp")
    soak.commandsInRound = 6
    try soak.run { round in
      try folder.replace("rows.csv", Self.rows(round))
      session.type("fetch rows; insert rows {name: \"new \(round)\", n: -1}\r")
      session.type("undo rows; insert rows {name: \"left \(round)\", n: -2}; print [\(round)]\r")
      try session.expect("\r\n[\(round)]\r\n")
      for page in pages {
        try page.wait(for: "document.querySelector('#grid').textContent.includes('left \(round)')")
      }
      session.type("undo rows\r")
      let page = pages[round % pages.count]
      try page.send("Page.reload")
      try page.wait(for: isConnected)
      session.forget()
    }
    session.type("quit\rquit\r")
    #expect(try session.end().status == 0)
    soak.check()
  }

  @Test func testsInALoopStayFlat() throws {
    let suite = folder.path + "/suite"
    try FileManager.default.createDirectory(
      atPath: suite, withIntermediateDirectories: true)
    try folder.write("suite/rows.csv", Self.rows(0))
    for number in 0..<4 {
      try folder.write(
        "suite/\(number).ds",
        "let s = load rows.csv | fetch\n#| s: 1 section, 40 objects\nsave s copy.csv\n")
    }
    let session = try TerminalSession(
      ["test", "--watch", "--jobs", "2", suite],
      environment: environment.merging(["NO_COLOR": "1"]) { $1 }, width: 200)
    try session.expect("4 files, 4 sections: 4 passed")
    try session.expect("Ctrl-C ends\r\n")
    var soak = Soak("watch", session.identifier, folder: folder.path + "/tmp")
    try soak.run { round in
      // Each fifth round fails, and each seventh does not parse.
      let text = round % 7 == 0 ? "print 'x" : "print \(round)\n#| \(round % 5 == 0 ? 0 : round)\n"
      try folder.replace("suite/changed.ds", text)
      // A change can be seen twice.
      let passes = round % 7 != 0 && round % 5 != 0
      while try session.expect("Ctrl-C ends\r\n").contains("1 passed") != passes {}
      let whole = try finish(["test", "--jobs", "2", suite], environment: environment)
      #expect((0...3).contains(whole.status) && whole.errors == "", "\(whole)")
      session.forget()
    }
    session.type("\u{3}")
    #expect(try session.end().status == 130)
    soak.check()
  }
}

/// The resources of a process after each round of its work.
private struct Soak {
  struct Usage {
    /// Memory that no file backs, in KiB, of the process and its children.
    var memory = 0
    var descriptors = 0
    var threads = 0
    var processes = 0
    /// The entries of the folder for temporary files.
    var files = 0
  }

  private let name: String
  private let process: pid_t
  private let folder: String
  private var usages: [Usage] = []
  /// The number of commands that a session logs in a round, each in up to 2 KiB.
  var commandsInRound = 0

  static let minutes =
    ProcessInfo.processInfo.environment["DSSHELL_SOAK"].flatMap { Double($0) }

  init(_ name: String, _ process: pid_t, folder: String) {
    (self.name, self.process, self.folder) = (name, process, folder)
  }

  /// Repeats a round, which is given its number from 1.
  mutating func run(_ round: (Int) throws -> Void) throws {
    let end = Date().addingTimeInterval((Self.minutes ?? 0) * 60)
    var number = 0
    repeat {
      number += 1
      try round(number)
      usages.append(usage)
    } while Self.minutes == nil ? number < 8 : Date() < end
  }

  /// Expects the last quarter of the rounds to use no more than the second: the first fills caches.
  func check() {
    let quarter = usages.count / 4
    let early = most(usages[quarter..<2 * quarter])
    let late = most(usages.suffix(quarter))
    if Self.minutes != nil {
      print("soak: \(name), \(usages.count) rounds")
      for (part, usage) in [("second", early), ("last", late)] {
        print(
          "soak: \(part) quarter: \(usage.memory) KiB, \(usage.descriptors) descriptors,",
          "\(usage.threads) threads, \(usage.processes) processes, \(usage.files) files")
      }
    }
    // The process was there and could be measured.
    #expect(early.memory > 0 && early.descriptors > 0 && early.threads > 0)
    let logged = commandsInRound * 2 * (usages.count - quarter)
    // The allocator keeps free memory, more or less of it.
    #expect(late.memory <= early.memory * 11 / 10 + 4096 + logged, "KiB")
    #expect(late.descriptors <= early.descriptors + 2, "descriptors")
    #expect(late.threads <= early.threads + 2, "threads")
    #expect(late.processes <= early.processes, "processes")
    #expect(late.files <= early.files, "temporary files")
  }

  private func most(_ usages: ArraySlice<Usage>) -> Usage {
    usages.reduce(into: Usage()) { most, usage in
      for path in [\Usage.memory, \.descriptors, \.threads, \.processes, \.files] {
        most[keyPath: path] = max(most[keyPath: path], usage[keyPath: path])
      }
    }
  }

  private var usage: Usage {
    var usage = Usage()
    for identifier in [process] + ShellProcess.children(of: process) {
      let place = "/proc/\(identifier)"
      usage.processes += 1
      usage.memory += Self.number("RssAnon:", in: place + "/status")
      usage.threads += Self.number("Threads:", in: place + "/status")
      usage.descriptors += Self.entries(of: place + "/fd")
    }
    usage.files = FileManager.default.enumerator(atPath: folder)?.allObjects.count ?? 0
    return usage
  }

  private static func number(_ name: String, in file: String) -> Int {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }

  private static func entries(of folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }
}
