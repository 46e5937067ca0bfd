import DataTables

/// The name that iconv knows for the label of an encoding. Labels mean what browsers take them for
/// (the Encoding Standard), so that `shift_jis` includes the characters of Windows.
enum EncodingName {
  /// - Returns: the label itself if it is not one of the standard.
  static func iconv(_ label: String) -> String {
    let name = TextEncoding(named: label)?.name ?? label.lowercased()
    return names[name] ?? name
  }

  /// By the names of ``TextEncoding``, and by labels that it does not have.
  private static let names: [String: String] = [
    "ISO-8859-1": "windows-1252", "ascii": "windows-1252", "us-ascii": "windows-1252",
    "Shift_JIS": "CP932", "GBK": "GB18030", "EUC-KR": "CP949", "Big5": "BIG5-HKSCS",
    "macintosh": "MACINTOSH",
  ]
}
