extension Table {
  /// The result of a collection operator for the objects of each section.
  ///
  /// - Parameter steps: the steps after the operator; without steps, the operator applies to the
  ///   objects themselves.
  /// - Complexity: O(rows); reads one column, or all objects without steps. For a column of mostly
  ///   different numbers or dates, the objects with a minimum, a maximum, a median, a first or a
  ///   last value are also read, and a union reads all objects.
  /// - Throws: ``TableError/unknownKey(_:known:)`` if there are objects and none has the key;
  ///   the errors of reading the table.
  public func values(
    of kind: CollectionOperator, _ steps: [ObjectKeyPath.Step], in order: RowOrder,
    sections: Sections, cancellation: Cancellation = Cancellation()
  ) throws -> [Value] {
    try aggregates(of: kind, steps, in: order, sections: sections, cancellation: cancellation)
      .values
  }

  /// The result for each section, and the kinds of values that the operator reduced.
  package func aggregates(
    of kind: CollectionOperator, _ steps: [ObjectKeyPath.Step], in order: RowOrder,
    sections: Sections, cancellation: Cancellation = Cancellation()
  ) throws -> SectionAggregates {
    let ranges = (0..<sections.count).map { sections.positions(in: $0) }
    if kind == .count { return SectionAggregates(values: ranges.map { .integer($0.count) }) }
    guard !steps.isEmpty else {
      return try objectAggregates(of: kind, in: order, ranges, cancellation: cancellation)
    }
    let path = ObjectKeyPath(steps)
    let column = try column(path, cancellation: cancellation)
    if [.sum, .average, .mean].contains(kind),
      let numbers = RowSections(sections, of: order, rows: column.count),
      let sums = SectionSums(of: column, in: numbers)
    {
      return sums.aggregates(of: kind)
    }
    switch column {
    case .coded(let codes, let values):
      let ranks = kind == .median ? NumberRanks(values) : nil
      return try SectionAggregates(ranges) { range, findings in
        try cancellation.check()
        if let ranks {
          return ranks.median(of: codes, in: order, range, values, &findings)
        }
        var result = CollectionOperator.Accumulator(kind)
        order.forEachRow(at: range) { _, row in result.add(values[codes[Int(row)]]) }
        findings.merge(result.findings)
        return result.value
      }
    case .keyed(let column):
      return try KeyedSections(
        table: self, path: path, column: column, order: order, sections: sections,
        cancellation: cancellation
      ).aggregates(of: kind)
    }
  }

  /// Applies an operator to the objects themselves.
  private func objectAggregates(
    of kind: CollectionOperator, in order: RowOrder, _ ranges: [Range<Int>],
    cancellation: Cancellation
  ) throws -> SectionAggregates {
    try SectionAggregates(ranges) { range, findings in
      try cancellation.check()
      // Usually the first object examined, so the others need not be read.
      if kind == .first || kind == .last {
        for position in kind == .first ? AnySequence(range) : AnySequence(range.reversed()) {
          let object = try object(at: order[position])
          if !object.isNull { return object }
        }
        return .null
      }
      var result = CollectionOperator.Accumulator(kind)
      for start in stride(from: range.lowerBound, to: range.upperBound, by: 4_096) {
        try cancellation.check()
        let rows = (start..<min(range.upperBound, start + 4_096)).map { order[$0] }
        for object in try objects(at: rows) { result.add(object) }
      }
      findings.merge(result.findings)
      return result.value
    }
  }
}

/// The value of a collection operator for each section.
public struct SectionAggregates: Sendable {
  public var values: [Value]
  /// The kinds of values that the operator reduced in all sections.
  package var findings = OperatorFindings()

  public init(values: [Value]) { self.values = values }

  /// Adds the values of further sections.
  package mutating func append(_ other: SectionAggregates) {
    values += other.values
    findings.merge(other.findings)
  }

  package init(
    _ ranges: [Range<Int>], _ value: (Range<Int>, inout OperatorFindings) throws -> Value
  ) rethrows {
    values = []
    values.reserveCapacity(ranges.count)
    for range in ranges { values.append(try value(range, &findings)) }
  }
}
