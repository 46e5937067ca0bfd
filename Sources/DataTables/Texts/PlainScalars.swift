/// Scalars that are characters of their own next to any of their kind, and that no canonically
/// equivalent string spells differently.
///
/// A text of these scalars is plain: it is in canonical composition, and its scalars are its
/// characters, except that CR LF is one character. A search for a plain text in it can
/// therefore compare bytes. Combining marks, conjoining letters, joiners and regional indicators are not
/// plain, nor are the scripts that are not listed here.
enum PlainScalars {
  /// - Complexity: O(log n) in the number of ranges.
  static func contains(_ scalar: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      let range = ranges[middle]
      if scalar < range.first {
        high = middle
      } else if scalar > range.last {
        low = middle + 1
      } else {
        return true
      }
    }
    return false
  }

  /// The first scalar that is not plain is U+0300, whose lead byte this is.
  static let firstLead: UInt8 = 0xCC

  static let ranges: [(first: UInt32, last: UInt32)] = [
    (0x0000, 0x02FF),
    // Greek, Cyrillic, Armenian, Hebrew, Arabic, Thai, Georgian.
    (0x0370, 0x0373), (0x0375, 0x037D), (0x037F, 0x0386), (0x0388, 0x0482), (0x048A, 0x052F),
    (0x0531, 0x0556), (0x0559, 0x058A), (0x05D0, 0x05EA), (0x0620, 0x064A), (0x0660, 0x066F),
    (0x0671, 0x06D3), (0x0E01, 0x0E30), (0x10A0, 0x10FF), (0x1E00, 0x1EFF),
    // Punctuation and symbols.
    (0x2010, 0x2027), (0x2030, 0x205E), (0x2070, 0x209C), (0x20A0, 0x20C0), (0x2150, 0x218B),
    (0x2190, 0x2328), (0x232B, 0x2ADB), (0x2ADD, 0x2BFF),
    // Chinese, Japanese, Korean.
    (0x3000, 0x3029), (0x3030, 0x303F), (0x3041, 0x3096), (0x309B, 0x30FF), (0x3105, 0x312F),
    (0x3131, 0x318E), (0x3220, 0x33FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA000, 0xA48C),
    (0xAC00, 0xD7A3), (0xFF01, 0xFF9D), (0xFFE0, 0xFFE6), (0xFFFC, 0xFFFD),
    // Emoji without modifiers; rare Chinese characters.
    (0x1F300, 0x1F3FA), (0x1F400, 0x1F64F), (0x1F680, 0x1F6FF), (0x1F900, 0x1FAFF),
    (0x20000, 0x2A6DF),
  ]
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are UTF-8 of ``PlainScalars`` only.
  var isPlain: Bool { firstNotPlain(from: 0) == nil }

  /// The index of the first scalar that is not plain, or of ill-formed UTF-8; nil if there is none.
  /// - Parameter start: the start of a scalar.
  func firstNotPlain(from start: Int) -> Int? {
    var start = start
    while let index = firstNotASCII(from: start) {
      guard let (scalar, length) = scalar(at: index),
        self[index] < PlainScalars.firstLead || PlainScalars.contains(scalar)
      else { return index }
      start = index &+ length
    }
    return nil
  }

  /// The index of the first byte of 0x80 or more; nil if there is none.
  @inline(__always)
  func firstNotASCII(from start: Int) -> Int? {
    var index = start
    while index &+ 8 <= count,
      loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index &+= 8
    }
    while index < count, self[index] < 0x80 { index &+= 1 }
    return index < count ? index : nil
  }

  /// The scalar outside of ASCII that starts at an index, and its length; nil for ill-formed UTF-8.
  @inline(__always)
  func scalar(at index: Int) -> (value: UInt32, length: Int)? {
    let lead = self[index]
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, lead <= 0xF4, index &+ length <= count else { return nil }
    var value = UInt32(lead) & (0xFF >> UInt32(length &+ 1))
    for next in index &+ 1..<index &+ length {
      guard self[next] & 0xC0 == 0x80 else { return nil }
      value = value &<< 6 | UInt32(self[next] & 0x3F)
    }
    // Neither longer than necessary, nor a surrogate, nor too large.
    let isWellFormed =
      switch length {
      case 3: value >= 0x800 && !(0xD800...0xDFFF).contains(value)
      case 4: value >= 0x10000 && value <= 0x10FFFF
      default: true
      }
    return isWellFormed ? (value, length) : nil
  }
}
