import Testing

/// A command that needs more memory than allowed fails, and the session goes on.
@Suite struct MemoryLimitTests {
  private let folder: TemporaryFolder
  /// Rows with distinct texts, of 40 MB.
  private let large: String

  init() throws {
    folder = try TemporaryFolder()
    var text = "id,note\n"
    let filler = String(repeating: "x", count: 180)
    for row in 0..<200_000 { text += "\(row * 7919 % 200_000),\(row) \(filler)\n" }
    large = try folder.write("large.csv", text)
  }

  private func run(limit: String = "unlimited", _ script: String) throws -> ShellResult {
    let path = try folder.write("script.ds", script)
    return try finish(
      program: "/bin/sh",
      ["-c", "ulimit -v \(limit); exec \"$0\" --keep-going \"$1\"", ShellProcess.binary, path])
  }

  @Test func aCommandFailsAndTheSessionGoesOn() throws {
    let result = try run(
      """
      let s = load \(large)
      option memory 40
      option memory
      expect throws limit: describe s
      describe s
      print "still here"
      option memory null
      option memory
      let sorted = sectioned s key: note.firstCharacter sort: note
      fetch sorted
      count sorted
      """)
    #expect(result.status == 1, "\(result.errors)")
    #expect(
      result.errors.contains(
        "error: the work needs more memory than 40 MiB (`option memory 80` raises the limit)"),
      "\(result.errors)")
    #expect(result.output.contains("still here") && result.output.hasSuffix("200000\n"))
  }

  @Test func aLimitOfTheAddressSpaceIsAnError() throws {
    let result = try run(
      limit: "400000",
      """
      let edited = simple [{a: 1}]
      insert edited {a: 2}
      let s = load \(large)
      let t = load \(large)
      let u = load \(large)
      let v = load \(large)
      describe s
      describe t
      describe u
      describe v
      count edited
      save edited \(folder.path)/edited.csv
      """)
    #expect(!result.errors.contains("Fatal error"), "\(result.errors)")
    #expect(result.status == 1 && result.errors.contains("`ulimit -v`"), "\(result.errors)")
    #expect(result.output.contains("\n2\n"), "\(result.output) \(result.errors)")
    #expect(try folder.read("edited.csv") == "a\n1\n2\n")
  }

  @Test(arguments: ["0", "-1", "1.5", "many"]) func otherLimitsAreMistakes(value: String) throws {
    let result = try run("option memory \(value)")
    #expect(result.status == 3, "\(result.errors)")
  }
}
