/// Decodes the values of some keys in one pass over the rows.
///
/// Each piece of the rows has dictionaries of its own, which are joined in the order of the rows.
struct JSONColumnDecoder {
  let table: JSONTable
  /// nil stands for the rows themselves.
  let keys: [ObjectKeyPath.Step?]

  /// Numbers with more distinct values than this become keys of 64 bits.
  static let mostCodedNumbers = 1 << 14

  /// The values of one key in one piece. Codes are one more than those of the dictionary; 0 is null.
  private struct Part {
    let dictionary = ByteDictionary()
    var codes: [UInt32] = []
  }

  func decode(cancellation: Cancellation) throws -> [KeyColumn] {
    let pieces = table.index.groups(Parallel.workers)
    let parts = WorkerSlots<[Part]>(pieces.count)
    try Parallel.forEach(pieces.count) { piece, _ in
      parts[piece] = try decode(pieces[piece], cancellation: cancellation)
    }
    return try keys.indices.map { place in
      try cancellation.check()
      return join(pieces.indices.compactMap { parts[$0]?[place] })
    }
  }

  private func decode(
    _ piece: JSONIndex.Group, cancellation: Cancellation
  ) throws -> [Part] {
    // Known keys get their numbers in order, so that those wanted are known before the first row.
    let numbering = JSONKeys(table.keys)
    let wanted = keys.map { step -> Int? in
      guard case .key(let key) = step else { return nil }
      return numbering.number(of: key)
    }
    var parts = keys.map { _ in Part() }
    for place in parts.indices { parts[place].codes.reserveCapacity(piece.rows.count) }
    var cursor = table.cursor(over: piece, keys: numbering, cancellation: cancellation)
    for _ in piece.rows {
      let row = try table.row(from: &cursor)
      for (place, key) in wanted.enumerated() {
        let value = key.map { cursor.scanner.value(of: $0, in: row) } ?? row.bytes
        var code: UInt32 = 0
        if let value, let start = value.baseAddress, value[0] != UInt8(ascii: "n") {
          // The window is padded, as the dictionary asks for.
          code = parts[place].dictionary.code(at: start, length: value.count) + 1
        }
        parts[place].codes.append(code)
      }
    }
    return parts
  }

  private func join(_ parts: [Part]) -> KeyColumn {
    let dictionary = parts.first?.dictionary ?? ByteDictionary()
    var codes = parts.first?.codes ?? []
    for part in parts.dropFirst() {
      let mapped: [UInt32] =
        [0]
        + (0..<part.dictionary.count).map { code in
          part.dictionary.withBytes(of: code) { dictionary.code(for: $0) + 1 }
        }
      codes.append(contentsOf: part.codes.lazy.map { mapped[Int($0)] })
    }
    if dictionary.count > Self.mostCodedNumbers, let column = numeric(dictionary, codes) {
      return .keyed(column)
    }
    var builder = JSONBuilder()
    let values =
      [Value.null]
      + (0..<dictionary.count).map { dictionary.withBytes(of: $0) { builder.value($0) } }
    return .coded(RowCodes(codes, distinct: values.count), values: DistinctValues(values))
  }

  /// Nil when some value is no number, or has no key of its own.
  private func numeric(_ dictionary: ByteDictionary, _ codes: [UInt32]) -> NumericColumn? {
    for kind in [NumericKind.integer, .real] {
      var keys = [NumericColumn.null]
      keys.reserveCapacity(dictionary.count + 1)
      for code in 0..<dictionary.count {
        guard let key = dictionary.withBytes(of: code, kind.key) else { break }
        keys.append(key)
      }
      if keys.count == dictionary.count + 1 {
        return NumericColumn(kind: kind.column, keys: codes.map { keys[Int($0)] })
      }
    }
    return nil
  }
}

extension JSONScanner {
  func bytes(of member: Member, in row: JSONCursor.Row) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: row.bytes[row.place(of: member.valueStart)..<row.place(of: member.valueEnd)])
  }

  /// The value of a key in the row that was scanned last; nil when it has none.
  func value(of key: Int, in row: JSONCursor.Row) -> UnsafeRawBufferPointer? {
    let members = members
    var place = memberCount - 1
    // From behind, as of keys that come twice the last counts.
    while place >= 0 {
      if members[place].key == key { return bytes(of: members[place], in: row) }
      place -= 1
    }
    return nil
  }
}
