package import DataTables

/// A source and the sources that it wraps, as values.
package struct SourceChain: Sendable {
  /// Each source once, after the sources that it wraps; the last one is the source itself.
  package let sources: [ChainSource]

  /// - Parameter sources: at least one; each child is before the sources that wrap it.
  package init(_ sources: [ChainSource]) { self.sources = sources }

  package var top: ChainSource { sources[sources.count - 1] }

  /// The sources without children, in order: the data of the app.
  var data: [Int] { sources.indices.filter { sources[$0].children.isEmpty } }
}

/// One source of a ``SourceChain``.
package struct ChainSource: Sendable {
  /// The name that the session binds it to, or one like it.
  package var name: String
  /// The value of `name:`, which titles its section; "" without one.
  package var title: String
  /// `sectioned by name.firstCharacter, sorted by name`
  package var summary: String
  package var form: SourceForm
  /// The wrapped sources, as positions in ``SourceChain/sources``.
  package var children: [Int]
  /// The key path that identifies objects across changes.
  package var id: ObjectKeyPath?
  /// The shape of the objects.
  package var shape: ValueShape
  /// The objects of data, if they are few enough for the code of a test; else nil.
  package var rows: [Value]?
  /// Whether the content is that of an earlier fetch, which new sources do not have.
  package var isOutdated: Bool
  /// Whether the last fetch succeeded.
  package var isFetched: Bool
  /// The greatest number of ``rows``.
  package static let mostRows = 200

  package init(
    name: String, title: String, summary: String, form: SourceForm, children: [Int],
    id: ObjectKeyPath?, shape: ValueShape, rows: [Value]?, isOutdated: Bool,
    isFetched: Bool
  ) {
    self.rows = rows
    self.isOutdated = isOutdated
    self.isFetched = isFetched
    self.name = name
    self.title = title
    self.summary = summary
    self.form = form
    self.children = children
    self.id = id
    self.shape = shape
  }
}
