internal import CScan
internal import Glibc

/// A text that is searched for in the bytes of plain texts (``PlainScalars``).
struct TextNeedle: Sendable {
  private let bytes: [UInt8]
  /// Whether ASCII letters match in either case. The texts are then ASCII.
  private let foldsCase: Bool

  private static let find = ds_kernels_best().pointee.find_text

  /// - Parameter text: in lowercase if `foldsCase` is true.
  /// - Returns: nil if no plain text contains `text`.
  init?(_ text: String, foldsCase: Bool) {
    bytes = Array(text.composed.utf8)
    self.foldsCase = foldsCase
    guard bytes.withUnsafeBytes({ foldsCase ? $0.isASCII : $0.isPlain }) else { return nil }
  }

  var count: Int { bytes.count }

  /// The index of the first occurrence of the bytes, whether or not characters start and end there;
  /// nil if there is none.
  /// - Complexity: O(bytes), except that a long needle that folds case takes O(bytes × needle) at
  ///   worst.
  func first(in text: UnsafeRawBufferPointer) -> Int? {
    guard !bytes.isEmpty else { return 0 }
    guard text.count >= bytes.count, let start = text.baseAddress, let find = Self.find else {
      return nil
    }
    let index = bytes.withUnsafeBufferPointer { bytes in
      find(
        start.assumingMemoryBound(to: UInt8.self), text.count, bytes.baseAddress, bytes.count,
        foldsCase ? 1 : 0)
    }
    return index < text.count ? index : nil
  }

  /// Whether the bytes at an index of a text are characters: they do not divide a CR LF.
  @inline(__always)
  func isWhole(in text: UnsafeRawBufferPointer, at index: Int) -> Bool {
    guard let first = bytes.first, let last = bytes.last else { return true }
    let end = index &+ bytes.count
    return (first != 0x0A || index == 0 || text[index &- 1] != 0x0D)
      && (last != 0x0D || end == text.count || text[end] != 0x0A)
  }

  func isContained(in text: UnsafeRawBufferPointer) -> Bool {
    var start = 0
    while let found = first(in: UnsafeRawBufferPointer(rebasing: text[start...])) {
      if isWhole(in: text, at: start + found) { return true }
      start += found + 1
    }
    return false
  }

  func isPrefix(of text: UnsafeRawBufferPointer) -> Bool {
    text.count >= bytes.count && isEqual(text, at: 0) && isWhole(in: text, at: 0)
  }

  func isSuffix(of text: UnsafeRawBufferPointer) -> Bool {
    let start = text.count - bytes.count
    return start >= 0 && isEqual(text, at: start) && isWhole(in: text, at: start)
  }

  func equals(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count == bytes.count && isEqual(text, at: 0)
  }

  /// - Precondition: the text has enough bytes at the index.
  @inline(__always)
  private func isEqual(_ text: UnsafeRawBufferPointer, at index: Int) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard let start = text.baseAddress, let other = bytes.baseAddress else { return true }
      if !foldsCase { return memcmp(start + index, other, bytes.count) == 0 }
      for offset in 0..<bytes.count where text[index &+ offset].lowercased != bytes[offset] {
        return false
      }
      return true
    }
  }
}

extension UInt8 {
  /// The byte of the lowercase letter for that of an uppercase ASCII letter; otherwise the byte.
  @inline(__always)
  var lowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}
