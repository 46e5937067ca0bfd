// Changes between the contents before and after edits.
extension SectionedTable {
  /// The changes to the content after edits; nil if all rows must be compared, because many differ, or
  /// because others are the same objects as those that differ.
  ///
  /// - Complexity: O(rows), as fast as a column and the order are read;
  ///   O(differing rows · log differing rows).
  /// - Throws: the errors of ``changes(to:id:movesSections:cancellation:)``.
  func changesAfterEdits(
    to new: SectionedTable, id: ObjectKeyPath?, movesSections: Bool, cancellation: Cancellation
  ) throws -> [Change]? {
    guard let rows = EditedRows(shared: table, new.table),
      let difference = RowDifference(from: order, to: new.order),
      sections.rest(without: difference.removed.map(\.position))
        == new.sections.rest(without: difference.added.map(\.position))
    else { return nil }
    let edited = EditedObjects(rows, difference)
    do {
      guard try !edited.shareObjects(with: order, id: id, cancellation: cancellation) else {
        return nil
      }
      let pairs = try edited.pairs(id: id, cancellation: cancellation)
      return SparseChanges(old: sections, new: new.sections, rows: pairs)?
        .changes(movesSections: movesSections)
    } catch TableError.unknownKey {
      // Only an added object has the key.
      return nil
    }
  }
}

extension Sections {
  /// A section with the number of its objects.
  fileprivate struct Part: Equatable {
    let title: Value
    let count: Int
  }

  /// The sections that have objects without those at some positions, which ascend.
  fileprivate func rest(without removed: [Int]) -> [Part] {
    var parts: [Part] = []
    var removed = removed[...]
    for section in 0..<count {
      let positions = positions(in: section)
      let gone = removed.popPrefix { $0 < positions.upperBound }
      if gone.count < positions.count {
        parts.append(Part(title: titles[section], count: positions.count - gone.count))
      }
    }
    return parts
  }
}

/// The rows in which two contents with edits of one table differ.
private struct EditedObjects {
  private let rows: EditedRows
  private let difference: RowDifference

  init(_ rows: EditedRows, _ difference: RowDifference) {
    self.rows = rows
    self.difference = difference
  }

  private var removedRows: [Int] { difference.removed.map(\.row) }
  private var addedRows: [Int] { difference.added.map(\.row) }

  /// The k-th removed row of an object with the k-th added one, and the others alone.
  func pairs(id: ObjectKeyPath?, cancellation: Cancellation) throws -> [SparseChanges.Row] {
    let before = try rows.objects(at: removedRows)
    let after = try rows.objects(at: addedRows)
    var places: [Value: ArraySlice<Int>] = [:]
    for (place, object) in try identities(after, addedRows, id, cancellation).enumerated() {
      places[object, default: []].append(place)
    }
    var pairs: [SparseChanges.Row] = []
    var isPaired = [Bool](repeating: false, count: after.count)
    for (index, object) in try identities(before, removedRows, id, cancellation).enumerated() {
      let place = places[object]?.popFirst()
      if let place { isPaired[place] = true }
      pairs.append(
        SparseChanges.Row(
          old: difference.removed[index].position,
          new: place.map { difference.added[$0].position },
          isChanged: place.map { id != nil && before[index] != after[$0] } ?? true))
    }
    for place in after.indices where !isPaired[place] {
      pairs.append(SparseChanges.Row(old: nil, new: difference.added[place].position))
    }
    return pairs
  }

  /// The identities of rows: values of the `id`, or the objects themselves.
  private func identities(
    _ objects: [Value], _ rows: [Int], _ id: ObjectKeyPath?, _ cancellation: Cancellation
  ) throws -> [Value] {
    guard let id else { return objects }
    let values = try EditedValues(id, of: self.rows, cancellation: cancellation)
    return try rows.map { try values.value(at: $0) }
  }

  private static let maxCandidates = 4_096

  /// Whether other rows of the old order may be the same objects as rows that differ.
  func shareObjects(
    with order: RowOrder, id: ObjectKeyPath?, cancellation: Cancellation
  ) throws -> Bool {
    let differing = removedRows + addedRows
    let mask = RowMask(differing, of: rows.count)
    let wanted = Set(
      try identities(try rows.objects(at: differing), differing, id, cancellation))
    // Equal objects have equal values under each key.
    let keys = rows.base.keys.map { ObjectKeyPath(key: $0) }
    for path in id.map({ [$0] }) ?? (keys.isEmpty ? [ObjectKeyPath([])] : keys) {
      let values = id == nil ? Set(wanted.map { path.evaluate(on: $0) }) : wanted
      var candidates = try rows.rows(with: values, of: path, cancellation: cancellation)
      candidates.subtract(mask)
      if candidates.isEmpty { return false }
      // Removed rows, and those that edits replaced, are not in the order.
      let shown = order.positions(of: candidates).map { order[$0] }
      if shown.isEmpty { return false }
      if id != nil { return true }
      guard shown.count <= Self.maxCandidates else { continue }
      return try rows.objects(at: shown).contains { wanted.contains($0) }
    }
    return true
  }
}

extension EditedRows {
  /// The rows with one of some values under a key path; rows of the base may have similar values.
  /// - Complexity: O(rows), on all processors.
  fileprivate func rows(
    with values: Set<Value>, of path: ObjectKeyPath, cancellation: Cancellation
  ) throws -> RowMask {
    let test = ValueTest(values, in: try base.column(path, cancellation: cancellation))
    let (base, added) = (base.count, added)
    return try .filled(count, cancellation: cancellation) { rows in
      var word: UInt64 = 0
      for row in rows {
        let passes =
          row < base ? test.passes(row) : values.contains(path.evaluate(on: added[row - base]))
        if passes { word |= 1 << UInt64(row - rows.lowerBound) }
      }
      return word
    }
  }
}

/// A test whether a row has one of some values, by its code or key.
private enum ValueTest: Sendable {
  case codes(RowCodes, matching: [Bool])
  case texts(RowCodes, TextHeap, HashFilter, Set<Value>)
  case keys(NumericKeys, HashFilter, Set<UInt64>)

  init(_ values: Set<Value>, in column: KeyColumn) {
    switch column {
    case .keyed(let column):
      let keys = Set(values.compactMap { column.key(of: $0) })
      self = .keys(column.keys, HashFilter(keys), keys)
    case .coded(let codes, let distinct):
      if case .texts(let texts) = distinct.storage {
        self = .texts(codes, texts, HashFilter(values.map(Self.hash)), values)
      } else {
        let isFew = values.count <= 8
        let few = Array(values)
        self = .codes(
          codes, matching: distinct.map { isFew ? few.contains($0) : values.contains($0) })
      }
    }
  }

  @inline(__always)
  func passes(_ row: Int) -> Bool {
    switch self {
    case .codes(let codes, let matching): return matching[codes[row]]
    case .keys(let keys, let filter, let wanted):
      let key = keys[row]
      return filter.mayContain(key) && wanted.contains(key)
    case .texts(let codes, let texts, let filter, let wanted):
      let (block, index) = texts.place(of: codes[row])
      if block.isNull(index) { return wanted.contains(.null) }
      let text = block.text(index)
      // ASCII has only one form.
      if block.isASCII || text.isSurelyCanonical, !filter.mayContain(Self.hash(text)) {
        return false
      }
      return wanted.contains(.string(String(decoding: text, as: UTF8.self)))
    }
  }

  /// A hash of the canonical form of a string.
  private static func hash(_ value: Value) -> UInt64 {
    guard case .string(var string) = value else { return 0 }
    return string.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      if bytes.isSurelyCanonical { return hash(bytes) }
      return CanonicalForm.bytes(of: bytes).withUnsafeBytes { hash($0) }
    }
  }

  /// A hash of the length and of the first and the last bytes.
  @inline(__always)
  private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    guard text.count >= 8 else {
      return text.reduce(UInt64(text.count)) { $0 << 8 | UInt64($1) }
    }
    let head = text.loadUnaligned(as: UInt64.self)
    let tail = text.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self)
    return head &* 3 &+ tail ^ UInt64(text.count) << 56
  }
}

/// A set of numbers that may contain more than it should.
private struct HashFilter: Sendable {
  private var bits = [UInt64](repeating: 0, count: 1 << 10)

  init(_ numbers: some Sequence<UInt64>) {
    for number in numbers {
      let place = Self.place(number)
      bits[place >> 6] |= 1 << UInt64(place & 63)
    }
  }

  /// A number in `0..<65_536`.
  @inline(__always)
  private static func place(_ number: UInt64) -> Int {
    Int(truncatingIfNeeded: number &* 0x9E37_79B9_7F4A_7C15 >> 48)
  }

  @inline(__always)
  func mayContain(_ number: UInt64) -> Bool {
    let place = Self.place(number)
    return bits[place >> 6] >> UInt64(place & 63) & 1 == 1
  }
}
