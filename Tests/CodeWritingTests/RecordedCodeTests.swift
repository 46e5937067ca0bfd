import Foundation
import Testing

/// The compilers accept the recorded texts of targets whose frameworks are not on every system: with
/// declarations of what the texts use.
@Suite struct RecordedCodeTests {
  /// Those that ``theTestsOfTheSwiftCodePass()`` compiles are left out.
  @Test func theCompilerAcceptsTheSwiftCode() throws {
    let files = try Compiler.files(withExtension: "swift").filter { try testName(in: $0) == nil }
    #expect(files.count > 8)
    try Compiler.withFolder { folder in
      for module in ["UIKit", "CoreData"] {
        try build(Compiler.data.appending(path: "\(module).swift"), as: module, in: folder)
      }
      for file in files {
        let copy = folder.appending(path: file.lastPathComponent)
        try withoutObjectiveC(String(contentsOf: file, encoding: .utf8))
          .write(to: copy, atomically: true, encoding: .utf8)
        let checked = try Compiler.run(
          "swiftc",
          ["-typecheck", "-parse-as-library", "-swift-version", "6", "-I", folder.path, copy.path])
        #expect(checked.status == 0, "\(file.lastPathComponent): \(checked.text)")
      }
    }
  }

  /// The sections that the code computes are those of the session: its tests pass here too, except
  /// where only Apple's systems have the classes.
  @Test func theTestsOfTheSwiftCodePass() throws {
    try Compiler.withFolder { folder in
      try build(Compiler.data.appending(path: "UIKit.swift"), as: "UIKit", in: folder)
      var cases: [String] = []
      var modules: [String] = []
      for file in try Compiler.files(withExtension: "swift") {
        guard let name = try testName(in: file) else { continue }
        let module = file.deletingPathExtension().lastPathComponent + "Code"
        try build(file, as: module, in: folder)
        modules.append(module)
        cases.append("testCase([(\"testSections\", \(module).\(name).testSections)])")
      }
      #expect(cases.count > 30)
      let main = folder.appending(path: "main.swift")
      let imports = modules.map { "@testable import \($0)" }.joined(separator: "\n")
      try "import XCTest\n\(imports)\nXCTMain([\(cases.joined(separator: ", "))])\n"
        .write(to: main, atomically: true, encoding: .utf8)
      let objects = (modules + ["UIKit"]).map { folder.appending(path: "\($0).o").path }
      let program = folder.appending(path: "tests").path
      let built = try Compiler.run(
        "swiftc", ["-I", folder.path, "-o", program, main.path] + objects)
      try #require(built.status == 0, "\(built.text)")
      let run = try Compiler.run(program, [])
      #expect(run.status == 0, "\(run.text)")
      #expect(run.text.contains("Executed \(cases.count) tests, with 0 failures"), "\(run.text)")
    }
  }

  /// The class of the tests in a text; nil for a text without tests that run on this system.
  private func testName(in file: URL) throws -> String? {
    let code = try String(contentsOf: file, encoding: .utf8)
    let others = ["import CoreData", "UILocalizedIndexedCollation"]
    guard !others.contains(where: code.contains) else { return nil }
    return code.firstMatch(of: /final class (\w+): XCTestCase/).map { String($0.1) }
  }

  /// Compiles a file as a module with an object file of its own.
  private func build(_ file: URL, as module: String, in folder: URL) throws {
    let built = try Compiler.run(
      "swiftc",
      [
        "-emit-object", "-emit-module", "-enable-testing", "-parse-as-library",
        "-swift-version", "6", "-module-name", module, "-I", folder.path,
        "-o", folder.appending(path: "\(module).o").path,
        "-emit-module-path", folder.appending(path: "\(module).swiftmodule").path, file.path,
      ])
    try #require(built.status == 0, "\(file.lastPathComponent): \(built.text)")
  }

  /// The code without what needs the runtime of Objective-C.
  private func withoutObjectiveC(_ code: String) throws -> String {
    var code = code
    for (pattern, replacement) in [
      (#"@objc(\(\w+\))?\s"#, ""),
      (#"@NSManaged var (\w+): ([^\n]+)"#, "var $1: $2 { get { fatalError() } set {} }"),
      (#"#selector\(getter: [\w.]+\)"#, "Selector(\"description\")"),
      (#"#selector\(([^()]+)\(_:\)\)"#, "Selector(\"$1\")"),
      (#"#keyPath\(([\w.]+)\)"#, "\"$1\""),
      (#"<any NSFetchRequestResult>"#, "<NSManagedObject>"),
    ] {
      code = code.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
    }
    return code
  }

  @Test func clangAcceptsTheObjectiveCCode() throws {
    let files = try Compiler.files(withExtension: "m")
    #expect(files.count > 6)
    try Compiler.withFolder { folder in
      for file in files {
        let copy = folder.appending(path: file.lastPathComponent)
        let lines = try String(contentsOf: file, encoding: .utf8).split(
          separator: "\n", omittingEmptySubsequences: false)
        // The declarations take the place of the frameworks.
        let code = lines.filter { !$0.hasPrefix("@import") && !$0.hasPrefix("#import") }
        try code.joined(separator: "\n").write(to: copy, atomically: true, encoding: .utf8)
        let checked = try Compiler.run(
          "clang",
          [
            "-fsyntax-only", "-x", "objective-c", "-fblocks", "-fobjc-arc",
            "-fobjc-runtime=macosx-10.15", "-Werror", "-Wno-objc-root-class",
            "-Wno-nullability-completeness", "-Wno-unused-value", "-Wno-incomplete-implementation",
            "-include", Compiler.data.appending(path: "Frameworks.h").path, copy.path,
          ])
        #expect(checked.status == 0, "\(file.lastPathComponent): \(checked.text)")
      }
    }
  }

  @Test func theFormatterAcceptsTheSwiftCode() throws {
    let files =
      try Compiler.files(withExtension: "swift")
      + Compiler.files(
        withExtension: "swift", in: Compiler.root.appending(path: "Tests/GeneratedCodeTests"))
    let checked = try Compiler.run(
      "swift",
      [
        "format", "lint", "--strict", "--configuration",
        Compiler.root.appending(path: ".swift-format").path,
      ] + files.map(\.path))
    #expect(checked.status == 0, "\(checked.text)")
  }
}
