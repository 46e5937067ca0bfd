public import DataTables

extension Snapshot {
  public var numberOfSections: Int { store.numberOfSections }
  /// In all sections.
  public var numberOfObjects: Int { store.numberOfObjects }
  /// The keys of the records, in order; empty when the objects are not records.
  public var keys: [String] { store.keys }

  /// - Throws: ``SourceError/sectionOutOfRange(_:sections:)``.
  public func numberOfObjects(in section: Int) throws(SourceError) -> Int {
    try check(section: section)
    return store.numberOfObjects(in: section)
  }

  /// - Throws: ``SourceError/sectionOutOfRange(_:sections:)``,
  ///   ``SourceError/rowOutOfRange(_:rows:title:)``; `changed` when the file was changed since it
  ///   was loaded.
  /// - Complexity: O(1) for content that is at hand.
  public func object(at path: IndexPath) async throws -> Value {
    if let local = store.local { return try local.object(at: path) }
    let count = try numberOfObjects(in: path.section)
    guard path.row >= 0, path.row < count else {
      let title = try await title(of: path.section)
      throw SourceError.rowOutOfRange(path, rows: count, title: title)
    }
    let objects = try await reading {
      try await store.objects(in: path.section, rows: path.row..<path.row + 1)
    }
    return objects.first ?? .null
  }

  /// All objects of a section; ``batches(of:in:)`` gives them in pieces.
  /// - Throws: ``SourceError/sectionOutOfRange(_:sections:)``.
  public func objects(in section: Int) async throws -> [Value] {
    let count = try numberOfObjects(in: section)
    return try await reading { try await store.objects(in: section, rows: 0..<count) }
  }

  /// - Throws: ``SourceError/sectionOutOfRange(_:sections:)``.
  public func title(of section: Int) async throws -> Value {
    try check(section: section)
    return try await reading { try await store.titles(of: section..<section + 1) }.first ?? .null
  }

  public func titles() async throws -> [Value] {
    try await reading { try await store.titles(of: 0..<numberOfSections) }
  }

  /// The titles of the index beside the list; of fixed and collated sections the hidden ones too.
  public func indexTitles() async throws -> [String] { try await sectionIndex().titles }

  /// The first object that has these values under these keys (null matches missing); nil when there
  /// is none.
  public func indexPath(matching values: Record) async throws -> IndexPath? {
    try await reading { try await store.indexPath(matching: values) }
  }

  /// The first object equal to `object`; nil when there is none.
  public func indexPath(of object: Value) async throws -> IndexPath? {
    try await reading { try await store.indexPath(of: object) }
  }

  private func check(section: Int) throws(SourceError) {
    guard section >= 0, section < numberOfSections else {
      throw .sectionOutOfRange(section, sections: numberOfSections)
    }
  }

  private func reading<Result>(_ body: () async throws -> Result) async throws(SourceError)
    -> Result
  {
    do { return try await body() } catch { throw SourceError(error) }
  }
}

extension Value {
  /// The uppercase first character of the value as a title.
  var indexTitle: String {
    switch self {
    case .null: ""
    case .bool(let bool): bool ? "T" : "F"
    case .integer(let integer): String("\(integer)".prefix(1))
    case .real(let real): String(real.text.prefix(1))
    case .string(let string): String(string.prefix(1)).uppercased()
    case .date(let date): String(date.text.prefix(1))
    case .data, .array, .record: ""
    }
  }
}
