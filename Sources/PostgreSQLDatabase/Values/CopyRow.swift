import DataTables

/// Writes rows in the text format of `COPY`.
enum CopyRow {
  /// Appends one row: values separated by tabs, `\N` for null.
  /// - Parameter texts: of the columns; nil for null.
  static func append(_ texts: [String?], to bytes: inout [UInt8]) {
    for (index, text) in texts.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: "\t")) }
      if let text {
        append(text, to: &bytes)
      } else {
        bytes.append(contentsOf: "\\N".utf8)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { utf8 in
      for byte in utf8 {
        switch byte {
        case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
        case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
        case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
        case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
        default: bytes.append(byte)
        }
      }
    }
  }
}
