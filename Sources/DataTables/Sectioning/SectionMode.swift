/// A way to split sorted rows into sections by a key; the modes are listed in ``all``.
public struct SectionMode: Sendable {
  /// The name of the mode: `runs`, `groups`.
  public let name: String
  /// One line of help, shown after the name.
  public let summary: String
  /// The settings that the mode reads.
  public let settings: [SectionSettings.Name]
  /// Whether each section holds one value of the key.
  public let isByValue: Bool
  /// Whether the rows keep their order; if false, they are sorted by section.
  public let keepsOrder: Bool
  /// Whether the sections are those of the same rows in any other order.
  public let ignoresOrder: Bool
  /// Whether a title that repeats is an error.
  public let rejectsRepeats: Bool
  private let impliedSort: (@Sendable (ObjectKeyPath, SectionSettings) -> [SortDescriptor])?
  private let splitRows: @Sendable (KeyedRows, SectionSettings) throws -> SectionedRows

  init(
    _ name: String, _ summary: String, settings: [SectionSettings.Name] = [],
    isByValue: Bool = true, keepsOrder: Bool = false, ignoresOrder: Bool = false,
    rejectsRepeats: Bool = false,
    impliedSort: (@Sendable (ObjectKeyPath, SectionSettings) -> [SortDescriptor])? = nil,
    _ splitRows: @escaping @Sendable (KeyedRows, SectionSettings) throws -> SectionedRows
  ) {
    self.name = name
    self.summary = summary
    self.settings = settings
    self.isByValue = isByValue
    self.keepsOrder = keepsOrder
    self.ignoresOrder = ignoresOrder
    self.rejectsRepeats = rejectsRepeats
    self.impliedSort = impliedSort
    self.splitRows = splitRows
  }

  /// All modes, in the order of the help; the first is the default.
  public static let all: [SectionMode] = [
    runs, strict, groups, fixed, collated, month, day, year, week,
  ]

  public static func named(_ name: String) -> SectionMode? { all.first { $0.name == name } }

  /// The sort that the mode applies to the rows if none is requested; empty for most modes.
  public func sort(by key: ObjectKeyPath, _ settings: SectionSettings) -> [SortDescriptor] {
    impliedSort?(key, settings) ?? []
  }

  /// Splits rows into sections. The rows of each section keep their order.
  ///
  /// - Complexity: O(rows), plus the cost of ordering the titles.
  /// - Throws: ``TableError/unknownKey(_:known:)`` if there are objects and none has the key;
  ///   ``TableError/sortMismatch(row:title:)`` in strict mode; the errors of reading the titles.
  public func split(_ rows: KeyedRows, _ settings: SectionSettings) throws -> SectionedRows {
    try splitRows(rows, settings)
  }
}

/// Modes are equal if they have the same name.
extension SectionMode: Hashable {
  public static func == (a: SectionMode, b: SectionMode) -> Bool { a.name == b.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Rows of a table in an order, and the key by which they are split into sections.
public struct KeyedRows: Sendable {
  public let table: any Table
  public let key: ObjectKeyPath
  public let rows: SortedRows
  public let cancellation: Cancellation
  public var order: RowOrder { rows.order }

  public init(
    _ table: any Table, key: ObjectKeyPath, order: RowOrder,
    cancellation: Cancellation = Cancellation()
  ) {
    self.init(table, key: key, rows: SortedRows(order), cancellation: cancellation)
  }

  public init(
    _ table: any Table, key: ObjectKeyPath, rows: SortedRows,
    cancellation: Cancellation = Cancellation()
  ) {
    self.table = table
    self.key = key
    self.rows = rows
    self.cancellation = cancellation
  }

  func column() throws -> KeyColumn {
    let column = try table.column(key, cancellation: cancellation)
    try cancellation.check()
    return column
  }
}

/// Rows sorted by section, and the sections.
public struct SectionedRows: Sendable {
  public let order: RowOrder
  public let sections: Sections

  public init(order: RowOrder, sections: Sections) {
    self.order = order
    self.sections = sections
  }
}
