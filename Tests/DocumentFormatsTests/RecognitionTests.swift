import DataTables
import Testing

@testable import DocumentFormats

/// Texts without a name are recognized by their content.
struct RecognitionTests {
  private static let table = FormatTable.core.adding(FormatTable.documents)

  @Test(
    arguments: [
      ("a,b\n1,2\n", "CSV"), ("[1, 2]\n", "JSON"), ("[\"a\"]\n[\"b\"]\n", "NDJSON"),
      ("{\"a\": 1}\n", "JSON"), ("[1]\n", "JSON"),
      // TOML and INI.
      ("[package]\nname = \"x\"\n", "TOML"), ("# c\na = [\n 1]\n", "TOML"),
      ("[Unit]\nDescription=A service\nAfter=a.target\n", "INI"),
      ("; c\n[core]\n\tbare = false\n\turl = http://x/?a,b\n", "INI"),
      ("[build-system]\nrequires = [\n    \"setuptools\",  # x\n    \"Cython\"\n]\n", "TOML"),
      ("HOME = .\n[new_oids]\n# x\noid_section = new_oids\n", "INI"),
      ("[a, b]\n[c, d]\n", "CSV"), ("a = b\nc = d\n", "INI"),
      // Projects of Xcode.
      ("// !$*UTF8*$!\n{\n\tarchiveVersion = 1;\n\tobjects = {\n\t};\n}\n", "OpenStep"),
      // YAML.
      ("name: x\nversion: 1\n", "YAML"), ("---\nname: x\n", "YAML"),
      ("%YAML 1.2\n---\n- a\n", "YAML"),
      ("- name: a\n  on: true\n- name: b\n", "YAML"),
      ("on:\n  push:\n    branches: [main]\njobs: {}\n", "YAML"),
      ("text: |\n  Some prose, with commas\nmore: x\n", "YAML"),
      // Prose with a few colons and list items.
      ("Changes: some\n  * Fix a bug: nothing\n - more: and more: again\nOther: x\n", "CSV"),
      ("time,note\n10:30,a: b\n", "CSV"),
    ])
  func aTextIsRecognized(text: String, format: String) throws {
    var options = ReadOptions()
    options.isStrict = false
    let loaded = try? Self.table.read(MemoryBytes(Array(text.utf8)), named: "", options: options)
    #expect(loaded?.report.format.hasPrefix(format) ?? (format == "CSV"))
  }

  @Test func theExtensionDecidesBetweenLikelyFormats() throws {
    let text = Array("[core]\nbare = false\n".utf8)
    for (name, format) in [("x.toml", "TOML"), ("x.ini", "INI"), ("x.cfg", "INI")] {
      #expect(try Self.table.read(MemoryBytes(text), named: name).report.format == format)
    }
    // A malformed text is reported by the format that the extension names.
    for name in ["x.toml", "x.yaml", "x.ini"] {
      #expect(throws: TableError.self) {
        try Self.table.read(MemoryBytes(Array("[a\nb: [".utf8)), named: name)
      }
    }
  }

  @Test(arguments: ["x.toml", "x.yaml", "x.ini"])
  func anEmptyFileHasNoRows(name: String) throws {
    #expect(try Self.table.read(MemoryBytes([]), named: name).table.count <= 1)
  }

  @Test(arguments: ["x.toml", "x.yaml", "x.ini"])
  func aCanceledReadEnds(name: String) {
    let text = Array("[[a]]\nb = 1\n".utf8)
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(throws: TableError.cancelled) {
      try Self.table.read(
        MemoryBytes(Array(repeatElement(text, count: 10_000).joined())), named: name,
        cancellation: cancellation)
    }
  }
}
