package import DataSources
package import DataTables

/// A kind of source with its settings.
///
/// A new kind needs a case here, its ``operation`` and a line in the table of the interpreter that
/// describes the sources of a session.
package enum SourceForm: Sendable {
  case simple([Value], where: Predicate?)
  case file(FileForm)
  case remote(RemoteForm)
  case table(TableForm)
  case sectioned(SectionedForm)
  case collated(CollatedForm)
  case organized(OrganizedForm)
  case multi(preservesSections: Bool)
  case filtered(Predicate?, showsEmpty: Bool)
  case fetchedResults(FetchRequest)
  case distinct([ObjectKeyPath])
  case limit(Int, offset: Int)
  case top(Int, by: [SortDescriptor])
  case unroll(ObjectKeyPath, keepsEmpty: Bool)
  case columns([ProjectedTable.Column])
  case slow(by: Duration)
  case faulty(Faults)
  case stale(isStale: Bool)
}

/// A loaded file, or several.
package struct FileForm: Sendable {
  package var path: String
  /// Whether the path is a pattern or a folder.
  package var isPattern: Bool
  package var format: String
  package var options: ReadOptions
  package var predicate: Predicate?

  package init(
    path: String, isPattern: Bool, format: String, options: ReadOptions, predicate: Predicate?
  ) {
    self.path = path
    self.isPattern = isPattern
    self.format = format
    self.options = options
    self.predicate = predicate
  }
}

/// Objects at a URL, in pages if they have a ``paging``.
package struct RemoteForm: Sendable {
  package var request: TransportRequest
  package var options: ReadOptions
  package var placeholders: [Placeholder]
  package var paging: Paging?
  package var prefetches = false
  package var pageLimit: Int?

  package init(
    _ request: TransportRequest, options: ReadOptions, placeholders: [Placeholder],
    paging: Paging? = nil
  ) {
    self.request = request
    self.options = options
    self.placeholders = placeholders
    self.paging = paging
  }
}

/// A table of a database, or the rows of a statement.
package struct TableForm: Sendable {
  /// The name of the engine, such as `sqlite`.
  package var engine: String
  /// The address, without a password.
  package var address: String
  /// The table; nil for a ``statement``.
  package var table: String?
  package var schema: String?
  package var statement: String?

  package init(
    engine: String, address: String, table: String? = nil, schema: String? = nil,
    statement: String? = nil
  ) {
    self.engine = engine
    self.address = address
    self.table = table
    self.schema = schema
    self.statement = statement
  }
}

/// The settings of a sectioned source.
package struct SectionedForm: Sendable {
  package var key: ObjectKeyPath?
  package var sort: [SortDescriptor]
  package var predicate: Predicate?
  package var mode: SectionMode
  package var settings: SectionSettings
  package var indexTitles: IndexTitles

  /// Sections in runs, without further settings.
  init(key: ObjectKeyPath?, sort: [SortDescriptor]) {
    self.key = key
    self.sort = sort
    mode = .runs
    settings = SectionSettings()
    indexTitles = .firstCharacter
  }

  package init(_ source: SectionedSource) {
    key = source.key
    sort = source.sort
    predicate = source.predicate
    mode = source.mode
    settings = source.settings
    indexTitles = source.indexTitles
  }
}

/// The settings of a collated source.
package struct CollatedForm: Sendable {
  package var key: ObjectKeyPath
  package var sort: [SortDescriptor]
  package var settings: SectionSettings
  package var indexTitles: IndexTitles

  package init(_ source: CollatedSource) {
    key = source.key
    sort = source.sort
    settings = source.settings
    indexTitles = source.indexTitles
  }
}

/// The settings of an organized source.
package struct OrganizedForm: Sendable {
  package var style: OrganizedSource.Style
  package var key: ObjectKeyPath?
  package var sort: [SortDescriptor]
  package var initial: [SortDescriptor]
  package var zone: Zone
  package var locale: String?
  package var indexTitles: IndexTitles

  package init(_ source: OrganizedSource) {
    style = source.style
    key = source.key
    sort = source.sort
    initial = source.initial
    zone = source.zone
    locale = source.locale
    indexTitles = source.indexTitles
  }
}
