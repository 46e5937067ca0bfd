import DSInterpreter
import DataTables
import Testing

/// A cancellation within a large file ends the load in every format.
struct CanceledReadTests {
  /// Raises a flag when bytes after a place are read.
  private struct InterruptedBytes: ByteStore {
    let bytes: [UInt8]
    let place: Int
    let cancellation: Cancellation

    var count: Int { bytes.count }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
      let filled = max(0, min(buffer.count, count - offset))
      bytes[offset..<offset + filled].withUnsafeBytes { buffer.copyMemory(from: $0) }
      if offset + filled > place { cancellation.cancel() }
      return filled
    }
  }

  private static let time = "10/Oct/2000:13:55:36 -0700"
  /// The beginning, a repeated part and the end of a text in each format.
  private static let texts: [String: (start: String, part: String, end: String)] = [
    "json": ("[", #"{"a": 1, "b": [2]},"#, "{}]"),
    "ndjson": ("", #"{"a": 1, "b": [2]}"# + "\n", ""),
    "log": ("", "2024-11-22 19:22:39 INFO x: message\n", ""),
    "tsv": ("a\tb\n", "1\tx\n", ""),
    "csv": ("a,b\n", "1,x\n", ""),
    "common": ("", #"1.2.3.4 - - [\#(time)] "GET / HTTP/1.0" 200 1"# + "\n", ""),
    "combined": ("", #"1.2.3.4 - - [\#(time)] "GET / HTTP/1.0" 200 1 "-" "-""# + "\n", ""),
    "logfmt": ("", "a=1 b=x\n", ""),
    "fixed": ("a    b\n", "1    x\n", ""),
    "table": ("| a | b |\n|---|---|\n", "| 1 | x |\n", ""),
    "w3c": ("#Fields: a b\n", "1 x\n", ""),
    "toml": ("", "[[r]]\na = 1\n", ""),
    "ini": ("", "[s]\na = 1\n", ""),
    "xml": ("<r>", "<e a='1'><b>2</b></e>", "</r>"),
    "rss": ("<rss><channel>", "<item><title>t</title></item>", "</channel></rss>"),
    "html": ("<table>", "<tr><td>1<td>2", "</table>"),
    "plist": (
      "<plist><array>", "<dict><key>a</key><integer>1</integer></dict>", "</array></plist>"
    ),
    "yaml": ("", "- {a: 1, b: [2]}\n", ""),
  ]

  /// The formats whose texts are scanned in parts of 1 MiB or more, between which the flag is
  /// checked. At most eight parts are scanned at once.
  private static let scanned: Set = [
    "ndjson", "log", "tsv", "csv", "common", "combined", "logfmt", "fixed",
    "w3c",
  ]

  @Test(arguments: texts.keys.sorted())
  func aCancellationEndsTheLoad(format: String) throws {
    let text = try #require(Self.texts[format])
    let size = Self.scanned.contains(format) ? 11 << 20 : 1 << 20
    let middle = String(repeating: text.part, count: size / text.part.utf8.count)
    let cancellation = Cancellation()
    let bytes = InterruptedBytes(
      bytes: Array((text.start + middle + text.end).utf8), place: 1 << 19,
      cancellation: cancellation)
    var options = ReadOptions()
    options.format = format
    #expect(throws: TableError.cancelled) {
      try FormatTable.standard.read(
        bytes, named: "", options: options, cancellation: cancellation)
    }
  }

  @Test(arguments: ["json": "[{a: 1, b: 'x'},", "plist": "({a = 1; b = (2); },"])
  func aCancellationEndsTheLoadOfOtherForms(format: String, part: String) throws {
    let cancellation = Cancellation()
    let parts = String(repeating: String(part.dropFirst()), count: 1 << 15)
    let bytes = InterruptedBytes(
      bytes: Array((part.prefix(1) + parts).utf8), place: parts.utf8.count / 2,
      cancellation: cancellation)
    var options = ReadOptions()
    options.format = format
    if format == "json" { try ReadOption.relaxed.apply(true, to: &options) }
    #expect(throws: TableError.cancelled) {
      try FormatTable.standard.read(bytes, named: "", options: options, cancellation: cancellation)
    }
  }

  /// A workbook is a zip archive, whose streams check the flag; SQLite calls a function that does.
  @Test func everyOtherFormatIsTested() {
    let others = Set(FormatTable.standard.formats.map(\.name)).subtracting(Self.texts.keys)
    #expect(others == ["sqlite", "xlsx"])
  }
}
