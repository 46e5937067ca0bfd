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

/// What the rows of a snapshot were cut and sorted by when it was made.
public struct Arrangement: Hashable, Sendable {
  /// nil when the key made no sections.
  public let key: ObjectKeyPath?
  /// The first counts most.
  public let sort: [SortDescriptor]

  public init(key: ObjectKeyPath? = nil, sort: [SortDescriptor] = []) {
    self.key = key
    self.sort = sort
  }
}
