import DSInterpreter
import DSRendering
import DSReplay
import DataSources
import DataTables
import Foundation
import Testing

@Suite struct RecordingTests {
  let folder = FileManager.default.temporaryDirectory.path + "/replay-record-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/data", withIntermediateDirectories: true)
    try "name\nPie\nTea\n".write(
      toFile: folder + "/data/foods.csv", atomically: true, encoding: .utf8)
    try "n\n".appending((1...150).map { "\($0)\n" }.joined()).write(
      toFile: folder + "/data/long.csv", atomically: true, encoding: .utf8)
  }

  /// Types lines and returns the output.
  func type(_ lines: [String], environment: [String: String] = [:]) async throws -> [String] {
    var session = Session()
    session.commands = .replay
    session.options.isInteractive = true
    session.options.styles = Styles.described
    session.options.folder = folder
    session.options.environment = { environment[$0] }
    var interpreter = Interpreter(session: session)
    var output: [String] = []
    for line in lines {
      try await interpreter.run(line) { event, _ in
        switch event {
        case .output(let result):
          if case .text(let lines, _) = result.content { output += lines }
          output += result.warnings.map { "warning: " + $0 }
        case .failure(let diagnostic): output.append("error: " + diagnostic.message)
        }
      }
    }
    return output.map { $0.replacingOccurrences(of: folder + "/", with: "") }
  }

  func read(_ name: String) throws -> String {
    try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
  }

  @Test func secretsThatAServerSendsBackAreNotRecorded() async throws {
    // The second value is the base64 of the secret.
    try "text\nyou sent s3cr3t-value!\nczNjcjN0LXZhbHVl\n".write(
      toFile: folder + "/data/echo.csv", atomically: true, encoding: .utf8)
    _ = try await type(
      [
        "record echo.ds", "stub http://example.test/echo data/echo.csv",
        "let e = remote http://example.test/echo headers: {X-Key: env TOKEN}", "fetch e",
        "objects e", "record off",
      ], environment: ["TOKEN": "s3cr3t-value"])
    let recorded = try read("echo.ds")
    #expect(!recorded.contains("s3cr3t") && !recorded.contains("czNjcjN0"))
    #expect(recorded.hasSuffix("objects e\n#| text\n#~ you sent {*}!\n#~ {*}\n"))
  }

  @Test func typedCommandsBecomeAPassingTest() async throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/tests", withIntermediateDirectories: true)
    let output = try await type([
      "record tests/foods.ds", "load data/foods.csv", "count", "object foods [0, 9]",
      "print \"{int} \"", "let l = sectioned foods key: name; fetch", "record off", "count foods",
    ])
    #expect(
      output == [
        "recording tests/foods.ds until `record off`",
        "error: row 9 is out of range: section 0 of foods has 2 objects (0..<2)",
        "recorded 6 commands in tests/foods.ds",
      ])
    let recorded = try read("tests/foods.ds")
    #expect(
      recorded == """
        #!/usr/bin/env dsshell
        load ../data/foods.csv
        #| foods: 2 objects, 1 key (name string), CSV, UTF-8
        count foods
        #| 2
        object foods [0, 9]
        #! error: row 9 is out of range: section 0 of foods has 2 objects (0..<2)
        print "{int} "
        #| {int}\\s
        let l = sectioned foods key: name
        #| l: sectioned over foods, not fetched yet (fetch l)
        fetch l
        #| l: 2 sections, 2 objects

        """)
    let path = folder + "/tests/foods.ds"
    let outcome = await ReplayRunner()
      .run(ReplayScript(try read("tests/foods.ds"), path: path, commands: .replay))
    #expect(outcome.problems == [])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func outputThatDependsOnTheClockBecomesAHole() async throws {
    let output = try await type(["record a.ds", "timer on", "print 1", "timer off", "record off"])
    #expect(output.last == "recorded 3 commands in a.ds, 1 hole")
    #expect(
      try read("a.ds")
        == "#!/usr/bin/env dsshell\ntimer on\nprint 1\n#| 1\n#! {num} ms\ntimer off\n")
    let outcome = await ReplayRunner().run(ReplayScript(try read("a.ds"), path: folder + "/a.ds"))
    #expect(outcome.problems == [])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func anExistingFileIsNotOverwritten() async throws {
    #expect(
      try await type(["record data/foods.csv"])
        == ["error: `data/foods.csv` already exists; name a new file"])
    #expect(try read("data/foods.csv").hasPrefix("name"))
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func recordingsDoNotNest() async throws {
    let output = try await type(["record off", "record a.ds", "record b.ds", "record off"])
    #expect(
      output == [
        "error: no recording is in progress (record FILE)",
        "recording a.ds until `record off`", "error: a recording is in progress (record off)",
        "recorded 0 commands in a.ds",
      ])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func theExamplesOfHelpRun() async throws {
    let output = try await type(RecordCommand.examples)
    #expect(output.count == 2 && !output.contains { $0.hasPrefix("error") })
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func everyTypedCommandIsRecordedOrReported() async throws {
    try "print 7\nobject nothing\nprint (\n".write(
      toFile: folder + "/broken.ds", atomically: true, encoding: .utf8)
    try "print 7\nprint 8\n".write(toFile: folder + "/inner.ds", atomically: true, encoding: .utf8)
    let output = try await type([
      "record a.ds", "let records = simple [1, 2]", "records | count", "print ]", "print (",
      "source inner.ds", "source broken.ds", "mode csv",
      "objects (simple [{a: \"k\\rprint 777 # \"}])", "record off",
    ])
    #expect(
      output.last
        == "warning: `print (` was not recorded: it does not parse, and neither would the lines below it"
    )
    #expect(output.contains("recorded 7 commands in a.ds"))
    let text = try read("a.ds")
    #expect(
      text == """
        #!/usr/bin/env dsshell
        let records = simple [1, 2]
        #| records: 1 section, 2 objects
        records | count
        #| 2
        print ]
        #! error: expected a value, not `]`
        source inner.ds
        #| 7
        #| 8
        source broken.ds
        #! error: object needs an index path: `object SOURCE [SECTION, ROW]`
        #! error: this `(` is not closed
        mode csv
        objects (simple [{a: "k\\rprint 777 # "}])
        #| a
        #~ "k{*}print 777 # "

        """)
    let outcome = await ReplayRunner().run(ReplayScript(text, path: folder + "/a.ds"))
    #expect(outcome.problems == [])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func aBlockThatFailsIsRecorded() async throws {
    let output = try await type([
      "record a.ds", "let x = simple [1, 2]",
      "for n in [1, 2, 3] { print n; object x [0, $n] }",
      "for n in [1] { print n; print m }", "record off",
    ])
    #expect(output.last == "recorded 3 commands in a.ds")
    let text = try read("a.ds")
    #expect(
      text.hasSuffix(
        """
        for n in [1, 2, 3] { print n; object x [0, $n] }
        #| 1
        #| 2
        #| 2
        #! error: row 2 is out of range: section 0 of x has 2 objects (0..<2)
        for n in [1] { print n; print m }
        #! error: nothing is named `m`; write `"m"` to mean the string

        """), "\(text)")
    let outcome = await ReplayRunner().run(ReplayScript(text, path: folder + "/a.ds"))
    #expect(outcome.problems == [])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func whatWasDefinedBeforeComesFirst() async throws {
    let output = try await type([
      "load data/foods.csv", "let other = simple [1]", "let l = sectioned foods key: name",
      "fetch l", "record a.ds", "print 1", "count l", "let other = simple [2]", "count other",
      "record off",
    ])
    #expect(output.last == "recorded 4 commands in a.ds")
    let text = try read("a.ds")
    #expect(
      text == """
        #!/usr/bin/env dsshell
        load data/foods.csv
        let l = sectioned foods key: name
        fetch l
        print 1
        #| 1
        count l
        #| 2
        let other = simple [2]
        #| other: 1 section, 1 object
        count other
        #| 1

        """)
    let outcome = await ReplayRunner().run(ReplayScript(text, path: folder + "/a.ds"))
    #expect(outcome.problems == [])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func onlyWhatDefinesOrChangesComesFirst() async throws {
    let output = try await type([
      "load data/foods.csv", "top foods 1 by: name", "help top", "save foods out.csv",
      "simple [1, 2] | fetch", "filtered foods where: name == 'Pie' | fetch", "object foods [0, 0]",
      "insert foods {name: Fig}", "record a.ds", "count foods", "top foods 2 by: name",
      "record off",
    ])
    #expect(output.last == "recorded 2 commands in a.ds")
    let text = try read("a.ds")
    #expect(
      text.split(separator: "\n").filter { !$0.hasPrefix("#") } == [
        "load data/foods.csv", "filtered foods where: name == 'Pie' | fetch",
        "insert foods {name: Fig}", "count foods", "top foods 2 by: name",
      ])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func recordingIsNotPartOfASession() async throws {
    _ = try await type(["record a.ds", "print 1", "record off", "history", "history save s.ds"])
    #expect(try read("s.ds") == "#!/usr/bin/env dsshell\nprint 1\n")
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func aFailedExpectationIsNotWanted() async throws {
    try "expect 1 == 2\n".write(toFile: folder + "/wrong.ds", atomically: true, encoding: .utf8)
    let output = try await type([
      "record a.ds", "expect 1 == 1", "expect 1 == 3", "expect nothing == 1", "source wrong.ds",
      "print nothing", "record off",
    ])
    #expect(
      output.suffix(4) == [
        "recorded 2 commands in a.ds",
        "warning: `expect 1 == 3` failed and was not recorded",
        "warning: `expect nothing == 1` failed and was not recorded",
        "warning: `source wrong.ds` failed and was not recorded",
      ])
    #expect(
      try read("a.ds") == """
        #!/usr/bin/env dsshell
        expect 1 == 1
        print nothing
        #! error: nothing is named `nothing`; write `"nothing"` to mean the string

        """)
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func aCommandIsOnTheDiskWhenItIsDone() async throws {
    _ = try await type(["record a.ds", "print 1"])
    #expect(try read("a.ds") == "#!/usr/bin/env dsshell\nprint 1\n#| 1\n")
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func aLongOutputIsRecordedAsItsDigest() async throws {
    _ = try await type([
      "option rows null", "let long = load data/long.csv", "record a.ds", "objects long",
      "record off",
    ])
    let text = try read("a.ds")
    #expect(text.split(separator: "\n").count == 5)
    #expect(text.contains("objects long\n#... 151 lines, sha256 "))
    let outcome = await ReplayRunner().run(ReplayScript(text, path: folder + "/a.ds"))
    #expect(outcome.problems == [])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func theBaseOfURLsIsRecorded() async throws {
    _ = try await type([
      "option base http://example.test/v1", "record a.ds", "remote /foods", "record off",
    ])
    #expect(
      try read("a.ds") == """
        #!/usr/bin/env dsshell
        option base http://example.test/v1
        remote /foods
        #| (remote): remote, not fetched yet

        """)
    try FileManager.default.removeItem(atPath: folder)
  }
}
