internal import Glibc

/// The lines of a text, without their ends.
package struct TextLines: Sequence, IteratorProtocol {
  package enum Ends: Sendable {
    /// LF, with any number of CR before it.
    case feed
    /// LF, CRLF or CR, also mixed.
    case any
  }

  package struct Place {
    /// From 1.
    package var number: Int
    /// The bytes without the line end.
    package var range: Range<Int>
    /// The index after the line end.
    package var next: Int
    /// Whether the text ends with the line, so that it may be cut.
    package var isLast: Bool
  }

  private let bytes: UnsafeRawBufferPointer
  private let ends: Ends
  private var position = 0
  private var number = 0
  /// The index of the first LF from the position on; the number of bytes without one.
  private var feed = -1

  /// - Parameter bytes: valid while lines are taken.
  package init(_ bytes: UnsafeRawBufferPointer, ends: Ends = .any) {
    self.bytes = bytes
    self.ends = ends
  }

  package mutating func next() -> Place? {
    guard position < bytes.count else { return nil }
    let start = position
    if feed < start { feed = index(of: 0x0A, in: start..<bytes.count) ?? bytes.count }
    var end = feed
    position = end + 1
    switch ends {
    case .feed: while end > start, feed < bytes.count, bytes[end - 1] == 0x0D { end -= 1 }
    case .any:
      if let found = index(of: 0x0D, in: start..<end) {
        end = found
        position = end + 1 == feed ? feed + 1 : end + 1
      }
    }
    number += 1
    let isLast = end == bytes.count
    position = Swift.min(position, bytes.count)
    return Place(number: number, range: start..<end, next: position, isLast: isLast)
  }

  private func index(of byte: UInt8, in range: Range<Int>) -> Int? {
    guard let base = bytes.baseAddress, !range.isEmpty,
      let found = memchr(base + range.lowerBound, Int32(byte), range.count)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
