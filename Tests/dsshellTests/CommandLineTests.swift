import Glibc
import Testing

@Suite struct CommandLineTests {
  @Test func theVersionIsAResult() throws {
    let result = try dsshell("--version")
    #expect(result.output == "dsshell 0.1.0\n")
    #expect(result.errors == "" && result.status == 0)
  }

  @Test func helpNamesEveryOptionAndStatus() throws {
    let result = try dsshell("--help")
    for word in ["-c <commands>", "--output", "--keep-going", "--no-color", "130 interrupted"] {
      #expect(result.output.contains(word))
    }
    #expect(result.errors == "" && result.status == 0)
  }

  @Test(arguments: [["--bad"], ["--output", "xml"], ["-c"], ["/nonexistent/a.ds"]])
  func badUsageIsTwo(arguments: [String]) throws {
    let result =
      arguments.count == 1 ? try dsshell(arguments[0]) : try dsshell(arguments[0], arguments[1])
    #expect(result.status == 2)
    #expect(result.output == "" && !result.errors.isEmpty)
  }

  @Test func anUnknownStyleIsRefusedWithTheKnownOnes() throws {
    #expect(try dsshell("--output", "xml").errors.contains("markdown"))
  }

  @Test func noCommandsSucceed() throws {
    let result = try dsshell("-c", "")
    #expect(result.status == 0 && result.output == "" && result.errors == "")
  }

  @Test func commandsAreRun() throws {
    let result = try dsshell("-c", "print [1, 2]; print \"x\"")
    #expect(result.output == "[1, 2]\nx\n")
    #expect(result.errors == "" && result.status == 0)
  }

  @Test func aScriptIsReadFromAPipe() throws {
    #expect(try dsshell(input: "print 1\nprint 2\n").output == "1\n2\n")
    #expect(try dsshell("-", input: "print 1").output == "1\n")
    #expect(try dsshell(input: "").status == 0)
  }

  @Test func aScriptThatDoesNotParseIsNotRun() throws {
    let result = try dsshell("-", input: "print 1\nprint [\n")
    #expect(result.status == 3)
    #expect(result.output == "")
    #expect(result.errors.hasPrefix("stdin:2:"))
  }

  @Test func aScriptWithMistakesIsNotRun() throws {
    let script = "let letters = simple [1]\nsave letters out.csv\nshow lettters\nmode jsn\n"
    for result in [
      try dsshell("-", input: script), try dsshell("--keep-going", "-", input: script),
    ] {
      #expect(result.status == 3 && result.output == "")
      #expect(result.errors.hasPrefix("stdin:3:6: error: no source named `lettters`"))
      #expect(result.errors.contains("stdin:4:6: error: unknown mode `jsn`"))
    }
    #expect(try dsshell("-c", "print 1; print x").status == 3)
    // A name of the data or of an earlier script is known.
    let folder = try TemporaryFolder()
    let data = try folder.write("foods.csv", "name\nPie\n")
    let first = try folder.write("first.ds", "let n = count foods\n")
    let second = try folder.write("second.ds", "print n\nprint m\n")
    let result = try dsshell(data, first, second)
    #expect(result.status == 3)
    #expect(result.errors.contains("second.ds:2:7: error: nothing is named `m`"))
    #expect(try dsshell(data, "-c", "count foods").output.hasSuffix("1\n"))
  }

  @Test func aFailureEndsAScript() throws {
    let script = "print 1\nexpect 1 == 2\nprint 3\n"
    let result = try dsshell("-", input: script)
    #expect(result.status == 1)
    #expect(result.output == "1\n")
    #expect(result.errors.hasPrefix("stdin:2:8: error:"))
    let kept = try dsshell("--keep-going", "-", input: script)
    #expect(kept.status == 1)
    #expect(kept.output == "1\n3\n")
  }

  @Test func errorsOfTypedCommandsNameNoFile() throws {
    let result = try dsshell("-c", "expect 1 == 2")
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("error:"))
  }

  @Test func quitEndsWithItsStatus() throws {
    #expect(try dsshell("-c", "quit").status == 0)
    let result = try dsshell("-c", "print 1; quit 7; print 2")
    #expect(result.status == 7 && result.output == "1\n")
  }

  @Test func scriptsShareASessionAndReceiveTheOtherWords() throws {
    let folder = try TemporaryFolder()
    let first = try folder.write("first.ds", "let x = simple [1, 2]\n")
    let second = try folder.write("second.ds", "print (count x)\nprint args\n")
    #expect(try dsshell(first, second, "a", "b").output.hasSuffix("2\n[\"a\", \"b\"]\n"))
    #expect(
      try dsshell(first, second, "--", "-c", "x.ds").output.hasSuffix("2\n[\"-c\", \"x.ds\"]\n"))
  }

  @Test func argumentsFollowCommands() throws {
    #expect(try dsshell("-c", "print args", "a.ds").output == "[\"a.ds\"]\n")
  }

  @Test func aScriptMayHaveAnyNameAndCarriageReturns() throws {
    let folder = try TemporaryFolder()
    let script = try folder.write("script", "\u{FEFF}#!/usr/bin/env dsshell\r\nprint 1\r\n")
    let result = try dsshell(script)
    #expect(result.output == "1\n" && result.status == 0)
  }

  @Test func aScriptThatIsNotTextIsNotRun() throws {
    let folder = try TemporaryFolder()
    let script = try folder.write("script.ds", Array("print 1\n".utf8) + [0xFF])
    let result = try dsshell(script)
    #expect(result.status == 3)
    #expect(result.output == "")
    #expect(result.errors.contains("byte 8 is not UTF-8"))
    #expect(try dsshell(folder.path + "/none.ds").status == 2)
  }

  @Test func resultsAppearInTheRequestedStyle() throws {
    #expect(try dsshell("--output", "json", "-c", "print [1, \"a\"]").output == "[1,\"a\"]\n")
    #expect(try dsshell("-c", "print [1]; mode json; print [1, 2]").output.hasSuffix("[1,2]\n"))
    let failed = try dsshell("--output", "jsonl", "-c", "expect 1 == 2")
    #expect(failed.errors.hasPrefix("{\"error\":"))
    #expect(failed.errors.contains("\"kind\":\"expectation\""))
  }

  @Test func examplesOfHelpLoadTheBundledData() throws {
    let help = try dsshell("-c", "help sections")
    let load = try #require(help.output.split(separator: "\n").first { $0.hasPrefix("  load ") })
    #expect(load.hasSuffix("Scripts/data/foods.csv"))
    #expect(try dsshell("-c", String(load)).output.hasPrefix("foods: 12 objects"))
  }

  @Test func theTimerPrintsToStandardError() throws {
    let result = try dsshell("-c", "timer on; print 1")
    #expect(result.output.hasSuffix("1\n"))
    #expect(result.errors.hasSuffix(" ms\n"))
  }

  @Test(arguments: ["portable", "sse2", "avx2", "none"])
  func allKernelLevelsAgree(level: String) throws {
    let folder = try TemporaryFolder()
    let rows = (0..<3000).map { number in
      let name = ["\"Ünal, \(number)\"", "O\"\"Neil\(number % 7)", "\"two\nlines\"", ""][number % 4]
      return "\(number),\(name),\(number * 7919 % 1009)\r\n"
    }
    try folder.write("x.csv", "id,name,count\r\n" + rows.joined())
    try folder.write(
      "x.ndjson", (0..<500).map { "{\"count\": \($0 % 9), \"id\": \($0)}\n" }.joined())
    let commands = """
      let t = load \(folder.path)/x.csv; mode csv
      let s = sectioned t key: name.firstCharacter sort: name, count desc; fetch s; objects s
      load \(folder.path)/x.ndjson; describe x; objects x
      """
    let best = try dsshell("-c", commands)
    let result = try dsshell("-c", commands, environment: ["DSSHELL_KERNELS": level])
    #expect(best.status == 0 && best.output.split(separator: "\n").count > 3500)
    #expect(result.output == best.output && result.errors == best.errors)
  }
}
