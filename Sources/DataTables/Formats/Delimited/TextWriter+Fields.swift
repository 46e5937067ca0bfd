internal import CScan

extension TextWriter {
  /// Appends every `stride`-th field; empty unquoted ones, and words that stand for null, as null.
  func append(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, of bytes: UnsafePointer<UInt8>,
    cells: CellReader
  ) {
    var total = 0
    for index in 0..<count {
      total &+= Int(fields[index &* stride].length & UInt32(DS_FIELD_LENGTH))
    }
    // Very long ones go out one by one, each of which may close the block.
    guard total < 1 << 24 else {
      for index in 0..<count { append(fields[index &* stride], of: bytes, cells: cells) }
      return
    }
    // The copies are of 16 bytes at least.
    guard let (target, ends) = reserve(texts: count, bytes: total + 16) else { return }
    let base = position
    var length = 0
    for index in 0..<count {
      let field = fields[index &* stride]
      let cell = Int(field.length & UInt32(DS_FIELD_LENGTH))
      let start = UnsafeRawPointer(bytes + Int(field.start))
      if field.length == 0
        || cell <= cells.longestNull
          && cells.isNull(UnsafeRawBufferPointer(start: start, count: cell))
      {
        markNull(index)
      } else if field.length & UInt32(DS_FIELD_ESCAPED) != 0 {
        UnsafeRawBufferPointer(start: start, count: cell).withUnescapedQuotes {
          UnsafeMutableRawPointer(target + length).copyMemory(
            from: $0.baseAddress ?? start, byteCount: $0.count)
          length &+= $0.count
        }
      } else {
        // The window is padded, and most cells are short.
        let from = start.loadUnaligned(as: SIMD16<UInt8>.self)
        UnsafeMutableRawPointer(target + length).storeBytes(of: from, as: SIMD16<UInt8>.self)
        if cell > 16 {
          UnsafeMutableRawPointer(target + length).copyMemory(from: start, byteCount: cell)
        }
        length &+= cell
      }
      ends[index] = base &+ UInt32(truncatingIfNeeded: length)
    }
    commit(count, bytes: length)
  }

  private func append(
    _ field: ds_field, of bytes: UnsafePointer<UInt8>, cells: CellReader
  ) {
    if field.length == 0 { return appendNull() }
    cells.withCell(field, in: bytes) { cells.isNull($0) ? appendNull() : append($0) }
  }
}
