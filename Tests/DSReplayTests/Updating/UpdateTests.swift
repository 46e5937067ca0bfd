import DSReplay
import Foundation
import Testing

@Suite struct UpdateTests {
  /// Each test has its own folder.
  let folder = FileManager.default.temporaryDirectory.path + "/replay-update-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  func write(_ text: String, _ name: String = "t.ds") throws -> String {
    let path = folder + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  func read(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  func run(_ path: String) async throws -> FileOutcome {
    await ReplayRunner().run(ReplayScript(try read(path), path: path))
  }

  func updated(_ text: String, _ name: String = "t.ds") async throws -> (String, ScriptUpdate) {
    let path = try write(text, name)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var update = ScriptUpdate()
    update.update(try await run(path))
    let new = try read(path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count <= 2)
    return (new, update)
  }

  static let base = "let l = simple [{name: Pie, price: 1}, {name: Tea, price: 2}]\n"

  @Test func onlyWrongLinesAreWritten() async throws {
    let (text, update) = try await updated(
      Self.base
        + "count l\n#| 3\n\n# A comment.\nobjects l\n#~ name  {*}\n#| Pie       1\n#| Te        2\n"
    )
    #expect(
      text == Self.base
        + "count l\n#| 2\n\n# A comment.\nobjects l\n#~ name  {*}\n#| Pie       1\n#| Tea       2\n"
    )
    #expect(update.sentence == "updated 2 lines in 1 file, 1 hole kept")
    #expect(update.refusals == [])
  }

  @Test func aMatchingHoleIsKeptInAWrongLine() async throws {
    let (text, update) = try await updated(
      Self.base + "fetch l\n#~ l: {int} section, {n=int} objcts\nprint l.numberOfObjects\n#~ {n}\n")
    #expect(
      text == Self.base
        + "fetch l\n#~ l: {int} section, {n=int} objects\nprint l.numberOfObjects\n#~ {n}\n")
    #expect(update.sentence == "updated 1 line in 1 file, 2 holes kept")
  }

  @Test func extraLinesAreRemovedAndMissingLinesAdded() async throws {
    let (text, update) = try await updated(
      Self.base
        + "titles l\n#| x\n#| y\n#| z\nobject l [0, 1]\n#| name: Tea\nobject l [0, 7]\n#! error: x\n"
    )
    #expect(
      text == Self.base
        + "titles l\n#|\nobject l [0, 1]\n#| name: Tea\n#| price: 2\nobject l [0, 7]\n"
        + "#! error: row 7 is out of range: section 0 of l has 2 objects (0..<2)\n")
    #expect(update.changedLines == 5)
  }

  @Test(arguments: ["\r\n", "\r"]) func lineEndsAreKept(end: String) async throws {
    let text = "\u{FEFF}print 1\(end)#| 2\(end)print \"x \"\(end)#| x"
    let (new, _) = try await updated(text)
    #expect(
      new.utf8.elementsEqual("\u{FEFF}print 1\(end)#| 1\(end)print \"x \"\(end)#| x\\s\(end)".utf8))
  }

  @Test func fencesKeepTheirIndentation() async throws {
    let (text, _) = try await updated("Text\n\n- a\n\n  ```ds\n  print 1\n  #| 2\n  ```\n", "t.md")
    #expect(text == "Text\n\n- a\n\n  ```ds\n  print 1\n  #| 1\n  ```\n")
  }

  @Test func aSideFileIsUpdated() async throws {
    let side = try write("old\n", "side.txt")
    let path = try write("print 1\n#< side.txt\n")
    var update = ScriptUpdate()
    update.update(try await run(path))
    #expect(try read(side) == "1\n")
    #expect(try read(path) == "print 1\n#< side.txt\n")
    #expect(try await run(path).hasFailed == false)
    try FileManager.default.removeItem(atPath: folder)
  }

  /// Updates a script with side files; returns the files in its folder.
  func updated(
    _ text: String, beside files: [String: String]
  ) async throws -> (files: [String: String], update: ScriptUpdate) {
    for (name, text) in files { _ = try write(text, name) }
    let path = try write(text)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var update = ScriptUpdate()
    update.update(try await run(path))
    var after: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      after[name] = try read(folder + "/" + name)
    }
    return (after, update)
  }

  @Test func linesOfTheScriptAndOfSideFilesAreFixedInPlace() async throws {
    let script = "print 1; print 2; print 3; print 4; print 5\n#| one\n#< b.txt\n#~ {int}\n#< c\n"
    let (files, update) = try await updated(script, beside: ["b.txt": "2\nthree\n", "c": ""])
    #expect(update.refusals == [] && update.sentence == "updated 3 lines in 2 files, 1 hole kept")
    #expect(files["b.txt"] == "2\n3\n4\n" && files["c"] == "")
    #expect(files["t.ds"]?.hasPrefix("print 1; print 2; print 3; print 4; print 5\n#| 1\n") == true)
  }

  static func numbers(_ count: Int) -> String {
    "let l = simple [\((1...count).map { "r\($0)" }.joined(separator: ", "))]\n"
  }

  @Test(arguments: [100, 101]) func aLongNewOutputIsWrittenAsItsDigest(count: Int) async throws {
    let base = Self.numbers(count) + "objects l\n"
    let (text, update) = try await updated(base + "#| x\nprint 1\n#| 1\n")
    let lines = count > 100 ? "#... 101 lines, sha256 " : "#| r1\n#| r2\n"
    #expect(text.hasPrefix(base + lines) && text.hasSuffix("\nprint 1\n#| 1\n"))
    #expect(update.refusals == [])
    #expect(try await UpdateTests().updated(text).1.sentence == "nothing to update")
  }

  /// The digest is that of `sha256sum` for the lines `r2` and `r3`.
  @Test func aDigestStaysADigest() async throws {
    let text =
      Self.numbers(5)
      + "objects l\n#| r1\n#... 2 lines, sha256 0123456789abcdef\n#| r4\n#| r5\n"
    let (new, update) = try await updated(text)
    #expect(new == text.replacingOccurrences(of: "0123456789abcdef", with: "6751e01e49fddc59"))
    #expect(update.sentence == "updated 1 line in 1 file")
    let (longer, _) = try await UpdateTests().updated(
      new.replacingOccurrences(of: "[r1, ", with: "[r1, r7, r8, "))
    #expect(longer.contains("\n#| r1\n#... 4 lines, sha256 "))
    #expect(longer.hasSuffix("\n#| r4\n#| r5\n"))
  }

  @Test func longLinesThatAreThereStay() async throws {
    let lines = (1...110).map { "#| r\($0)\n" }.joined()
    let (text, _) = try await updated(Self.numbers(300) + "objects l\n" + lines)
    let all = (1...300).map { "#| r\($0)\n" }.joined()
    #expect(text == Self.numbers(300) + "objects l\n" + all)
  }

  @Test func theDigestOfAnUnorderedOutputIsThatOfItsSortedLines() async throws {
    let script = Self.numbers(150) + "objects l\n#% unordered\n#| x\n"
    let (text, _) = try await updated(script)
    #expect(text.contains("objects l\n#% unordered\n#... 150 lines, sha256 "))
    let reversed = (1...150).reversed().map { "r\($0)" }.joined(separator: ", ")
    let other = text.replacingOccurrences(
      of: Self.numbers(150), with: "let l = simple [\(reversed)]\n")
    #expect(other != text)
    #expect(try await UpdateTests().updated(other).1.sentence == "nothing to update")
  }

  @Test func aWiderCellRewritesTheRowsOfItsTable() async throws {
    let (text, _) = try await updated(
      Self.base + "objects l\n#| name  price\n#| Pie       1\n#~ {*}  {int}\n"
        + "let m = simple [{name: Pies, price: 1}, {name: Tea, price: 2000000}]\n"
        + "objects m\n#| name  price\n#| Pie       1\n#~ Te{*}  {int}\n")
    #expect(
      text.hasSuffix("objects m\n#| name    price\n#| Pies        1\n#~ Te{*}  {int}\n"), "\(text)")
  }

  @Test func rowsWithIgnoredDifferencesAreNotWritten() async throws {
    let expected = "#% ignore: price\n#| name  price\n#| Pie   99999\n"
    let (text, update) = try await updated(
      Self.base + "objects l\n" + expected + "#| Te        7\n")
    #expect(text == Self.base + "objects l\n" + expected + "#| Tea       2\n")
    #expect(update.sentence == "updated 1 line in 1 file")
  }

  @Test func aTextThatMustNotOccurIsNotRemoved() async throws {
    let script = "print \"a secret\"\n#| a secert\n#- secret\n"
    let (text, update) = try await updated(script)
    #expect(text == script)
    let refusal = "the output contains `secret`, which line 3 excludes"
    #expect(update.refusals.first?.hasSuffix(refusal) == true)
  }

  @Test func aMissingSideFileIsCreated() async throws {
    let script = "print 1; print 2\n#< new.txt\n"
    let (files, update) = try await updated(script, beside: [:])
    #expect(files == ["t.ds": script, "new.txt": "1\n2\n"])
    #expect(update.sentence == "updated 2 lines in 1 file")
    let (none, refused) = try await UpdateTests().updated("print 1\n#< no/a.txt\n", beside: [:])
    #expect(none.count == 1 && refused.refusals.count == 1)
  }

  @Test(arguments: [
    ("\u{FEFF}old\r\nx\r\n", "\u{FEFF}1\r\nx\r\n"), ("old\nx", "1\nx"), ("old\r\nx\n", "1\nx\n"),
    ("", "1\nx\n"), ("1\nx\ny\nz", "1\nx"),
  ])
  func theRestOfAFileIsKept(old: String, new: String) async throws {
    let (files, update) = try await updated(
      "print 1; print \"x\"\n#< a.txt\n", beside: ["a.txt": old])
    #expect(update.refusals == [])
    #expect(files["a.txt"].map { Array($0.utf8) } == Array(new.utf8))
  }

  @Test func aChangedSideFileIsNotUpdatedAndNeitherIsTheScript() async throws {
    let script = "print 1\n#< a.txt\nprint 2\n#| 3\n"
    let side = try write("old\n", "a.txt")
    let path = try write(script)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let outcome = try await run(path)
    _ = try write("edited\n", "a.txt")
    var update = ScriptUpdate()
    update.update(outcome)
    #expect(
      update.refusals == [
        "\(path) was not updated: `\(side)` changed since it was read; run the test again"
      ])
    #expect(try read(side) == "edited\n" && read(path) == script)
    try FileManager.default.removeItem(atPath: side)
    update.update(outcome)
    #expect(update.refusals.count == 2 && update.changedFiles == 0)
  }

  @Test(arguments: [
    "print 1\n#< a.txt\nprint 2\n#< a.txt\n", "print 1\n#< a.txt\nprint \"old\"\n#< ./a.txt\n",
    "print 1; print 2\n#< a.txt\n#< a.txt\n",
    "print 1\n#< a.txt\nprint 1\n#% skip \"x\"\n#< a.txt\n",
  ])
  func aSharedSideFileIsNotUpdatedIfCommandsDiffer(script: String) async throws {
    let (files, update) = try await updated(script, beside: ["a.txt": "old\n"])
    #expect(files == ["a.txt": "old\n", "t.ds": script])
    #expect(update.refusals.first?.contains("a.txt` would be wrong for another command") == true)
  }

  @Test func aSharedSideFileIsUpdatedIfCommandsAgree() async throws {
    let script = "print 1\n#< a.txt\nprint 1\n#< a.txt\n"
    let (files, update) = try await updated(script, beside: ["a.txt": "old\n"])
    #expect(files["a.txt"] == "1\n" && update.refusals == [])
    #expect(update.changedFiles == 1)
  }

  /// In a container, processes often have the same number.
  @Test func aFileThatAKilledProcessOfTheSameNumberLeftIsReplaced() async throws {
    let script = "print 1\n#| 2\n"
    let (files, update) = try await updated(
      script, beside: ["t.ds.\(getpid()).new": "left", "t.ds.1.new": "of a process that runs"])
    #expect(files == ["t.ds": "print 1\n#| 1\n", "t.ds.1.new": "of a process that runs"])
    #expect(update.refusals == [])
  }

  @Test func aPipeIsNotASideFile() async throws {
    let path = try write("print 1\n#< pipe\n")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try #require(mkfifo(folder + "/pipe", 0o600) == 0)
    let outcome = try await run(path)
    #expect(outcome.failures.map(\.kind) == [.file])
    #expect(outcome.failures.first?.message.contains("is a named pipe") == true)
  }

  @Test func aSideFileElsewhereIsNotWritten() async throws {
    let other = NSTemporaryDirectory() + "/elsewhere-\(UUID().uuidString).txt"
    try "mine\n".write(toFile: other, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: other) }
    let script = "print 1\n#< \(other)\n"
    let (files, update) = try await updated(script, beside: [:])
    #expect(files == ["t.ds": script])
    #expect(update.refusals.first?.contains("neither in the folder of the script nor in") == true)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine\n")
  }

  @Test func aFileThatCannotBeWrittenLeavesAllFilesUnchanged() async throws {
    let script = "print 1\n#< a.txt\nprint 2\n#< /proc/self/none\n"
    let (files, update) = try await updated(script, beside: ["a.txt": "old\n"])
    #expect(files == ["a.txt": "old\n", "t.ds": script])
    #expect(update.refusals.count == 1)
  }

  @Test func aFailedExpectIsNeverUpdated() async throws {
    let script = Self.base + "expect l.numberOfObjects == 3\n"
    let (text, update) = try await updated(script)
    #expect(text == script)
    #expect(update.refusals.count == 1)
    #expect(update.sentence == "nothing to update")
  }

  @Test func aChangedScriptIsNotUpdated() async throws {
    let path = try write("print 1\n#| 2\n")
    let outcome = try await run(path)
    _ = try write("print 1\n#| 2\n# edited\n")
    var update = ScriptUpdate()
    update.update(outcome)
    #expect(
      update.refusals == [
        "\(path) was not updated: the script changed since it was run; run the test again"
      ])
    #expect(try read(path) == "print 1\n#| 2\n# edited\n")
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test(arguments: [
    CommandFailure.Kind.crash, .timeout, .cassette, .invariant, .limit,
  ])
  func nothingIsWrittenAfterASeriousFailure(kind: CommandFailure.Kind) async throws {
    let path = try write("print 1\n#| 2\nprint 3\n")
    var outcome = try await run(path)
    outcome.sections[0].failures.append(CommandFailure(line: 3, kind: kind, message: "it ended"))
    var update = ScriptUpdate()
    update.update(outcome)
    #expect(update.refusals == ["\(path) was not updated: line 3: it ended"])
    #expect(try read(path) == "print 1\n#| 2\nprint 3\n")
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func dataNeverBecomesACommand() async throws {
    let script = "mode csv\nobjects (simple [{a: \"k\\rprint 777 # \"}])\n#| a\n#| z\n"
    let (text, update) = try await updated(script)
    #expect(text == script.replacing("#| z", with: "#~ \"k{*}print 777 # \""))
    #expect(update.refusals == [])
  }

  @Test func aRequestMissingFromACassetteIsNeverAccepted() async throws {
    let path = try write(
      "cassette empty.txt\nlet r = remote http://a.test/\nfetch r\n#! error: x\n")
    _ = try write("dsshell cassette 1\n", "empty.txt")
    let outcome = try await run(path)
    #expect(outcome.failures.map(\.kind) == [.cassette])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func failuresThatCannotBeUpdatedAreReported() async throws {
    let script = "print 1\n#| 2\nexpect 1 == 2\n"
    let path = try write(script)
    var update = ScriptUpdate()
    update.update(try await run(path))
    #expect(update.refusals == ["\(path):3 was not updated: the expectation does not hold"])
    #expect(try read(path) == "print 1\n#| 1\nexpect 1 == 2\n")
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func aReferenceWithAToleranceIsKept() async throws {
    let (text, _) = try await updated(
      "print \"5.0\"\n#~ {n=num~1}\nprint \"so 5.5 x\"\n#~ so {n} y\n")
    #expect(text == "print \"5.0\"\n#~ {n=num~1}\nprint \"so 5.5 x\"\n#~ so {n} x\n")
  }

  @Test func aHoleIsKeptInTheMostSimilarLine() async throws {
    let (text, update) = try await updated(
      "mode csv\n"
        + "objects (simple [{a: \"new row\"}, {a: \"took 5 ms\"}])\n#| a\n#~ tok {duration}\n")
    #expect(text.hasSuffix("#| a\n#| new row\n#~ took {duration}\n"))
    #expect(update.keptHoles == 1)
  }

  @Test(arguments: [600, 3000]) func aLongLineKeepsItsHoles(length: Int) async throws {
    let filler = String(repeating: "abcdefghi ", count: length / 10) + "."
    let (text, _) = try await updated(
      "print \"\(filler)12 new 34 \(filler)\"\n#~ \(filler){int} old {int} \(filler)\n")
    #expect(text.hasSuffix("\n#~ \(filler){int} new {int} \(filler)\n"))
  }

  @Test func lostHolesAreCounted() async throws {
    let (text, update) = try await updated("print \"a b 3\"\n#~ a {int} {int}\n")
    #expect(text == "print \"a b 3\"\n#~ a b {int}\n")
    #expect(
      update.sentence
        == "updated 1 line in 1 file, 1 hole kept, 1 hole replaced by actual text")
  }

  @Test func lostHolesOfAVeryLongLineAreReported() async throws {
    let old = String(repeating: "abcdefghi ", count: 200)
    let new = String(repeating: "klmnopqrs ", count: 200)
    let (text, update) = try await updated("print \"\(new)1 .\"\n#~ \(old){int} {*}!\n")
    #expect(text == "print \"\(new)1 .\"\n#| \(new)1 .\n")
    #expect(update.sentence == "updated 1 line in 1 file, 2 holes replaced by actual text")
  }

  @Test func aReferenceToALostHoleBecomesActualText() async throws {
    let script = "mode csv\nobjects (simple [{a: x}, {a: 7}])\n#| a\n#~ {n=int} y\n#~ {n}\n"
    let (text, update) = try await updated(script)
    #expect(text == script.replacing("#~ {n=int} y\n#~ {n}", with: "#| x\n#| 7"))
    #expect(update.refusals == [])
  }

  @Test func aBrokenReferenceInAnotherCommandIsReported() async throws {
    let script = "print x\n#~ {n=int} y\nprint 3\n#~ {n}\n"
    let (text, update) = try await updated(script)
    #expect(text == script)
    #expect(update.refusals.first?.hasSuffix("; fix this line first: #~ {n}") == true)
  }

  @Test func anUnwritableFolderLeavesTheScriptUnchanged() async throws {
    let path = "/proc/self/t.ds"
    var outcome = await ReplayRunner().run(ReplayScript("print 1\n#| 2\n", path: path))
    outcome.path = path
    var update = ScriptUpdate()
    update.update(outcome)
    #expect(update.refusals.count == 1 && update.changedFiles == 0)
  }

  @Test func permissionsAndLinksAreKept() async throws {
    let path = try write("print 1\n#| 2\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let link = folder + "/link.ds"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    var update = ScriptUpdate()
    update.update(try await run(link))
    #expect(update.changedFiles == 1)
    #expect(try read(path) == "print 1\n#| 1\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o755)
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func updatesAreDisabledInContinuousIntegration() {
    #expect(ScriptUpdate.refusal { $0 == "CI" ? "true" : nil } != nil)
    #expect(ScriptUpdate.refusal { $0 == "CI" ? "1" : nil } != nil)
    #expect(ScriptUpdate.refusal { _ in nil } == nil)
    #expect(ScriptUpdate.refusal { $0 == "CI" ? "" : nil } == nil)
  }
}
