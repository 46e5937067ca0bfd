internal import _FoundationICU

/// An ICU collator, which creates keys whose bytes sort in the order of the strings.
///
/// Not thread-safe: each worker has its own collator. Except for canonical forms and encodings, only
/// this folder uses ICU.
final class Collator {
  struct Settings: Sendable {
    enum Strength: Sendable { case primary, secondary, tertiary, identical }
    var strength: Strength
    /// Whether sequences of digits are compared by their value as numbers.
    var isNumeric = false
    /// Whether case takes precedence over the other differences that are weaker than accents.
    var hasCaseLevel = false
  }

  private let collator: OpaquePointer
  private var units: UnsafeMutableBufferPointer<UInt16>

  /// Only this many bytes of a text are compared: ICU has 32-bit lengths, and a key is a few times
  /// as long as its text.
  private static let maxBytes = 1 << 27

  /// - Throws: ``TableError/badArgument(_:)`` if ICU has no collator.
  init(_ locale: CollationLocale, _ settings: Settings) throws(TableError) {
    var status = U_ZERO_ERROR
    let collator = swift_ucol_open(locale.identifier, &status)
    guard let collator, status.rawValue <= U_ZERO_ERROR.rawValue else {
      throw .badArgument("no collation for the locale `\(locale.identifier)`")
    }
    self.collator = collator
    units = .allocate(capacity: 256)
    let strength =
      switch settings.strength {
      case .primary: UCOL_PRIMARY
      case .secondary: UCOL_SECONDARY
      case .tertiary: UCOL_TERTIARY
      case .identical: UCOL_IDENTICAL
      }
    swift_ucol_setAttribute(collator, UCOL_STRENGTH, strength, &status)
    swift_ucol_setAttribute(collator, UCOL_NORMALIZATION_MODE, UCOL_ON, &status)
    if settings.isNumeric {
      swift_ucol_setAttribute(collator, UCOL_NUMERIC_COLLATION, UCOL_ON, &status)
    }
    if settings.hasCaseLevel {
      swift_ucol_setAttribute(collator, UCOL_CASE_LEVEL, UCOL_ON, &status)
    }
  }

  deinit {
    swift_ucol_close(collator)
    units.deallocate()
  }

  /// Whether the locale adds rules to the order of the root.
  var hasRules: Bool {
    var length: Int32 = 0
    _ = swift_ucol_getRules(collator, &length)
    return length > 0
  }

  /// The code units of a text, valid until the next call.
  func codeUnits(of text: UnsafeRawBufferPointer) -> UnsafeBufferPointer<UInt16> {
    let text = UnsafeRawBufferPointer(rebasing: text.prefix(Self.maxBytes))
    if text.count > units.count {
      units.deallocate()
      units = .allocate(capacity: text.count * 2)
    }
    guard !text.isASCII else {
      for index in 0..<text.count { units[index] = UInt16(text[index]) }
      return UnsafeBufferPointer(rebasing: units[..<text.count])
    }
    var length = 0
    // A truncated character or invalid UTF-8 becomes U+FFFD, so a text never has more code units
    // than bytes.
    _ = transcode(text.makeIterator(), from: UTF8.self, to: UTF16.self, stoppingOnError: false) {
      units[length] = $0
      length += 1
    }
    return UnsafeBufferPointer(rebasing: units[..<length])
  }

  /// Writes the key of a text, followed by a suffix. The last byte of the key is its only zero
  /// byte.
  /// - Parameter writeSuffix: writes at most `units.count + 1` bytes, and returns the number of
  ///   bytes that it wrote.
  func appendKey(
    of units: UnsafeBufferPointer<UInt16>, to writer: TextWriter,
    _ writeSuffix: (UnsafeMutablePointer<UInt8>) -> Int = { _ in 0 }
  ) {
    var capacity = units.count * 4 + 32
    while true {
      guard let (target, ends) = writer.reserve(texts: 1, bytes: capacity + units.count + 1) else {
        return
      }
      let length = Int(
        swift_ucol_getSortKey(
          collator, units.baseAddress, Int32(units.count), target, Int32(capacity)))
      guard length <= capacity else {
        capacity = length
        continue
      }
      let total = length + writeSuffix(target + length)
      ends[0] = writer.position + UInt32(total)
      return writer.commit(1, bytes: total)
    }
  }
}
