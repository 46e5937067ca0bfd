/// Joins the parts of a column in the order of the rows.
enum JSONColumnJoin {
  /// The joined column; nil if the parts have forms that cannot be joined.
  /// - Throws: ``TableError/io(_:)`` if memory ran out.
  static func column(of parts: [JSONColumnPart]) throws -> KeyColumn? {
    var isTexts = false
    var isKeyed = false
    for part in parts {
      switch part.content {
      case .coded: continue
      case .texts: isTexts = true
      case .keyed: isKeyed = true
      case .failed: return nil
      }
    }
    switch (isTexts, isKeyed) {
    case (true, true): return nil
    case (true, false): return try texts(parts)
    case (false, true): return keyed(parts)
    case (false, false): return try coded(parts)
    }
  }

  private static func texts(_ parts: [JSONColumnPart]) throws -> KeyColumn? {
    var blocks: [TextBlock] = []
    for part in parts {
      switch part.content {
      case .texts(let writer): blocks += try writer.finish()
      case .coded(let dictionary, let codes):
        guard let writer = JSONColumnPart.texts(dictionary, codes) else { return nil }
        blocks += try writer.finish()
      case .keyed, .failed: return nil
      }
    }
    let texts = TextHeap(blocks)
    // Codes of texts have 32 bits.
    guard texts.count <= Int(UInt32.max) else { return nil }
    return .coded(.natural(texts.count), values: DistinctValues(texts))
  }

  private static func keyed(_ parts: [JSONColumnPart]) -> KeyColumn? {
    var found: [(kind: NumericColumn.Kind, keys: [UInt64])] = []
    for part in parts {
      switch part.content {
      case .keyed(let kind, let keys): found.append((kind, keys))
      case .coded(let dictionary, let codes):
        guard let (kind, keys) = JSONColumnPart.keys(dictionary, codes) else { return nil }
        found.append((kind, keys))
      case .texts, .failed: return nil
      }
    }
    let isReal = found.contains { $0.kind == .real }
    let memory = NumericKeyMemory(rows: found.reduce(0) { $0 + $1.keys.count })
    var rows = memory.keys[...]
    for (kind, part) in found {
      var part = part
      if kind == .integer, isReal {
        guard let reals = JSONColumnPart.reals(part) else { return nil }
        part = reals
      }
      let taken = rows.prefix(part.count)
      _ = UnsafeMutableBufferPointer(rebasing: taken).initialize(fromContentsOf: part)
      rows = rows.dropFirst(part.count)
    }
    return .keyed(NumericColumn(kind: isReal ? .real : .integer, keys: NumericKeys(memory)))
  }

  private static func coded(_ parts: [JSONColumnPart]) throws -> KeyColumn? {
    var first: ByteDictionary?
    var codes: [UInt32] = []
    for part in parts {
      guard case .coded(let dictionary, let own) = part.content else { return nil }
      guard let first else {
        first = dictionary
        codes = own
        continue
      }
      let mapped = first.numbers(of: dictionary)
      codes.append(contentsOf: own.lazy.map { mapped[Int($0)] })
    }
    let dictionary = first ?? ByteDictionary()
    if dictionary.count > JSONColumnDecoder.maxCodedNumbers,
      let (kind, keys) = JSONColumnPart.keys(dictionary, codes)
    {
      return .keyed(NumericColumn(kind: kind, keys: keys))
    }
    return .coded(
      RowCodes(codes, distinct: dictionary.count + 1), values: try values(of: dictionary))
  }

  private static func values(of dictionary: ByteDictionary) throws -> DistinctValues {
    // A text for null, then one for every value, in the order of their codes.
    if dictionary.count > JSONColumnPart.maxCoded, dictionary.count < Int(UInt32.max),
      let writer = JSONColumnPart.texts(dictionary, Array(0...UInt32(dictionary.count)))
    {
      return DistinctValues(TextHeap(try writer.finish()))
    }
    var builder = JSONBuilder()
    return DistinctValues(
      [.null] + (0..<dictionary.count).map { dictionary.withBytes(of: $0) { builder.value($0) } })
  }
}
