import DataSources
import Foundation
import Testing

@testable import DSReplay

@Suite struct ShellWordTests {
  @Test(arguments: [
    ("a/b.ds:3", "a/b.ds:3"), ("é.ds", "é.ds"), ("a b.ds", "'a b.ds'"), ("", "''"),
    ("it's.ds", "'it'\\''s.ds'"), ("a\n'b\\.ds", "$'a\\012\\'b\\\\.ds'"), ("*.ds", "'*.ds'"),
    ("\u{85}1", "$'\\302\\2051'"),
  ])
  func aStringBecomesAWordOfAShell(text: String, word: String) {
    #expect(text.shellWord == word)
  }

  @Test func aShellParsesTheWordAsTheString() throws {
    let seed: UInt64 = 1
    var generator = SeededGenerator(seed: seed)
    let texts = (0..<50).map { _ in
      (0..<Int.random(in: 1...6, using: &generator))
        .map { _ in generator.pick(["a", "'", "\\", " ", "\n", "$", "é", "\u{1B}", "0", "`", "\""])
        }
        .joined()
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "printf '%s\\0' " + texts.map(\.shellWord).joined(separator: " ")]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(output == texts.map { $0 + "\0" }.joined(), "seed \(seed)")
  }

  @Test func aScriptNameWithControlCharactersIsQuoted() async {
    let outcome = await ReplayRunner().run(ReplayScript("print 1\n#| 2\n", path: "-a b\n.ds"))
    #expect(outcome.failures.first?.picture.first == "FAIL -a b\\n.ds:1")
    #expect(
      outcome.failures.first?.picture.last
        == "     rerun dsshell test $'./-a b\\012.ds:1'     "
        + "accept dsshell test $'./-a b\\012.ds' --update")
  }
}
