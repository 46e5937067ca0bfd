/// The cells that mean null, in addition to the empty cell.
struct NullWords: Sendable {
  /// Words that commonly mean null, in lowercase.
  static let common: Set<String> = ["na", "n/a", "null", "-", "nan", "none", "nil", "\\n", "?"]

  /// The bytes of all words.
  private var bytes: [UInt8] = []
  /// The ends of the words in `bytes`.
  private var ends: [Int] = []
  /// The length in bytes of the longest word; -1 without words.
  private(set) var longest = -1

  init(_ words: [String]) {
    for word in words {
      bytes += word.utf8
      ends.append(bytes.count)
      longest = max(longest, word.utf8.count)
    }
  }

  /// - Complexity: O(words). Files have few of them, and hashing a cell takes longer than comparing
  ///   it with several words.
  func contains(_ cell: UnsafeRawBufferPointer) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var start = 0
      for end in ends {
        if end - start == cell.count,
          cell.elementsEqual(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        {
          return true
        }
        start = end
      }
      return false
    }
  }
}
