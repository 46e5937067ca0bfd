extension SectionMode {
  public static let runs = SectionMode(
    "runs", "starts a section wherever the key changes (default)",
    keepsOrder: true
  ) { rows, _ in
    try SectionedRows(order: rows.order, sections: rows.runs())
  }

  public static let strict = SectionMode(
    "strict", "like runs; fails if a title repeats", keepsOrder: true, rejectsRepeats: true
  ) { rows, _ in
    let sections = try rows.runs()
    let firsts = sections.repeated.compactMap { $0.sections.dropFirst().first }
    if let section = firsts.min() {
      throw TableError.sortMismatch(row: sections.offsets[section], title: sections.titles[section])
    }
    return SectionedRows(order: rows.order, sections: sections)
  }
}

extension KeyedRows {
  fileprivate func runs() throws -> Sections {
    try table.runs(of: key, in: rows, cancellation: cancellation)
  }
}

extension Table {
  /// Splits rows into sections where the value of the key changes from one row to the next.
  ///
  /// Nulls and missing keys are equal. Without rows, the result has no sections.
  /// - Complexity: O(rows), with two array reads per row.
  /// - Throws: ``TableError/unknownKey(_:known:)`` if there are objects and none has the key;
  ///   the errors of reading the titles.
  public func runs(
    of keyPath: ObjectKeyPath, in order: RowOrder, cancellation: Cancellation = Cancellation()
  ) throws -> Sections {
    try runs(of: keyPath, in: SortedRows(order), cancellation: cancellation)
  }

  /// Splits rows like ``runs(of:in:cancellation:)-(_,RowOrder,_)``.
  /// - Complexity: O(runs of the first sort key) for that key and for keys derived from it if the
  ///   sort recorded these runs; otherwise O(rows).
  package func runs(
    of keyPath: ObjectKeyPath, in rows: SortedRows, cancellation: Cancellation = Cancellation()
  ) throws -> Sections {
    let order = rows.order
    let steps = rows.leading?.steps(to: keyPath)
    if let steps, case .texts(let texts)? = rows.leading?.runs,
      let runs = texts.runs(of: steps, in: order)
    {
      return runs
    }
    if let steps, !steps.isEmpty,
      let runs = try derivedRuns(of: steps, in: rows, cancellation: cancellation)
    {
      return runs
    }
    let column = try column(keyPath, cancellation: cancellation)
    try cancellation.check()
    switch column {
    case .coded(let codes, let values):
      guard steps != nil, case .starts(let starts)? = rows.leading?.runs else {
        return try Sections(codes, values, in: order, starts: nil)
      }
      return try Sections(codes, values, in: order, starts: starts)
    case .keyed(let column):
      return try runs(of: keyPath, column, in: order, cancellation: cancellation)
    }
  }

  private func runs(
    of keyPath: ObjectKeyPath, _ column: NumericColumn, in order: RowOrder,
    cancellation: Cancellation
  ) throws -> Sections {
    let offsets = column.keys.withUnsafeBufferPointer { keys in
      runStarts(in: order) { keys[$0] }
    }
    // For each run: its row, its title, the number of its group, and the repeated titles.
    try MemoryLimit.check(beforeAllocating: offsets.count * 64)
    let rows = order.rows(at: offsets.dropLast())
    let titles = try values(of: keyPath, column: column, at: rows, cancellation: cancellation)
    let (groups, count): ([Int], Int) = KeyedIndex.ranks(of: rows.lazy.map { column.keys[$0] })
    return Sections(
      offsets: offsets, titles: titles,
      repeated: RepeatedTitle.all(titles, groups: groups, bound: count))
  }

  /// The runs of a key that is derived from the first sort key. The key is derived once per
  /// distinct value of the sort key; only the first row of each run is read.
  ///
  /// - Returns: nil if the runs of the sort key are unknown, or if the column of the sort key or
  ///   the derived column is not coded.
  private func derivedRuns(
    of steps: ArraySlice<ObjectKeyPath.Step>, in rows: SortedRows, cancellation: Cancellation
  ) throws -> Sections? {
    guard let leading = rows.leading, case .starts(let starts) = leading.runs,
      case .coded(let codes, let values) = try column(
        leading.keyPath, cancellation: cancellation),
      // Derives from a column with one row per distinct value.
      case .coded(let derivedCodes, let derived) = try KeyColumn.coded(
        .natural(values.count), values: values
      ).deriving(steps, cancellation: cancellation)
    else { return nil }
    let firstCodes = try EqualityGroups(derived).firstCodes
    let groups = values.indices.map { code in
      firstCodes?[derivedCodes[code]] ?? UInt32(truncatingIfNeeded: derivedCodes[code])
    }
    let offsets = codes.starts(in: rows.order, of: starts, groups: groups)
    let runCodes = codes.codes(at: rows.order.rows(at: offsets.dropLast()))
    let titles = runCodes.map { derived[derivedCodes[$0]] }
    return Sections(
      offsets: offsets, titles: titles,
      repeated: RepeatedTitle.all(
        titles, groups: runCodes.map { Int(groups[$0]) }, bound: derived.count))
  }
}

extension Sections {
  /// The runs of a coded column.
  /// - Parameter starts: the positions where the code can change, ascending; nil if unknown.
  fileprivate init(
    _ codes: RowCodes, _ values: DistinctValues, in order: RowOrder, starts: [Int]?
  ) throws {
    let firstCodes = try EqualityGroups(values).firstCodes
    let offsets =
      starts.map { codes.starts(in: order, of: $0, groups: firstCodes) }
      ?? codes.starts(in: order, groups: firstCodes)
    let runCodes = codes.codes(at: order.rows(at: offsets.dropLast()))
    let titles = runCodes.map { values[$0] }
    let groups = firstCodes.map { firstCodes in runCodes.map { Int(firstCodes[$0]) } } ?? runCodes
    self.init(
      offsets: offsets, titles: titles,
      repeated: RepeatedTitle.all(titles, groups: groups, bound: values.count))
  }
}

extension RowOrder {
  fileprivate func rows(at positions: ArraySlice<Int>) -> [Int] {
    list.map { rows in positions.map { Int(rows[$0]) } } ?? Array(positions)
  }
}

extension RowCodes {
  /// The positions where the group of the code changes, followed by the number of positions.
  /// - Parameter groups: the group of each code; nil if each code is a group.
  func starts(in order: RowOrder, groups: [UInt32]?) -> [Int] {
    switch self {
    case .narrow(let codes): Self.starts(of: codes, in: order, groups: groups)
    case .wide(let codes): Self.starts(of: codes, in: order, groups: groups)
    case .natural:
      groups.map { groups in runStarts(in: order) { groups[$0] } }
        ?? Array(0...order.count)
    }
  }

  /// Like ``starts(in:groups:)``, for a code that can change only at the positions `candidates`.
  fileprivate func starts(in order: RowOrder, of candidates: [Int], groups: [UInt32]?) -> [Int] {
    var starts: [Int] = []
    var last = -1
    for position in candidates {
      let code = self[order[position]]
      let group = groups.map { Int($0[code]) } ?? code
      if group != last { starts.append(position) }
      last = group
    }
    return starts + [order.count]
  }

  fileprivate func codes(at rows: [Int]) -> [Int] {
    switch self {
    case .narrow(let codes): rows.map { Int(codes[$0]) }
    case .wide(let codes): rows.map { Int(codes[$0]) }
    case .natural: rows
    }
  }

  @inline(__always)
  private static func starts<Code: FixedWidthInteger>(
    of codes: [Code], in order: RowOrder, groups: [UInt32]?
  ) -> [Int] {
    codes.withUnsafeBufferPointer { codes in
      guard let groups else { return runStarts(in: order) { codes[$0] } }
      return groups.withUnsafeBufferPointer { groups in
        runStarts(in: order) { groups[Int(codes[$0])] }
      }
    }
  }
}

/// The positions in `order` where the number of the row changes, followed by the number of
/// positions; `[0]` without rows.
@inline(__always)
private func runStarts<Number: Equatable>(in order: RowOrder, number: (_ row: Int) -> Number)
  -> [Int]
{
  guard order.count > 0 else { return [0] }
  let found = WorkerSlots<[Int]>(Parallel.parts(of: order.count))
  Parallel.forEachPart(of: order.count) { part, positions in
    var starts = positions.lowerBound == 0 ? [0] : []
    // The first row of a part is compared with the last row of the previous part.
    var last = number(order[max(0, positions.lowerBound - 1)])
    order.forEachRow(at: positions) { index, row in
      let next = number(Int(row))
      if next != last { starts.append(positions.lowerBound + index) }
      last = next
    }
    found[part] = starts
  }
  return (0..<Parallel.parts(of: order.count)).flatMap { found[$0] ?? [] } + [order.count]
}
