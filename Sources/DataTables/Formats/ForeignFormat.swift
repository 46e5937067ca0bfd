/// A format that is recognized by its first bytes but cannot be read.
struct ForeignFormat: Sendable {
  /// With an article: `a PDF document`.
  let phrase: String
  /// Advice in the imperative, which follows a semicolon.
  let advice: String
  /// The bytes at the start of a file, or at `offset`.
  private let mark: [UInt8]
  private let offset: Int
  /// A text after the mark that files in the format contain, too.
  private var part = ""
  /// The name of the format in tables of formats that include it; nil if none does.
  private(set) var formatName: String?
  /// Whether files in the format may be text.
  private var isText = false

  private init(_ phrase: String, _ mark: [UInt8], at offset: Int = 0, _ advice: String) {
    self.phrase = phrase
    self.advice = advice
    self.mark = mark
    self.offset = offset
  }

  private init(_ phrase: String, _ mark: String, at offset: Int = 0, _ advice: String) {
    self.init(phrase, Array(mark.utf8), at: offset, advice)
  }

  /// The format of a file; nil if it is none of these. A mark that could also begin a text counts
  /// only in a file that is not text.
  static func recognize(_ sample: FormatSample) -> ForeignFormat? {
    all.first { $0.matches(sample) }
  }

  /// The format of a zip archive whose members are the parts of one document; nil for others.
  static func recognizeArchive(_ sample: FormatSample) -> ForeignFormat? {
    archives.first { $0.matches(sample) }
  }

  private func matches(_ sample: FormatSample) -> Bool {
    guard sample.bytes.dropFirst(offset).starts(with: mark) else { return false }
    guard part.isEmpty else { return sample.bytes.contains(part) }
    return isText || mark.contains { !Self.isTextual($0) } || sample.text == nil
      || sample.bytes.contains { $0 < 0x09 }
  }

  /// Whether a byte at the start of a file may be text.
  private static func isTextual(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F || (0x09...0x0D).contains(byte)
  }

  /// - Parameter path: of the file, with which the advice is a command of a shell.
  func error(forFileAt path: String) -> TableError {
    let isFile = !path.isEmpty && !path.contains("://")
    let advice = isFile ? advice.replacing("FILE", with: Self.shellWord(path)) : advice
    return .format("the file is \(phrase), which cannot be read; \(advice)", at: nil)
  }

  private static func shellWord(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      byte >= 0x80 || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte.isDigit
        || "/._-+,:@".utf8.contains(byte)
    }
    return isPlain && !path.hasPrefix("-")
      ? path : "'" + path.replacing("'", with: "'\\''") + "'"
  }

  /// A copy for a format whose files may be text.
  private var text: ForeignFormat {
    var format = self
    format.isText = true
    return format
  }

  /// A copy for a format whose files contain a text after the mark.
  private func with(_ part: String) -> ForeignFormat {
    var format = self
    format.part = part
    return format
  }

  /// A copy for a format that some tables of formats include.
  private func unless(named name: String) -> ForeignFormat {
    var format = self
    format.formatName = name
    return format
  }

  private static let table = "export its table as CSV or JSON"
  private static let data = "load the data file that belongs to it"

  private static let all: [ForeignFormat] =
    [
      ForeignFormat("a Parquet file", "PAR1", "convert it to CSV or NDJSON"),
      ForeignFormat("an Arrow file", "ARROW1", "convert it to CSV or NDJSON"),
      ForeignFormat("a Feather file", "FEA1", "convert it to CSV or NDJSON"),
      ForeignFormat("an Avro file", "Obj\u{1}", "convert it to NDJSON"),
      ForeignFormat("an ORC file", "ORC", "convert it to CSV or NDJSON"),
      ForeignFormat(
        "an HDF5 file", [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], "export a table as CSV"),
      ForeignFormat("a NumPy array", [0x93] + Array("NUMPY".utf8), "export it as CSV"),
      ForeignFormat("an R data file", "RDX", "export it as CSV"),
      ForeignFormat("a Stata file", "<stata_dta>", table).text,
      ForeignFormat(
        "a SAS file", [UInt8](repeating: 0, count: 12) + [0xC2, 0xEA, 0x81, 0x60], table),
      ForeignFormat("an SPSS file", "$FL2", table).text,
      ForeignFormat("a compressed SPSS file", "$FL3", table).text,
      ForeignFormat("an SQLite database", "SQLite format 3\u{0}", table).unless(named: "sqlite"),
      ForeignFormat(
        "a document of Microsoft Office before 2007",
        [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],
        "save it as .xlsx or CSV"),
      ForeignFormat("a PDF document", "%PDF-", table).text,
      ForeignFormat("an RTF document", "{\\rtf", table).text,
      ForeignFormat("a PNG image", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], data),
      ForeignFormat("a JPEG image", [0xFF, 0xD8, 0xFF], data),
      ForeignFormat("a GIF image", "GIF8", data),
      ForeignFormat("a TIFF image", [0x49, 0x49, 0x2A, 0x00], data),
      ForeignFormat("a TIFF image", [0x4D, 0x4D, 0x00, 0x2A], data),
      ForeignFormat("a font", "OTTO", data),
      ForeignFormat("a font", "wOFF", data),
      ForeignFormat("a font", "wOF2", data),
      ForeignFormat("an Ogg file", "OggS", data),
      ForeignFormat("a program or library", [0x7F, 0x45, 0x4C, 0x46], data),
      ForeignFormat("a Java class", [0xCA, 0xFE, 0xBA, 0xBE], data),
      ForeignFormat("a translation catalog", [0xDE, 0x12, 0x04, 0x95], "load its .po file"),
      ForeignFormat("compressed with bzip2", "BZh", "decompress it with `bzip2 -dk FILE`"),
      ForeignFormat(
        "compressed with xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00],
        "decompress it with `xz -dk FILE`"),
      ForeignFormat(
        "compressed with lz4", [0x04, 0x22, 0x4D, 0x18], "decompress it with `lz4 -dk FILE`"),
      ForeignFormat("compressed with lzip", "LZIP", "decompress it with `lzip -dk FILE`"),
      ForeignFormat(
        "compressed with compress", [0x1F, 0x9D], "decompress it with `gzip -dk FILE`"),
      ForeignFormat(
        "compressed with Snappy", [0xFF, 0x06, 0x00, 0x00, 0x73, 0x4E, 0x61, 0x50, 0x70, 0x59],
        "decompress it first"),
      ForeignFormat(
        "a 7z archive", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "extract it with `7z x FILE`"),
      ForeignFormat(
        "a RAR archive", [0x52, 0x61, 0x72, 0x21, 0x1A, 0x07], "extract it with `7z x FILE`"),
      ForeignFormat("a cabinet archive", "MSCF", "extract it with `7z x FILE`"),
      ForeignFormat("an ar archive", "!<arch>\n", "extract it with `ar x FILE`"),
      ForeignFormat("a tar archive", "ustar", at: 257, "extract it with `tar -xf FILE`"),
    ] + pickles

  /// Objects of Python (pickletools): the protocol, then a frame, or the first object of a list, a
  /// record, a tuple or a class. Two bytes alone may begin a text in UTF-16.
  private static let pickles = [
    [0x04, 0x95], [0x05, 0x95], [0x02, 0x5D], [0x02, 0x7D], [0x02, 0x28], [0x02, 0x63],
    [0x03, 0x5D], [0x03, 0x7D], [0x03, 0x28], [0x03, 0x63],
  ].map {
    ForeignFormat("a pickle of Python", [0x80] + $0, "export it as CSV or JSON in Python")
  }

  /// The position of the name of the first member of a zip archive.
  private static let memberName = 30
  private static let document = "save its table as .xlsx or CSV"

  /// OpenDocument begins with its media type, Office Open XML with a list of its parts.
  private static let archives: [ForeignFormat] = [
    ForeignFormat(
      "an OpenDocument spreadsheet", "mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
      at: memberName, "save it as .xlsx or CSV"),
    ForeignFormat(
      "an OpenDocument file", "mimetypeapplication/vnd.oasis.opendocument.", at: memberName,
      document),
    ForeignFormat("an EPUB book", "mimetypeapplication/epub+zip", at: memberName, data),
    ForeignFormat("a Word document", "PK", document).with("word/document.xml"),
    ForeignFormat("a PowerPoint presentation", "PK", document).with("ppt/presentation.xml"),
    ForeignFormat("a binary Excel workbook", "PK", "save it as .xlsx or CSV")
      .with("xl/workbook.bin"),
  ]
}

extension [UInt8] {
  /// Whether the bytes contain a text in ASCII.
  package func contains(_ text: String) -> Bool {
    let text = Array(text.utf8)
    guard let first = text.first else { return true }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: text) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
