package import DataTables

/// An expectation of the session about a source of a chain.
package struct ChainExpectation: Sendable {
  /// The line as it was typed.
  package var text: String
  /// The source, as a position in ``SourceChain/sources``; nil if it concerns several.
  package var source: Int?
  package var content: Content

  package enum Content: Sendable {
    case comparison(Measure, ComparisonOperator, Value)
    /// Every object satisfies the predicate, or none does.
    case all(Predicate, isNegated: Bool)
    case unique(ObjectKeyPath)
    case sorted([SortDescriptor])
    /// An index path without an object.
    case outOfRange(IndexPath)
    /// The reason why code cannot check it.
    case inexpressible(String)
  }

  /// A part of the content that an expectation compares with a value.
  package enum Measure: Sendable {
    case numberOfSections, numberOfObjects, sectionTitles, indexTitles
    case numberOfObjectsIn(section: Int)
    case title(section: Int)
    case object(IndexPath)
    case value(IndexPath, ObjectKeyPath)
    /// The index path of the first object that equals a value, or has these values.
    case indexPath(Value)
  }

  package init(text: String, source: Int?, content: Content) {
    self.text = text
    self.source = source
    self.content = content
  }
}
