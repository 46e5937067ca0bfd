/// The name that iconv knows for the label of an encoding. Labels mean what browsers take them for
/// (the Encoding Standard), so that `shift_jis` includes the characters of Windows.
enum EncodingName {
  static func iconv(_ label: String) -> String {
    let label = label.lowercased()
    return names[label] ?? label
  }

  private static let names: [String: String] = [
    "iso-8859-1": "windows-1252", "latin1": "windows-1252", "ascii": "windows-1252",
    "us-ascii": "windows-1252", "iso8859-1": "windows-1252", "l1": "windows-1252",
    "iso-8859-9": "windows-1254", "iso-8859-11": "windows-874", "tis-620": "windows-874",
    "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932", "x-sjis": "CP932",
    "windows-31j": "CP932", "ms_kanji": "CP932",
    "gb2312": "GB18030", "gbk": "GB18030", "gb_2312-80": "GB18030", "x-gbk": "GB18030",
    "euc-kr": "CP949", "ks_c_5601-1987": "CP949", "ksc5601": "CP949", "windows-949": "CP949",
    "big5": "BIG5-HKSCS", "utf8": "UTF-8", "unicode-1-1-utf-8": "UTF-8", "utf-16": "UTF-16LE",
    "x-mac-roman": "MACINTOSH", "mac": "MACINTOSH",
  ]
}
