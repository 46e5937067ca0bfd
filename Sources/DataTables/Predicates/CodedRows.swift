/// The codes of the rows for which a comparison is evaluated.
struct CodedRows {
  private let codes: RowCodes
  private let candidates: RowMask
  /// The codes for which the comparison is evaluated: all codes, or those of few rows.
  let present: RowMask

  init(_ codes: RowCodes, distinct: Int, _ candidates: RowMask) {
    self.codes = codes
    self.candidates = candidates
    if case .natural = codes {
      present = candidates
    } else if candidates.population < distinct {
      var present = RowMask(none: distinct)
      for word in candidates.words.indices where candidates.words[word] != 0 {
        for row in candidates.rows(in: word..<word + 1) { present.insert(codes[row]) }
      }
      self.present = present
    } else {
      present = RowMask(all: distinct)
    }
  }

  subscript(row: Int) -> Int { codes[row] }

  /// The candidates whose code has a 1 in `matching`.
  func mask(matching: [UInt8], cancellation: Cancellation) throws -> RowMask {
    var mask =
      switch codes {
      case .narrow(let codes):
        try mask(of: codes, matching: matching, cancellation: cancellation)
      case .wide(let codes): try mask(of: codes, matching: matching, cancellation: cancellation)
      case .natural(let count):
        try RowMask.filled(count, cancellation: cancellation) { rows in
          rows.reversed().reduce(0) { $0 << 1 | UInt64(matching[$1]) }
        }
      }
    mask.formIntersection(candidates)
    return mask
  }

  private func mask<Code: FixedWidthInteger & Sendable>(
    of codes: [Code], matching: [UInt8], cancellation: Cancellation
  ) throws -> RowMask {
    let candidates = candidates.words
    return try RowMask.filled(codes.count, cancellation: cancellation) { rows in
      if candidates[rows.lowerBound >> 6] == 0 { return 0 }
      return codes.withUnsafeBufferPointer { codes in
        matching.withUnsafeBufferPointer { matching in
          var word: UInt64 = 0
          for bit in 0..<rows.count {
            let isMatch = matching[Int(codes[rows.lowerBound &+ bit])]
            word |= UInt64(isMatch) &<< UInt64(truncatingIfNeeded: bit)
          }
          return word
        }
      }
    }
  }
}
