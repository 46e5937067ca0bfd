internal import _FoundationICU

/// Converts bytes with one of ICU's converters.
final class EncodingConverter {
  private let converter: OpaquePointer

  /// nil if ICU has no converter of that name.
  init?(_ name: String) {
    var status = U_ZERO_ERROR
    let converter = swift_ucnv_open(name, &status)
    guard let converter, status.rawValue <= U_ZERO_ERROR.rawValue else { return nil }
    self.converter = converter
    status = U_ZERO_ERROR
    swift_ucnv_setToUCallBack(converter, swift_UCNV_TO_U_CALLBACK_STOP, nil, nil, nil, &status)
  }

  deinit { swift_ucnv_close(converter) }

  /// Calls `body` with each character and the offset of its first byte, until it returns false.
  ///
  /// - Parameter partSize: the number of bytes that are converted at a time; ICU has 32-bit offsets.
  /// - Returns: the offset of the first byte that is not valid in the encoding; the number of bytes
  ///   if all are valid.
  func convert(
    _ bytes: UnsafeRawBufferPointer, partSize: Int = 1 << 20,
    _ body: (Unicode.Scalar, Int) -> Bool
  ) -> Int {
    var output = UTF16Output()
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + partSize)
      var status = U_BUFFER_OVERFLOW_ERROR
      while status == U_BUFFER_OVERFLOW_ERROR {
        let read: Int
        (read, status) = fill(&output, from: bytes, start..<end)
        if let place = output.takeScalars(from: start, body) { return place }
        start += read
      }
      if status.rawValue > U_ZERO_ERROR.rawValue { return start - pendingCount - invalidCount }
      output.characterStart = start - pendingCount
    }
    return bytes.count
  }

  /// The bytes of a text; nil if it has a character that the encoding lacks.
  /// - Parameter text: UTF-8.
  func encode(_ text: [UInt8]) -> [UInt8]? {
    var status = U_ZERO_ERROR
    swift_ucnv_setFromUCallBack(
      converter, swift_UCNV_FROM_U_CALLBACK_STOP, nil, nil, nil, &status)
    let units = Array(String(decoding: text, as: UTF8.self).utf16)
    var bytes: [UInt8] = []
    var place = 0
    while place < units.count {
      var end = min(units.count, place + 1 << 16)
      if end < units.count, UTF16.isLeadSurrogate(units[end - 1]) { end -= 1 }
      // The longest characters have four bytes, and escapes before them as many.
      var piece = [CChar](repeating: 0, count: (end - place) * 8 + 16)
      status = U_ZERO_ERROR
      let count = swift_ucnv_fromUChars(
        converter, &piece, Int32(clamping: piece.count), Array(units[place..<end]),
        Int32(end - place), &status)
      guard status.rawValue <= U_ZERO_ERROR.rawValue, count >= 0 else { return nil }
      bytes += piece[..<Int(count)].map(UInt8.init(bitPattern:))
      place = end
    }
    return bytes
  }

  /// Converts as many bytes of a range as the output has room for.
  private func fill(
    _ output: inout UTF16Output, from bytes: UnsafeRawBufferPointer, _ range: Range<Int>
  ) -> (read: Int, status: UErrorCode) {
    var status = U_ZERO_ERROR
    var read = 0
    var written = 0
    output.units.withUnsafeMutableBufferPointer { units in
      output.offsets.withUnsafeMutableBufferPointer { offsets in
        let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        var source = text?.advanced(by: range.lowerBound)
        let first = source
        var target = units.baseAddress
        swift_ucnv_toUnicode(
          converter, &target, units.baseAddress?.advanced(by: units.count), &source,
          text?.advanced(by: range.upperBound), offsets.baseAddress,
          range.upperBound == bytes.count ? 1 : 0, &status)
        if let source, let first { read = source - first }
        if let target, let base = units.baseAddress { written = target - base }
      }
    }
    output.count = written
    return (read, status)
  }

  /// The number of bytes that were read and not converted: the first ones of a character, or those
  /// after an invalid one.
  private var pendingCount: Int {
    var status = U_ZERO_ERROR
    return max(0, Int(swift_ucnv_toUCountPending(converter, &status)))
  }

  /// The number of bytes of the invalid character that was read last.
  private var invalidCount: Int {
    var status = U_ZERO_ERROR
    var count: Int8 = 32
    var characters = [CChar](repeating: 0, count: 32)
    swift_ucnv_getInvalidChars(converter, &characters, &count, &status)
    return max(1, Int(count))
  }
}

/// UTF-16 that a converter has written, with the offsets of the bytes that its units come from.
private struct UTF16Output {
  var units = [UInt16](repeating: 0, count: 1 << 14)
  var offsets = [Int32](repeating: 0, count: 1 << 14)
  /// The number of units that are written.
  var count = 0
  /// The first byte of a character that continues in the next part.
  var characterStart = 0
  /// The first half of a surrogate pair at the end of a part.
  private var pending: (unit: UInt16, offset: Int)?

  /// Calls `body` with each character and its offset.
  /// - Parameter start: the offset of the converted bytes.
  /// - Returns: the offset of the character for which `body` returned false.
  mutating func takeScalars(from start: Int, _ body: (Unicode.Scalar, Int) -> Bool) -> Int? {
    for index in 0..<count {
      let unit = units[index]
      // -1 is a character that began in an earlier part.
      let offset = offsets[index] >= 0 ? start + Int(offsets[index]) : characterStart
      if UTF16.isLeadSurrogate(unit) {
        pending = (unit, offset)
        continue
      }
      var value = UInt32(unit)
      var place = offset
      if let lead = pending, UTF16.isTrailSurrogate(unit) {
        value = 0x10000 + (UInt32(lead.unit & 0x3FF) << 10 | UInt32(unit & 0x3FF))
        place = lead.offset
      }
      pending = nil
      guard let scalar = Unicode.Scalar(value), body(scalar, place) else { return place }
    }
    return nil
  }
}

/// ICU's statistics of languages and encodings.
enum EncodingStatistics {
  /// The names of encodings with the confidence that a text is in them, 1 to 100.
  static func confidences(in bytes: [UInt8]) -> [(name: String, confidence: Int)] {
    var status = U_ZERO_ERROR
    guard let detector = swift_ucsdet_open(&status) else { return [] }
    defer { swift_ucsdet_close(detector) }
    return bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        swift_ucsdet_setText(detector, text.baseAddress, Int32(clamping: text.count), &status)
        var count: Int32 = 0
        guard let matches = swift_ucsdet_detectAll(detector, &count, &status),
          status.rawValue <= U_ZERO_ERROR.rawValue
        else { return [] }
        return (0..<Int(count)).compactMap { index in
          guard let name = swift_ucsdet_getName(matches[index], &status) else { return nil }
          let confidence = swift_ucsdet_getConfidence(matches[index], &status)
          return (String(cString: name), Int(confidence))
        }
      }
    }
  }
}
