/// A format that is recognized by its first bytes but cannot be read.
struct ForeignFormat: Sendable {
  /// With an article: `a PDF document`.
  let phrase: String
  /// Advice in the imperative, which follows a semicolon.
  let advice: String
  /// The bytes at the start of a file, or at `offset`.
  private let mark: [UInt8]
  private let offset: Int
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
    all.first { format in
      sample.bytes.dropFirst(format.offset).starts(with: format.mark)
        && (format.isText || sample.text == nil || sample.bytes.contains(0))
    }
  }

  var error: TableError {
    .format("the file is \(phrase), which cannot be read; \(advice)", at: nil)
  }

  /// A copy for a format whose files may be text.
  private var text: ForeignFormat {
    var format = self
    format.isText = true
    return format
  }

  private static let table = "export its table as CSV or JSON"
  private static let data = "load the data file that belongs to it"

  private static let all: [ForeignFormat] = [
    ForeignFormat("a Parquet file", "PAR1", "convert it to CSV or NDJSON"),
    ForeignFormat("an Arrow file", "ARROW1", "convert it to CSV or NDJSON"),
    ForeignFormat("a Feather file", "FEA1", "convert it to CSV or NDJSON"),
    ForeignFormat("an Avro file", "Obj\u{1}", "convert it to NDJSON"),
    ForeignFormat("an ORC file", "ORC", "convert it to CSV or NDJSON"),
    ForeignFormat("an HDF5 file", [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A], "export a table as CSV"),
    ForeignFormat("a NumPy array", [0x93] + Array("NUMPY".utf8), "export it as CSV"),
    ForeignFormat("an R data file", "RDX", "export it as CSV"),
    ForeignFormat("a Stata file", "<stata_dta>", table).text,
    ForeignFormat(
      "a SAS file", [UInt8](repeating: 0, count: 12) + [0xC2, 0xEA, 0x81, 0x60], table),
    ForeignFormat("an SPSS file", "$FL2", table),
    ForeignFormat("an SQLite database", "SQLite format 3\u{0}", table),
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
  ]
}
