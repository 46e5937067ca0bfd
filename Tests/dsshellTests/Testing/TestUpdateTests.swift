import Foundation
import Testing

@Suite struct TestUpdateTests {
  @Test func anUpdateIsToldAndASecondChangesNothing() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.ds", "print [1, 2]\n#~ [{int}, 3]\nprint 4\n#| 5\n")
    let first = try dsshellTest(folder, "x.ds", "--update")
    #expect(first.output.hasSuffix("updated 2 lines in 1 file, 1 hole kept\n"))
    #expect(first.status == 0)
    let text = "print [1, 2]\n#~ [{int}, 2]\nprint 4\n#| 4\n"
    #expect(try folder.read("x.ds") == text)
    let second = try dsshellTest(folder, "x.ds", "--update")
    #expect(second.output == "1 file, 1 section: 1 passed in T\nnothing to update\n")
    #expect(try folder.read("x.ds") == text)
  }

  @Test func nothingIsUpdatedWhereTestsDecide() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("x.ds", "print 4\n#| 5\n")
    let result = try dsshell("test", path, "--update", environment: ["CI": "true"])
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("error: nothing is updated where CI is set"))
    #expect(try folder.read("x.ds") == "print 4\n#| 5\n")
  }

  @Test func aFullDiskLeavesTheScriptAsItWas() throws {
    let folder = try TemporaryFolder()
    let text = "print 4\n#| 5\n" + String(repeating: "# a comment of some length\n", count: 2000)
    let path = try folder.write("x.ds", text)
    // What a process may write stands for the room on a disk; less than the script needs.
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "ulimit -f 64; exec \"$0\" test \"$1\" --update", try ShellProcess.binary, path,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    #expect(output.contains("was not updated: cannot write"))
    #expect(try folder.read("x.ds") == text)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["x.ds"])
  }
}
