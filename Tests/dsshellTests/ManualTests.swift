import Foundation
import Testing

@testable import dsshell

/// The manual page, the pictures of the README, and completions for command shells.
@Suite struct ManualTests {
  /// The folder of the project.
  static let root =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
  private static let manual = root + "/Documentation/dsshell.1"

  @Test func theManualPageIsCurrent() throws {
    let page = try dsshell("--manual")
    #expect(page.status == 0 && page.errors == "")
    // `dsshell --manual >Documentation/dsshell.1` updates it.
    #expect(page.output == (try String(contentsOfFile: Self.manual, encoding: .utf8)))
  }

  @Test func thePictureOfThePreviewIsCurrent() throws {
    let folder = try TemporaryFolder()
    let result = try dsshell(
      "-c",
      """
      load \(Self.root)/Scripts/data/foods.csv
      let letters = sectioned foods key: name.firstCharacter sort: name | fetch
      preview letters as: svg \(folder.path)/preview.svg
      """)
    #expect(result.status == 0 && result.errors == "")
    // `Scripts/pictures` updates it.
    #expect(
      try String(contentsOfFile: folder.path + "/preview.svg", encoding: .utf8)
        == String(
          contentsOfFile: Self.root + "/Documentation/pictures/preview.svg", encoding: .utf8))
  }

  @Test func theManualPageHasEveryOptionAndCommand() throws {
    let page = try dsshell("--manual").output
    let options =
      CommandLineDescription(DSShell.self).options
      + CommandLineDescription(TestCommand.self).options
    #expect(options.count > 15)
    for option in options {
      let name = (option.longName ?? option.shortName ?? "").replacing("-", with: "\\-")
      #expect(page.contains(name), "\(name)")
    }
    for word in ["sectioned", "record", "jsonl", "XDG_CONFIG_HOME", ".SH \"EXIT STATUS\""] {
      #expect(page.contains(word), "\(word)")
    }
  }

  @Test(.enabled(if: Tool.exists("groff"), "groff is not installed")) func groffReadsTheManualPage()
    throws
  {
    let result = try Tool.run("groff", ["-man", "-Tutf8", "-ww", "-z", Self.manual])
    #expect(result.status == 0 && result.output == "")
  }

  @Test func anUnknownShellIsRefusedWithTheKnownOnes() throws {
    let result = try dsshell("--completions", "ksh")
    #expect(result.status == 2 && result.errors.contains("fish"))
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionsAreValid(shell: String) throws {
    let folder = try TemporaryFolder()
    let script = try dsshell("--completions", shell)
    #expect(script.status == 0 && script.output.contains("markdown"))
    for option in ["keep-going", "shuffle", "json"] { #expect(script.output.contains(option)) }
    guard Tool.exists(shell) else { return }
    let file = try folder.write("script", script.output)
    let checked = try Tool.run(shell, ["-n", file])
    #expect(checked.status == 0 && checked.output == "")
  }

  @Test(
    .enabled(if: Tool.exists("bash"), "bash is not installed"),
    arguments: [
      ("dsshell --keep", ["--keep-going"]), ("dsshell --output js", ["json", "jsonl"]),
      ("dsshell te", ["test", "text 1.csv"]), ("dsshell test --sh", ["--shard", "--shuffle"]),
      ("dsshell x --sh", []), ("dsshell test --report ju", ["junit"]), ("dsshell -c te", []),
    ])
  func bashCompletes(line: String, words: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write("text 1.csv", "")
    let script = try folder.write("script", try dsshell("--completions", "bash").output)
    let commands = """
      cd '\(folder.path)'; . '\(script)'; COMP_WORDS=(\(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _dsshell dsshell "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try Tool.run("bash", ["-c", commands])
    #expect(result.output.split(separator: "\n").map(String.init).sorted() == words)
  }

  @Test(
    .enabled(if: Tool.exists("fish"), "fish is not installed"),
    arguments: [
      ("dsshell --keep", ["--keep-going"]), ("dsshell --output js", ["json", "jsonl"]),
      ("dsshell test --sh", ["--shard", "--shuffle"]), ("dsshell x --sh", []),
    ])
  func fishCompletes(line: String, words: [String]) throws {
    let folder = try TemporaryFolder()
    let script = try folder.write("script", try dsshell("--completions", "fish").output)
    let commands = "source '\(script)'; complete -C '\(line)'"
    let result = try Tool.run("fish", ["--no-config", "-c", commands], home: folder.path)
    let found = result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    #expect(found.sorted() == words)
  }
}

/// A program that may be installed.
private enum Tool {
  static func path(_ name: String) -> String? {
    ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static func exists(_ name: String) -> Bool { path(name) != nil }

  /// - Returns: the exit status, and standard output and error.
  static func run(
    _ name: String, _ arguments: [String], home: String = "/"
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(path(name)))
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": home]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }
}
