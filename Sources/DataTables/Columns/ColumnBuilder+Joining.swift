// Joins the parts of a column.
extension ColumnBuilder {
  /// A numeric column with at most this number of distinct numbers is coded.
  private static let maxCodedNumbers = 1 << 14

  /// The column of all rows of some parts, in their order.
  /// - Throws: ``TableError/io(_:)`` if memory ran out.
  package static func column(joining parts: [ColumnBuilder]) throws(TableError) -> KeyColumn {
    let parts = parts.filter { $0.count > 0 }
    var kinds: Set<NumericColumn.Kind> = []
    var areKeys = true
    var haveTexts = false
    for part in parts {
      switch part.content {
      case .nulls: continue
      case .keys(let kind, _): kinds.insert(kind)
      case .coded: areKeys = false
      case .texts:
        areKeys = false
        haveTexts = true
      }
    }
    if areKeys, kinds.count == 1, let kind = kinds.first { return keyed(parts, kind) }
    if haveTexts, let column = try texts(parts) { return column }
    return try coded(parts)
  }

  private static func keyed(_ parts: [ColumnBuilder], _ kind: NumericColumn.Kind) -> KeyColumn {
    let memory = NumericKeyMemory(rows: parts.reduce(0) { $0 + $1.count })
    var rest = memory.keys[...]
    for part in parts {
      let place = UnsafeMutableBufferPointer(rebasing: rest.prefix(part.count))
      if case .keys(_, let keys) = part.content {
        _ = place.initialize(fromContentsOf: keys)
      } else {
        place.initialize(repeating: NumericColumn.null)
      }
      rest = rest.dropFirst(part.count)
    }
    let column = NumericColumn(kind: kind, keys: NumericKeys(memory))
    return few(of: column) ?? .keyed(column)
  }

  /// The column with a code for each of its few numbers; nil if it has many.
  private static func few(of column: NumericColumn) -> KeyColumn? {
    var distinct: [UInt64] = []
    // For each slot, the code of its key plus one.
    var slots = [UInt16](repeating: 0, count: maxCodedNumbers * 4)
    let mask = slots.count - 1
    var codes: [UInt16] = []
    codes.reserveCapacity(column.keys.count)
    return column.keys.withUnsafeBufferPointer { keys in
      for key in keys {
        var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
        while slots[slot] != 0, distinct[Int(slots[slot]) - 1] != key { slot = (slot + 1) & mask }
        if slots[slot] == 0 {
          guard distinct.count < maxCodedNumbers else { return nil }
          distinct.append(key)
          slots[slot] = UInt16(distinct.count)
        }
        codes.append(slots[slot] - 1)
      }
      return .coded(
        .narrow(codes), values: DistinctValues(distinct.map { column.value(of: $0) }))
    }
  }

  /// nil if not all cells are strings.
  private static func texts(_ parts: [ColumnBuilder]) throws(TableError) -> KeyColumn? {
    var blocks: [TextBlock] = []
    for part in parts {
      if case .keys = part.content { return nil }
      if case .coded(let dictionary, _) = part.content, !part.hasOnlyStrings(dictionary) {
        return nil
      }
    }
    for part in parts { blocks += try part.textBlocks() ?? [] }
    let texts = TextHeap(blocks)
    // Codes of texts have 32 bits.
    guard texts.count <= Int(UInt32.max) else { throw .io("the table has too many rows") }
    return .coded(.natural(texts.count), values: DistinctValues(texts))
  }

  private static func coded(_ parts: [ColumnBuilder]) throws(TableError) -> KeyColumn {
    guard let first = parts.first else { return .empty }
    var (dictionary, codes) = try first.coded()
    codes.reserveCapacity(parts.reduce(0) { $0 + $1.count })
    for part in parts.dropFirst() {
      let (other, added) = try part.coded()
      let mapped = dictionary.numbers(of: other)
      codes.append(contentsOf: added.lazy.map { mapped[Int($0)] })
    }
    return .coded(
      RowCodes(codes, distinct: dictionary.count + 1),
      values: try first.values(of: dictionary))
  }

  /// Null, then the values of the cells of a dictionary.
  private func values(of dictionary: ByteDictionary) throws(TableError) -> DistinctValues {
    if dictionary.count > Self.maxCoded, hasOnlyStrings(dictionary) {
      let writer = TextWriter()
      writer.appendNull()
      for code in 0..<dictionary.count {
        dictionary.withBytes(of: code) {
          writer.append(UnsafeRawBufferPointer(rebasing: $0.dropFirst()))
        }
      }
      return DistinctValues(TextHeap(try writer.finish(), areDifferent: true))
    }
    return DistinctValues(
      [.null] + (0..<dictionary.count).map { dictionary.withBytes(of: $0, value) })
  }

  /// The value of a tagged cell. A text that is not UTF-8 is data.
  private func value(of cell: UnsafeRawBufferPointer) -> Value {
    guard let tag = cell.first else { return .null }
    let rest = UnsafeRawBufferPointer(rebasing: cell.dropFirst())
    switch tag {
    case CellBatch.Tag.text:
      if meaning == .dates, let date = Scalar.date(rest) { return .date(date) }
      return String(validating: rest, as: UTF8.self).map(Value.string) ?? .data(Array(rest))
    case CellBatch.Tag.data: return .data(Array(rest))
    default:
      guard rest.count == 8 else { return .null }
      let word = rest.loadUnaligned(as: UInt64.self)
      switch tag {
      case CellBatch.Tag.bool: return .bool(word == 1)
      case CellBatch.Tag.integer: return .integer(Int(Int64(bitPattern: word)))
      default: return .real(Real(Double(bitPattern: word)))
      }
    }
  }
}
