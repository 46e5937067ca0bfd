public import DataTables

/// A line of what a source tells of an object's place.
public struct ExplanationLine: Hashable, Sendable {
  /// What it is about: `section 5`, `row 1`; "" when it goes on about the same.
  public let subject: String
  /// `name.firstCharacter is "P"; the section begins at [5, 0], where the row before has "M"`
  public let text: String

  public init(_ subject: String, _ text: String) {
    self.subject = subject
    self.text = text
  }
}

/// Where an object of a wrapper stands below it.
public struct ObjectOrigin: Hashable, Sendable {
  /// The place of the source among ``DataSource/children``.
  public let child: Int
  public let path: IndexPath

  public init(child: Int, path: IndexPath) {
    self.child = child
    self.path = path
  }
}

/// What the rows of a snapshot were kept, cut and sorted by when it was made.
public struct Arrangement: Sendable {
  /// nil when the key made no sections.
  public let key: ObjectKeyPath?
  /// The first counts most.
  public let sort: [SortDescriptor]
  /// nil when all were kept.
  public var predicate: Predicate?
  /// The most rows that were kept, after the sort; nil for all.
  public let limit: Int?
  /// Whether sections stand in an order of their own, so that the sort tells of the rows inside of
  /// each alone.
  public let ordersSections: Bool

  public init(
    key: ObjectKeyPath? = nil, sort: [SortDescriptor] = [], predicate: Predicate? = nil,
    limit: Int? = nil, ordersSections: Bool = false
  ) {
    self.key = key
    self.sort = sort
    self.predicate = predicate
    self.limit = limit
    self.ordersSections = ordersSections
  }
}
