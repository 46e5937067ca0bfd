/// The values of a collection operator for sections whose values are added one after another, to
/// reduce more values than memory holds.
package struct SectionReduction {
  private var sections: [CollectionOperator.Accumulator]

  /// - Precondition: `kind` is not ``CollectionOperator/count``, which needs no values.
  package init(_ kind: CollectionOperator, sections: Int) {
    self.sections = Array(repeating: CollectionOperator.Accumulator(kind), count: sections)
  }

  package mutating func add(_ value: Value, toSection section: Int) {
    numberOfKeptValues -= sections[section].numberOfKeptValues
    sections[section].add(value)
    numberOfKeptValues += sections[section].numberOfKeptValues
  }

  /// The number of values in memory: those of medians and unions.
  package private(set) var numberOfKeptValues = 0

  package var aggregates: SectionAggregates {
    var aggregates = SectionAggregates(values: sections.map(\.value))
    for section in sections { aggregates.findings.merge(section.findings) }
    return aggregates
  }
}

/// The summary of a key whose values are added one after another.
package struct KeyReduction {
  private var nulls = 0
  private var least: Value?
  private var greatest: Value?
  private var distinct: Set<Value> = []

  package init() {}

  package mutating func add(_ value: Value) {
    guard !value.isNull else {
      nulls += 1
      return
    }
    guard distinct.insert(value).inserted else { return }
    if least.map({ value.ordered(before: $0) }) ?? true { least = value }
    if greatest.map({ $0.ordered(before: value) }) ?? true { greatest = value }
  }

  /// The number of values in memory.
  package var numberOfKeptValues: Int { distinct.count }

  package var summary: KeySummary {
    KeySummary(nulls: nulls, distinct: distinct.count, least: least, greatest: greatest)
  }
}
