import DataTables

/// The name that iconv knows for the label of an encoding. Labels are resolved as in browsers (the
/// Encoding Standard), so that `shift_jis` includes the characters of Windows; the same labels work
/// for all formats.
enum EncodingName {
  /// - Returns: the label itself if it is not one of the standard.
  static func iconv(_ label: String) -> String {
    guard let encoding = TextEncoding(named: label) else { return label.lowercased() }
    return names[encoding.name] ?? encoding.name
  }

  /// The names of encodings that iconv has other names for, or that include more characters.
  private static let names = [
    "ISO-8859-1": "windows-1252", "Shift_JIS": "CP932", "EUC-KR": "CP949", "GBK": "GB18030",
    "Big5": "BIG5-HKSCS", "macintosh": "MACINTOSH", "x-mac-cyrillic": "MAC-CYRILLIC",
  ]
}
