import DataTables
import Foundation
import Testing

@testable import CodeWriting

@Suite struct LiteralTests {
  /// Texts of all kinds of scalars, with those that literals must escape among them.
  private static func texts(seed: UInt64) -> [String] {
    var generator = SeededGenerator(seed: seed)
    let special = Array(
      "\"\\\n\r\t\0\u{1}\u{7F}\u{85}\u{301}\u{200B}\u{202E}?%#()\u{2028}é中😀 a0".unicodeScalars)
    return (0..<200).map { _ in
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        if Bool.random(using: &generator), let scalar = special.randomElement(using: &generator) {
          text.append(scalar)
        } else if let scalar = Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &generator)) {
          text.append(scalar)
        }
      }
      return String(text)
    }
  }

  @Test func aSwiftLiteralHasTheValueOfItsText() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let texts = Self.texts(seed: seed)
    let checks = texts.map { text in
      let scalars = text.unicodeScalars.map { "\($0.value)" }.joined(separator: ", ")
      return "check(\(SwiftLiteral.string(text)), [\(scalars)])"
    }
    let program = """
      func check(_ text: String, _ scalars: [UInt32]) {
        precondition(text.unicodeScalars.map(\\.value) == scalars, text)
      }
      \(checks.joined(separator: "\n"))
      """
    try Compiler.withFolder { folder in
      let file = folder.appending(path: "main.swift")
      try program.write(to: file, atomically: true, encoding: .utf8)
      let output = folder.appending(path: "main").path
      let built = try Compiler.run("swiftc", ["-Onone", "-o", output, file.path])
      try #require(built.status == 0, "seed \(seed): \(built.text)")
      let run = try Compiler.run(output, [])
      #expect(run.status == 0, "seed \(seed): \(run.text)")
    }
  }

  /// Clang reads the literal after its `@` as a string of C.
  @Test func anObjectiveCLiteralHasTheValueOfItsText() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let checks = Self.texts(seed: seed).map { text in
      let bytes = text.utf8.map { "\($0)" } + ["0"]
      return "  check(\(ObjectiveCLiteral.string(text).dropFirst()), "
        + "(unsigned char[]){\(bytes.joined(separator: ", "))}, \(text.utf8.count));"
    }
    let program = """
      #include <stdlib.h>
      #include <string.h>
      static void check(const char *text, unsigned char *bytes, unsigned long count) {
        if (memcmp(text, bytes, count + 1) != 0) abort();
      }
      int main(void) {
      \(checks.joined(separator: "\n"))
        return 0;
      }
      """
    try Compiler.withFolder { folder in
      let file = folder.appending(path: "main.c")
      try program.write(to: file, atomically: true, encoding: .utf8)
      let output = folder.appending(path: "main").path
      let built = try Compiler.run(
        "clang", ["-std=c11", "-Wno-invalid-source-encoding", "-o", output, file.path])
      try #require(built.status == 0, "seed \(seed): \(built.text)")
      #expect(try Compiler.run(output, []).status == 0, "seed \(seed)")
    }
  }

  @Test(arguments: [
    ("first_name", "firstName"), ("Unit Price", "unitPrice"), ("ID", "id"), ("class", "classValue"),
    ("3d", "_3d"), ("", "value"), ("!?", "value"), ("größe", "groUdfE"), ("名前", "u540dU524d"),
    ("prénom", "prenom"), ("byCity", "byCity"), ("a-b.c", "aBC"),
  ]) func aKeyBecomesAnIdentifier(key: String, name: String) {
    #expect(SwiftLiteral.identifiers.lower(key) == name)
  }

  @Test(arguments: [
    ("foods", "Food"), ("cities", "City"), ("boxes", "Box"), ("people", "PeopleRow"),
    ("glass", "GlassRow"), ("class", "ClassRow"), ("s", "SRow"), ("dates", "DateRow"),
    ("types", "TypeRow"), ("occurrences", "OccurrenceRow"),
  ]) func aListNamesItsRow(list: String, row: String) {
    #expect(SwiftLiteral.identifiers.singular(list) == row)
  }

  @Test(arguments: [
    ("letters", "Food", "Letters"), ("food", "Food", "FoodList"), ("date", "Food", "DateList"),
  ]) func aListNamesItsType(list: String, row: String, type: String) {
    #expect(SwiftLiteral.identifiers.list(list, of: row) == type)
  }

  @Test func aCommentOfAnyTextEndsWithItsLines() {
    let seed = UInt64.random(in: 0...UInt64.max)
    for text in Self.texts(seed: seed) + ["a \\", "\\ \\", "a\nb"] {
      var code = CodeText(step: 2)
      code.comment(text)
      for line in code.lines {
        #expect(line.utf8.starts(with: "// ".utf8) && !line.hasSuffix("\\"), "seed \(seed)")
        let hasInvisible = line.unicodeScalars.contains(where: \.isInvisible)
        #expect(!hasInvisible, "seed \(seed)")
      }
    }
  }

  @Test func anIdentifierOfAnyTextIsValid() {
    var generator = SystemRandomNumberGenerator()
    for text in Self.texts(seed: generator.next()) {
      for name in [SwiftLiteral.identifiers.lower(text), SwiftLiteral.identifiers.upper(text)] {
        #expect(name.utf8.allSatisfy { $0 < 0x80 } && !name.isEmpty, "\(text.debugDescription)")
        #expect(name.first?.isNumber == false && !SwiftLiteral.reserved.contains(name))
        #expect(name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" })
      }
    }
  }
}

/// SplitMix64.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
