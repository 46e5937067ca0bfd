public import DataTables
public import Pictures

/// The output of a command, as a value; a rendering style turns it into text.
public struct Output: Sendable {
  // Large cases are indirect, because every copy of an enum has the size of its largest case.
  public enum Content: Sendable {
    /// Nothing to show.
    case none
    /// One value on a line: `count`, `indexPath`, `print`.
    case value(Value)
    /// One line per element for people, one array for programs: `titles`.
    case list([Value])
    /// A record shown as `key: value` lines; any other value is shown like a ``value(_:)``:
    /// `object`.
    case object(Value)
    /// A headline with notes under it, and the same facts as a record: `load`, `fetch`.
    indirect case report(Report)
    /// Columns with a header: `sections`, `events`, `list`.
    indirect case grid(Grid)
    /// Objects with their index paths, read while they are shown: `objects`, `show`.
    indirect case objects(ObjectListing)
    /// A picture for people, and its values as rows for programs: `plot`. A terminal scrolls the whole
    /// table view in place of a picture of its beginning: `preview`.
    indirect case picture(Picture, rows: Grid, preview: TablePreview? = nil)
    /// Finished lines for people, and a value for programs: `help`, `tree`.
    indirect case text([String], data: Value)
  }
  public var content: Content
  /// Changes of watched sources while the command ran, shown after the content.
  public var changes: Content = .none
  /// The picture that `as:` would draw in place of the content, for documents with images; nil unless
  /// ``SessionOptions/addsPictures`` is set.
  public var drawing: Picture?
  /// The lines of a text as whole paragraphs, for a terminal, which breaks them at its own width; nil
  /// for a text without paragraphs.
  public var paragraphs: [String]?
  /// Whether the lines of a text are not broken, because a program reads them.
  public var keepsLines = false
  /// Shown after the content, on the diagnostic stream: `warning: titles repeat (…)`.
  public var warnings: [String]

  public init(_ content: Content, warnings: [String] = []) {
    self.content = content
    self.warnings = warnings
  }
  public static var none: Output { Output(.none) }

  /// The content as a picture; nil if it has none.
  public var picture: Picture? {
    if case .picture(let picture, _, _) = content { picture } else { drawing }
  }
}

/// One line about the result of a command, with notes.
public struct Report: Sendable {
  /// `foods: 12 objects, 2 keys (name string, kind string), CSV, UTF-8`
  public var headline: String
  /// Shown indented under the headline, with the subjects in a column: `zip`, `string: 212 values …`.
  public var notes: [Note]
  /// The same facts for programs.
  public var data: Record
  /// Whether the report is about a command and not the data that the command was asked for: styles
  /// for data leave it out.
  public var isSummary = true

  public struct Note: Sendable {
    public var subject: String?
    public var text: String
    public init(subject: String? = nil, text: String) {
      self.subject = subject
      self.text = text
    }

    /// The note on one line: `zip: string: 212 values have leading zeros`.
    var line: String { subject.map { "\($0): \(text)" } ?? text }
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
    /// The title above the column, for people.
    public var header: String
    /// The key in records, for programs.
    public var key: String
    /// The readers that see the column.
    public enum Audience: Sendable { case all, people, programs }
    public var audience: Audience
    public init(_ header: String, key: String? = nil, audience: Audience = .all) {
      self.header = header
      self.key = key ?? header
      self.audience = audience
    }
  }
  public var columns: [Column]
  /// One value per column.
  public var rows: [[Value]]
  /// Whether the header line is hidden from people.
  public var hidesHeader: Bool
  /// Shown to people in place of missing rows; nil shows the header alone, "" shows nothing.
  public var placeholder: String?

  public init(
    columns: [Column], rows: [[Value]], hidesHeader: Bool = false, placeholder: String? = nil
  ) {
    self.columns = columns
    self.rows = rows
    self.hidesHeader = hidesHeader
    self.placeholder = placeholder
  }

  /// One record per row, with the columns for programs.
  package var records: Value {
    let indices = columns.indices.filter { columns[$0].audience != .people }
    let shape = Record.Shape(indices.map { columns[$0].key })
    return .array(
      rows.map { row in .record(Record(shape: shape, values: indices.map { row[$0] })) })
  }
}

/// One event of a fetch, a page or a statement of a database, as `events` and `trace` show it.
public struct EventLine: Sendable {
  /// The name of the source.
  public let source: String
  /// The number of wrappers above the source.
  public let depth: Int
  /// `will`, `partial`, `changes`, `finished`, `failed`; `page`, `statement`.
  public let event: String
  /// `1 section, 12 objects`; for `partial` the child that ended or the number of bytes so far; for
  /// `failed` the reason.
  public let detail: String
  /// The same facts for programs.
  public let record: Record

  /// The name, indented by its depth, at most 16 levels.
  public var indentedSource: String {
    String(repeating: "  ", count: min(max(depth, 0), 16)) + source
  }

  /// `letters  finished  8 sections, 12 objects`, indented.
  public var text: String {
    ([indentedSource, event] + (detail.isEmpty ? [] : [detail])).joined(separator: "  ")
  }
}

// Numbers in output.

/// `1 section`, `12,480 objects`.
package func counted(_ count: Int, _ noun: String) -> String { count.counted(noun) }

/// `312 bytes`, `41 kB`, `1.2 GB`, in powers of 1,000.
package func byteCount(_ count: Int) -> String {
  if count < 1_000 { return counted(count, "byte") }
  var size = Double(count)
  for unit in ["kB", "MB", "GB", "TB"] {
    size /= 1_000
    if size < 999.5 || unit == "TB" {
      let tenths = Int((size * 10).rounded())
      let isShort = tenths < 100 && tenths % 10 != 0
      return isShort ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(Int(size.rounded())) \(unit)"
    }
  }
  return counted(count, "byte")
}
