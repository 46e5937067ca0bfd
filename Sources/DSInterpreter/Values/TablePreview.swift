import DataSources
import DataTables
public import Pictures

/// The table view that an app would show for the content of a source: lines that are read when they
/// are shown.
///
/// The lines of a section are its header, its rows, and placeholders for pages that have not been
/// fetched.
public struct TablePreview: Sendable {
  let snapshot: Snapshot
  private let cell: PreviewCell
  /// For the sections before missing pages, their placeholders.
  private let missing: [Int: [String]]
  /// A row in place of objects: `loading …`.
  private let placeholder: String?
  /// Whether sections have headers: a single section without a title has none.
  public let hasHeaders: Bool

  /// The line at which a terminal begins; nil for the first one.
  public internal(set) var start: Position?

  /// A line, as a section and the number of the line in the section.
  public struct Position: Hashable, Comparable, Sendable {
    public var section: Int
    public var line: Int

    public static func < (left: Position, right: Position) -> Bool {
      (left.section, left.line) < (right.section, right.line)
    }
  }

  /// A visible line with the place that it shows.
  struct VisibleLine {
    let position: Position
    /// nil for a header and a placeholder.
    let path: IndexPath?
    var line: Picture.TableLine
  }

  init(
    _ snapshot: Snapshot, cell: PreviewCell, missing: [Int: [String]], placeholder: String?
  ) async throws {
    self.snapshot = snapshot
    self.cell = cell
    self.missing = missing
    self.placeholder = placeholder
    hasHeaders = try await snapshot.hasHeaders
  }

  // Positions.

  private var headers: Int { hasHeaders ? 1 : 0 }

  public var numberOfSections: Int { snapshot.numberOfSections }
  public var numberOfObjects: Int { snapshot.numberOfObjects }

  private func numberOfLines(in section: Int) -> Int {
    headers + snapshot.store.numberOfObjects(in: section) + (missing[section]?.count ?? 0)
  }

  /// The first line; nil for a table view without lines.
  public var first: Position? {
    (0..<numberOfSections).first { numberOfLines(in: $0) > 0 }.map {
      Position(section: $0, line: 0)
    }
  }

  /// The last line; nil for a table view without lines.
  public var last: Position? {
    (0..<numberOfSections).last { numberOfLines(in: $0) > 0 }
      .map { Position(section: $0, line: numberOfLines(in: $0) - 1) }
  }

  /// The line of a row.
  func position(of path: IndexPath) -> Position {
    Position(section: path.section, line: headers + path.row)
  }

  /// The line a number of lines after another one, or before it; the last or the first one beyond them.
  public func position(_ offset: Int, from start: Position) -> Position {
    var position = start
    var left = offset
    while left > 0 {
      let step = min(left, numberOfLines(in: position.section) - 1 - position.line)
      position.line += step
      left -= step
      guard left > 0 else { break }
      let next = (position.section + 1..<max(numberOfSections, position.section + 1))
        .first { numberOfLines(in: $0) > 0 }
      guard let next else { break }
      position = Position(section: next, line: 0)
      left -= 1
    }
    while left < 0 {
      let step = min(-left, position.line)
      position.line -= step
      left += step
      guard left < 0 else { break }
      let next = (0..<position.section).last { numberOfLines(in: $0) > 0 }
      guard let next else { break }
      position = Position(section: next, line: numberOfLines(in: next) - 1)
      left += 1
    }
    return position
  }

  /// The header of the next section, or of the previous one; the same position without one.
  public func section(_ step: Int, from start: Position) -> Position {
    let section = min(max(0, start.section + step), max(0, numberOfSections - 1))
    return Position(section: section, line: 0)
  }

  /// The titles that are read for a jump to a letter, beyond those that are known.
  private static let mostTitlesRead = 100_000
  private static let titlesOfBatch = 1_000

  /// The next section whose title begins with a character of any case, from the first one again after
  /// the last; nil without one.
  public func section(beginningWith character: Character, after start: Position) async throws
    -> Position?
  {
    let count = numberOfSections
    var read = 0
    var titles: (first: Int, values: [Value]) = (0, [])
    for offset in stride(from: 1, through: count, by: 1) {
      let section = (start.section + offset) % count
      var title = snapshot.store.knownTitle(of: section)
      if title == nil {
        if !(titles.first..<titles.first + titles.values.count).contains(section) {
          guard read < Self.mostTitlesRead else { return nil }
          let range = section..<min(count, section + Self.titlesOfBatch)
          titles = (section, try await snapshot.titles(of: range))
          read += range.count
        }
        title = titles.values[section - titles.first]
      }
      if title?.label.first?.lowercased() == character.lowercased() {
        return Position(section: section, line: 0)
      }
    }
    return nil
  }

  // Lines.

  /// Lines from a position on; the header of the first line's section is in its place, as a table view
  /// keeps it at the top. Reads the titles and the objects of these lines only.
  public func lines(from start: Position, count: Int) async throws -> [Picture.TableLine] {
    var positions = [start]
    while let last = positions.last, positions.count < count {
      let next = position(1, from: last)
      if next == last { break }
      positions.append(next)
    }
    return try await read(positions).map(\.line)
  }

  /// A number of rows from an index path on, with their headers.
  ///
  /// - Parameter path: nil for the first row.
  /// - Returns: the lines, and the index path of the first row after them; nil after the last row.
  func excerpt(
    from path: IndexPath?, rows: Int
  ) async throws -> (lines: [VisibleLine], next: IndexPath?) {
    guard var position = path.map(position(of:)) ?? first else { return ([], nil) }
    var positions: [Position] = []
    // The header stays above its rows.
    if position.line >= headers, hasHeaders {
      positions.append(Position(section: position.section, line: 0))
    }
    var left = rows
    while true {
      let isEmpty = snapshot.store.numberOfObjects(in: position.section) == 0
      // A section without objects counts as a row, which bounds the lines of many of them.
      if position.line >= headers || isEmpty { left -= 1 }
      positions.append(position)
      let next = self.position(1, from: position)
      if next == position || left <= 0 { break }
      position = next
    }
    return (try await read(positions), nextRow(after: position))
  }

  private func nextRow(after position: Position) -> IndexPath? {
    let row = position.line - headers + 1
    if row < snapshot.store.numberOfObjects(in: position.section) {
      return IndexPath(section: position.section, row: row)
    }
    return (position.section + 1..<max(numberOfSections, position.section + 1))
      .first { snapshot.store.numberOfObjects(in: $0) > 0 }
      .map { IndexPath(section: $0, row: 0) }
  }

  /// - Parameter positions: consecutive ones; the first is replaced by its header.
  private func read(_ positions: [Position]) async throws -> [VisibleLine] {
    guard let first = positions.first, let last = positions.last else { return [] }
    var positions = positions
    if hasHeaders { positions[0].line = 0 }
    let titles =
      hasHeaders ? try await snapshot.titles(of: first.section..<last.section + 1) : []
    var ranges: [SectionRows] = []
    for position in positions {
      guard let path = path(at: position) else { continue }
      if let range = ranges.last, range.section == path.section {
        let rows = range.rows.lowerBound..<path.row + 1
        ranges[ranges.count - 1] = SectionRows(section: path.section, rows: rows)
      } else {
        ranges.append(SectionRows(section: path.section, rows: path.row..<path.row + 1))
      }
    }
    var objects = ranges.isEmpty ? [] : try await snapshot.objects(in: ranges)[...]
    return positions.map { position in
      let path = path(at: position)
      var line: Picture.TableLine
      if path != nil {
        line = cell.line(of: objects.popFirst() ?? .null)
      } else if position.line < headers {
        line = snapshot.header(of: position.section, titles[position.section - first.section])
      } else {
        let row =
          position.line - headers - snapshot.store.numberOfObjects(in: position.section)
        line = Picture.TableLine(.placeholder, missing[position.section]?[row] ?? "")
      }
      return VisibleLine(position: position, path: path, line: line)
    }
  }

  /// The index path of the row in a line; nil for a header and a placeholder.
  private func path(at position: Position) -> IndexPath? {
    let row = position.line - headers
    return (0..<snapshot.store.numberOfObjects(in: position.section)).contains(row)
      ? IndexPath(section: position.section, row: row) : nil
  }

  /// The line in place of rows; nil if there are lines.
  public var emptyLine: Picture.TableLine? {
    if first != nil, placeholder == nil { return nil }
    return Picture.TableLine(.gap, placeholder ?? "no objects")
  }

  /// The titles of the section index that fit into a number of lines; empty for one section.
  public func index(lines: Int) async throws -> [String] {
    guard numberOfSections > 1 else { return [] }
    var places: [Int?] = []
    let titles = try await snapshot.indexTitles { count in
      places = IndexStrip.places(of: count, in: lines)
      return places.compactMap { $0 }
    }
    var rest = titles[...]
    let strip = places.map {
      $0 == nil ? Picture.TableView.bullet : rest.popFirst() ?? ""
    }
    return titles.allSatisfy(\.isEmpty) ? [] : strip
  }
}

extension Snapshot {
  /// Whether a table view shows headers: a single section without a title has none.
  var hasHeaders: Bool {
    get async throws {
      guard numberOfSections == 1 else { return numberOfSections > 1 }
      return try await ![.null, ""].contains(title(of: 0))
    }
  }

  func header(of section: Int, _ title: Value) -> Picture.TableLine {
    Picture.TableLine(
      .header, title.label, detail: store.numberOfObjects(in: section).grouped)
  }
}

/// The values that a row of a table view shows.
struct PreviewCell: Sendable {
  private let paths: [ObjectKeyPath]
  /// Whether the paths are keys of records, which other objects lack.
  private let isOfRecords: Bool

  /// - Parameters:
  ///   - paths: the title and the detail; nil for the first keys of the objects.
  init(_ paths: [ObjectKeyPath]?, of snapshot: Snapshot) {
    self.paths = paths ?? snapshot.keys.prefix(2).map { ObjectKeyPath(key: $0) }
    isOfRecords = paths == nil
  }

  func line(of object: Value) -> Picture.TableLine {
    let isRecord = if case .record = object { true } else { false }
    guard let title = paths.first, isRecord || !isOfRecords else {
      return Picture.TableLine(.row, object.label)
    }
    return Picture.TableLine(
      .row, title.evaluate(on: object).label,
      detail: paths.count > 1 ? paths[1].evaluate(on: object).label : "")
  }
}

/// The titles of a section index that fit beside a table view.
enum IndexStrip {
  /// The positions of the titles that are shown, with nil for bullets between them. As in a table view,
  /// the first and the last title stay, and every second place is a bullet.
  static func places(of count: Int, in lines: Int) -> [Int?] {
    if count <= lines { return Array(0..<count) }
    guard lines >= 3 else { return lines > 0 ? [0] : [] }
    let shown = (lines + 1) / 2
    return (0..<shown).flatMap { index -> [Int?] in
      let place = index * (count - 1) / (shown - 1)
      return index == 0 ? [place] : [nil, place]
    }
  }
}
