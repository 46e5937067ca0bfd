extension ReadOptions {
  /// - Throws: ``TableError/badArgument(_:)`` for labels that give one character two meanings, or a
  ///   character that cannot have its meaning.
  func checkDialect() throws(TableError) {
    var meanings: [(label: String, byte: UInt8)] = []
    if let delimiter { meanings.append(("delimiter", delimiter)) }
    switch quote {
    case .character(let quote): meanings.append(("quote", quote))
    case .some(.none): break
    case nil: meanings.append(("quote", UInt8(ascii: "\"")))
    }
    if let escape { meanings.append(("escape", escape)) }
    if let prefix = commentPrefix?.utf8, prefix.count == 1, let byte = prefix.first {
      meanings.append(("comment", byte))
    }
    for (place, meaning) in meanings.enumerated() {
      if meaning.byte == UInt8(ascii: "\n") || meaning.byte == UInt8(ascii: "\r") {
        throw .badArgument("`\(meaning.label):` must not be a line end")
      }
      if let other = meanings[..<place].first(where: { $0.byte == meaning.byte }) {
        throw .badArgument(
          "`\(other.label):` and `\(meaning.label):` are the same character; each needs its own")
      }
    }
    if let skippedLines, skippedLines < 0 {
      throw .badArgument("`skip:` must be a non-negative integer")
    }
  }
}
