/// How sorted rows are cut into sections by a key; each mode is a file, and a line in ``all``.
public struct SectionMode: Sendable {
  /// The word for it: `runs`, `groups`.
  public let name: String
  /// One line for help, after the word.
  public let summary: String
  /// What of the settings it looks at.
  public let settings: [SectionSettings.Name]
  /// Whether a section is what has one value of the key.
  public let isByValue: Bool
  /// Whether rows are cut as they stand; otherwise the sections have an order of their own.
  public let keepsOrder: Bool
  private let impliedSort: (@Sendable (ObjectKeyPath, SectionSettings) -> [SortDescriptor])?
  private let function: @Sendable (KeyedRows, SectionSettings) throws -> SectionedRows

  init(
    _ name: String, _ summary: String, settings: [SectionSettings.Name] = [],
    isByValue: Bool = true, keepsOrder: Bool = false,
    impliedSort: (@Sendable (ObjectKeyPath, SectionSettings) -> [SortDescriptor])? = nil,
    _ function: @escaping @Sendable (KeyedRows, SectionSettings) throws -> SectionedRows
  ) {
    self.name = name
    self.summary = summary
    self.settings = settings
    self.isByValue = isByValue
    self.keepsOrder = keepsOrder
    self.impliedSort = impliedSort
    self.function = function
  }

  /// Every mode, in the order of help; the first is the default.
  public static let all: [SectionMode] = [
    runs, strict, groups, fixed, collated, month, day, year, week,
  ]

  public static func named(_ name: String) -> SectionMode? { all.first { $0.name == name } }

  /// How rows are sorted where nothing else is asked for; mostly not at all.
  public func sort(by key: ObjectKeyPath, _ settings: SectionSettings) -> [SortDescriptor] {
    impliedSort?(key, settings) ?? []
  }

  /// Cuts rows into sections; rows of one section keep their order.
  ///
  /// - Complexity: O(rows), and what ordering the titles takes.
  /// - Throws: ``TableError/unknownKey(_:known:)`` when no object has the key and there are objects;
  ///   ``TableError/sortMismatch(row:title:)`` in strict mode; what reading the titles throws.
  public func split(_ rows: KeyedRows, _ settings: SectionSettings) throws -> SectionedRows {
    try function(rows, settings)
  }
}

/// Rows of a table in an order, and the key that tells their sections.
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

/// Rows in the order of their sections, cut.
public struct SectionedRows: Sendable {
  public let order: RowOrder
  public let sections: Sections

  public init(order: RowOrder, sections: Sections) {
    self.order = order
    self.sections = sections
  }
}
