internal import CScan

/// Limits that protect a session from malformed or hostile files.
public struct ReadLimits: Hashable, Sendable {
  /// The maximum length of a row in bytes.
  ///
  /// At most 1 GiB - 1: the kernels store the lengths of fields in 30 bits.
  public var row = 64 << 20 {
    didSet { row = min(row, Int(DS_FIELD_LENGTH)) }
  }
  /// The maximum number of levels of nested arrays and records.
  public var depth = 512 { didSet { isDepthStated = true } }
  /// Whether ``depth`` was set. Elements of HTML may be nested deeper otherwise.
  package private(set) var isDepthStated = false
  /// The maximum length in bytes of a document that is held in memory as a whole.
  public var document = 256 << 20
  /// The maximum size of a compressed file after decompression, in bytes; nil for 1 GiB, or 200
  /// times the size of the file if that is more.
  public var decompressedSize: Int?
  public init() {}

  private static let minDecompressedSize = 1 << 30
  /// Real data is rarely compressed to less than a hundredth.
  private static let maxRatio = 200

  /// The maximum size of a file after decompression, in bytes.
  /// - Parameter size: the size of the compressed file.
  package func decompressedSize(ofFileOf size: Int) -> Int {
    if let decompressedSize { return decompressedSize }
    let (limit, overflows) = size.multipliedReportingOverflow(by: Self.maxRatio)
    return overflows ? .max : max(Self.minDecompressedSize, limit)
  }

  /// The labels that set the limits.
  public static let rowLabel = "maxRow"
  public static let depthLabel = "maxDepth"
  public static let documentLabel = "maxDocument"
  public static let decompressedSizeLabel = "maxSize"
}

// Labels that raise a limit that was exceeded.
extension ReadLimits {
  /// The label with which a row of a text fits: `maxRow: 4096`; "" if no label lets it be longer.
  /// - Parameter size: the length of the text in bytes; nil if it is not known.
  package func rowSetting(for size: Int?) -> String {
    let largest = Int(DS_FIELD_LENGTH)
    guard row < largest else { return "" }
    // A longer row than the default one is rare.
    let needed = size ?? (row < Self().row ? Self().row : largest)
    return "\(Self.rowLabel): \(min(max(needed, row + 1).roundedUpToPowerOfTwo, largest))"
  }

  /// The label that lets the content of a compressed file have more bytes: `maxSize: 1073741824`.
  /// - Parameter size: the size of the compressed file.
  package func decompressedSizeSetting(forFileOf size: Int) -> String {
    let limit = decompressedSize(ofFileOf: size)
    let standard = Self().decompressedSize(ofFileOf: size)
    // Deflated content has at most 1,032 times the size, eight times the usual limit.
    let (larger, overflows) = limit.multipliedReportingOverflow(by: 8)
    let needed = limit < standard ? standard : overflows ? Int.max : larger
    return "\(Self.decompressedSizeLabel): \(needed)"
  }
}

extension Int {
  /// The smallest power of two that is not less than a positive number of at most 2^62.
  fileprivate var roundedUpToPowerOfTwo: Int {
    self > 1 << 62 ? self : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
  }
}
