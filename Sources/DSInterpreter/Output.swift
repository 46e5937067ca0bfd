public import DataSources
public import DataTables

/// What a command has to say, as a value; made into text once, by a style of rendering.
public struct Output: Sendable {
  // The large ones stand apart: all are passed on and copied as often as the small ones.
  public enum Content: Sendable {
    /// Nothing to show.
    case none
    /// One value on a line: `count`, `indexPath`, `print`.
    case value(Value)
    /// One line an element for people, one array for programs: `titles`.
    case list([Value])
    /// A record shown as `key: value` lines; any other value as `value` does: `object`.
    case object(Value)
    /// A headline with notes under it, and the same facts as a record: `load`, `fetch`.
    indirect case report(Report)
    /// Columns with a header: `sections`, `events`, `list`.
    indirect case grid(Grid)
    /// Objects with their index paths, read as they are shown: `objects`, `show`.
    indirect case objects(ObjectListing)
    /// Lines as they stand for people, and a value for programs: `help`, `tree`.
    indirect case text([String], data: Value)
  }
  public var content: Content
  /// What watched sources told while the command ran, shown after the content.
  public var heard: Content = .none
  /// Shown after the content, on the diagnostic stream: `warning: titles repeat (…)`.
  public var warnings: [String]

  public init(_ content: Content, warnings: [String] = []) {
    self.content = content
    self.warnings = warnings
  }
  public static var none: Output { Output(.none) }
}

/// A line that a verb answers with, and the notes a person should know.
public struct Report: Sendable {
  /// `foods: 12 objects, 2 keys (name string, kind string), CSV, UTF-8`
  public var headline: String
  /// Shown indented under it; the first part of each is aligned: `zip`, `string: 212 values …`.
  public var notes: [Note]
  /// The same for programs.
  public var data: Record

  public struct Note: Sendable {
    public var subject: String?
    public var text: String
    public init(subject: String? = nil, text: String) {
      self.subject = subject
      self.text = text
    }
  }
  public init(headline: String, notes: [Note] = [], data: Record) {
    self.headline = headline
    self.notes = notes
    self.data = data
  }
}

/// A small table of facts.
public struct Grid: Sendable {
  public struct Column: Sendable {
    /// Over the column, for people.
    public var header: String
    /// In records, for programs.
    public var key: String
    /// Whether it is left out for people (or for programs).
    public enum Audience: Sendable { case all, people, programs }
    public var audience: Audience
    public init(_ header: String, key: String? = nil, audience: Audience = .all) {
      self.header = header
      self.key = key ?? header
      self.audience = audience
    }
  }
  public var columns: [Column]
  /// One value a column.
  public var rows: [[Value]]
  /// For people: without the header line.
  public var hidesHeader: Bool
  /// What people are told when there are no rows; nil for the header alone, "" for nothing.
  public var placeholder: String?

  public init(
    columns: [Column], rows: [[Value]], hidesHeader: Bool = false, placeholder: String? = nil
  ) {
    self.columns = columns
    self.rows = rows
    self.hidesHeader = hidesHeader
    self.placeholder = placeholder
  }
}

extension Grid {
  /// A record a row, of the columns for programs.
  package var records: Value {
    let places = columns.indices.filter { columns[$0].audience != .people }
    let shape = Record.Shape(places.map { columns[$0].key })
    return .array(
      rows.map { row in .record(Record(shape: shape, values: places.map { row[$0] })) })
  }
}

/// The objects of some sections of a snapshot; nothing is read before it is rendered.
public struct ObjectListing: Sendable {
  public var snapshot: Snapshot
  public var sections: Range<Int>
  /// Whether section titles and index paths are shown to people (`show`).
  public var showsPlaces: Bool
  /// A row for people behind the last object, which is none: `loading …`, `no results`, an error.
  public var placeholder: String?
  public init(snapshot: Snapshot, sections: Range<Int>, showsPlaces: Bool) {
    self.snapshot = snapshot
    self.sections = sections
    self.showsPlaces = showsPlaces
  }
}
