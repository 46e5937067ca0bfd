internal import _FoundationICU

/// A locale that exists, in the spelling of ICU.
struct CollationLocale: Sendable {
  /// Empty for the root.
  let identifier: String

  static let root = CollationLocale()

  private init() { identifier = "" }

  /// - Parameter name: `sv`, `de_AT`, `zh-Hant`; nil, `root`, `und` and the empty string mean the
  ///   root. So does `en_US_POSIX`, because POSIX does not have the order of any language.
  /// - Throws: ``TableError/badArgument(_:)`` for a language, script or region that does not exist.
  init(_ name: String?) throws(TableError) {
    let written = name ?? ""
    let plain = written.replacing("-", with: "_")
    guard !["", "root", "und", "en_us_posix"].contains(plain.lowercased()) else {
      self = .root
      return
    }
    let isKnown =
      !plain.utf8.contains(0) && String(cString: swift_uloc_getISO3Language(plain)) != ""
      && Self.hasKnownScript(plain) && Self.hasKnownRegion(plain)
    guard isKnown else {
      throw .badArgument("unknown locale `\(written)`; write it as sv, de_AT or zh_Hant")
    }
    identifier = plain
  }

  private static func hasKnownScript(_ name: String) -> Bool {
    let script = part { swift_uloc_getScript(name, $0, $1, $2) }
    return script.isEmpty
      || swift_u_getPropertyValueEnum(UCHAR_SCRIPT, script) != UCHAR_INVALID_CODE.rawValue
  }

  private static func hasKnownRegion(_ name: String) -> Bool {
    let region = part { swift_uloc_getCountry(name, $0, $1, $2) }
    // Numeric regions, such as 419 for Latin America, have no ISO code in letters.
    return region.isEmpty || region.utf8.allSatisfy { $0 &- 0x30 < 10 }
      || String(cString: swift_uloc_getISO3Country(name)) != ""
  }

  private static func part(
    _ get: (UnsafeMutablePointer<CChar>?, Int32, UnsafeMutablePointer<UErrorCode>?) -> Int32
  ) -> String {
    var status = U_ZERO_ERROR
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let length = get(buffer.baseAddress, Int32(buffer.count), &status)
      guard status.rawValue <= U_ZERO_ERROR.rawValue else { return "?" }
      return String(
        decoding: UnsafeRawBufferPointer(buffer).prefix(max(0, Int(length))), as: UTF8.self)
    }
  }
}
