internal import CScan

/// Converts cells to values.
struct CellReader {
  let nulls: NullWords
  /// How numbers are written.
  let style: NumberStyle
  /// The order of day and month that the user gave.
  let order: WrittenDate.Order?
  let quoting: FieldQuoting

  /// - Parameters:
  ///   - nulls: words that mean null, in addition to the empty cell.
  ///   - order: the order of day and month that the user gave.
  ///   - quoting: the quotes and escapes of the text.
  init(
    nulls: [String], style: NumberStyle = NumberStyle(), order: WrittenDate.Order? = nil,
    quoting: FieldQuoting = FieldQuoting()
  ) {
    self.quoting = quoting
    self.nulls = NullWords(nulls + (quoting.hasNullField ? [FieldQuoting.nullField] : []))
    self.style = style
    self.order = order
  }

  init(_ options: ReadOptions, quoting: FieldQuoting = FieldQuoting()) {
    self.init(
      nulls: options.nulls, style: options.numberStyle, order: options.writtenDateOrder,
      quoting: quoting)
  }

  /// The value of a cell in a column of the given form. A cell that does not fit the form is a
  /// string, or null if the type was requested.
  func value(of field: ds_field, in bytes: UnsafePointer<UInt8>, as form: CellForm) -> Value {
    // An empty cell is null; two quotes are an empty string.
    guard field.length != 0 else { return .null }
    return withCell(field, in: bytes) { value(of: $0, as: form) }
  }

  /// The value of the content of a cell that is quoted or not empty. Blanks in quotes are a string
  /// among strings, and null among other values.
  func value(of cell: UnsafeRawBufferPointer, as form: CellForm) -> Value {
    if isNull(cell) { return .null }
    if let value = form.value(of: cell) { return value }
    if form.isRequested || cell.isBlank { return .null }
    return .string(String(decoding: cell, as: UTF8.self))
  }

  func isNull(_ cell: UnsafeRawBufferPointer) -> Bool {
    cell.count <= nulls.longest && nulls.contains(cell)
  }

  /// Calls `body` with the content of a cell, without quotes.
  func withCell<Result>(
    _ field: ds_field, in bytes: UnsafePointer<UInt8>,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let cell = UnsafeRawBufferPointer(
      start: bytes + Int(field.start), count: Int(field.length & UInt32(DS_FIELD_LENGTH)))
    guard field.length & UInt32(DS_FIELD_ESCAPED) != 0 else { return try body(cell) }
    return try quoting.withUnescaped(
      cell, isQuoted: field.length & UInt32(DS_FIELD_QUOTED) != 0, body)
  }

  /// Appends the content of a cell that is quoted or not empty; a word for null is appended as
  /// null.
  func append(_ cell: UnsafeRawBufferPointer, to writer: TextWriter) {
    if isNull(cell) { writer.appendNull() } else { writer.append(cell) }
  }
}

extension TextWriter {
  /// Appends every `stride`-th field. Empty unquoted fields and words for null are appended as
  /// nulls.
  func append(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, of bytes: UnsafePointer<UInt8>,
    cells: CellReader
  ) {
    var total = 0
    for index in 0..<count {
      total &+= Int(fields[index &* stride].length & UInt32(DS_FIELD_LENGTH))
    }
    // Long fields are appended one by one, because each may close the block.
    guard total < 1 << 24 else {
      for index in 0..<count { append(fields[index &* stride], of: bytes, cells: cells) }
      return
    }
    // Every copy writes at least 16 bytes.
    guard let (target, ends) = reserve(texts: count, bytes: total + 16) else { return }
    let base = position
    var length = 0
    for index in 0..<count {
      let field = fields[index &* stride]
      let cell = Int(field.length & UInt32(DS_FIELD_LENGTH))
      let start = UnsafeRawPointer(bytes + Int(field.start))
      if field.length == 0 {
        markNull(index)
      } else if field.length & UInt32(DS_FIELD_ESCAPED) != 0 {
        cells.withCell(field, in: bytes) {
          if cells.isNull($0) { return markNull(index) }
          UnsafeMutableRawPointer(target + length).copyMemory(
            from: $0.baseAddress ?? start, byteCount: $0.count)
          length &+= $0.count
        }
      } else if cell <= cells.nulls.longest,
        cells.isNull(UnsafeRawBufferPointer(start: start, count: cell))
      {
        markNull(index)
      } else {
        // Always copy 16 bytes: the window is padded, and most cells are not longer.
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

extension CellForm {
  /// Writes the keys of every `stride`-th field; false if a cell has no key.
  func encode(
    _ fields: UnsafePointer<ds_field>, count: Int, stride: Int, of bytes: UnsafePointer<UInt8>,
    as kind: NumericColumn.Kind, into keys: UnsafeMutablePointer<UInt64>, cells: CellReader
  ) -> Bool {
    for index in 0..<count {
      let field = fields[index &* stride]
      guard field.length != 0 else {
        keys[index] = NumericColumn.null
        continue
      }
      let length = Int(field.length & UInt32(DS_FIELD_LENGTH))
      let cell = UnsafeRawBufferPointer(start: bytes + Int(field.start), count: length)
      let key: UInt64?
      if field.length & UInt32(DS_FIELD_ESCAPED) != 0 {
        key = unescapedKey(of: field, in: bytes, as: kind, cells: cells)
      } else if length <= cells.nulls.longest, cells.isNull(cell) {
        key = NumericColumn.null
      } else {
        key = self.key(of: cell, kind)
      }
      guard let key else { return false }
      keys[index] = key
    }
    return true
  }

  /// The key of a cell with quotes or escapes. Not inlined: the closure copies its context, which
  /// would cost other cells more than their conversion.
  @inline(never)
  private func unescapedKey(
    of field: ds_field, in bytes: UnsafePointer<UInt8>, as kind: NumericColumn.Kind,
    cells: CellReader
  ) -> UInt64? {
    cells.withCell(field, in: bytes) { cell in
      cells.isNull(cell) ? NumericColumn.null : key(of: cell, kind)
    }
  }
}
