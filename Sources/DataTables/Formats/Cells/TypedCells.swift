/// Gives the strings of rows in memory the types that the cells of a delimited text get: all strings
/// of a key must fit, leading zeros stay strings, the words of `nulls:` and empty strings among
/// numbers, dates and bools are null.
///
/// Strings inside records and arrays have types by their key path, so that all elements of an array
/// have one type. Values that are not strings stay as they are, unless `types:` requests another
/// type for their key; strings whose type would differ from that of other values of their key stay
/// strings.
package struct TypedCells {
  private let rows: [Value]
  private let request: ReadRequest
  private let cells: CellReader
  private let line: (Int) -> Int?

  /// - Parameters:
  ///   - rows: the rows as a format reads them; values without quotes are strings.
  ///   - line: returns the line of a row, from 1; nil if rows have no lines.
  package init(_ rows: [Value], request: ReadRequest, line: @escaping (Int) -> Int?) {
    self.rows = rows
    self.request = request
    self.line = line
    cells = CellReader(request.options)
  }

  package struct Result {
    package var rows: [Value]
    /// One report for each key, in the order of first appearance.
    package var columns: [ColumnReport]
    fileprivate var misfits: [Misfits]
    fileprivate var line: (Int) -> Int?

    /// Adds the columns, and the cells that do not fit a requested type, to the report of a load.
    package func add(to report: inout LoadReport) {
      report.columns = columns
      report.add(misfits) { rows, _ in
        rows.map { (0, TextPosition(line: line($0) ?? 0, column: 1)) }
      }
    }
  }

  /// - Complexity: O(cells).
  /// - Throws: ``TableError/unknownKey(_:known:)`` for a key of `types:` that no row has, unless the
  ///   rows are a part of a source;
  ///   ``TableError/format(_:at:)`` in strict mode, for a value that does not fit its requested
  ///   type; ``TableError/cancelled``.
  package func read(cancellation: Cancellation = Cancellation()) throws -> Result {
    let options = request.options
    let root = CellNode(style: options.numberStyle)
    for (row, value) in rows.enumerated() {
      if row & 0xFFF == 0 { try cancellation.check() }
      root.count(value, at: row, cells)
    }
    let known = root.children.map(\.key)
    for key in options.types.keys.sorted() where !known.contains(key) {
      if request.isPart || rows.isEmpty { break }
      throw TableError.unknownKey(key, known: known)
    }
    root.decide(options.writtenDateOrder)
    for node in root.children { node.request(options.types[node.key], options, cells) }
    var typed: [Value] = []
    typed.reserveCapacity(rows.count)
    for (row, value) in rows.enumerated() {
      if row & 0xFFF == 0 { try cancellation.check() }
      typed.append(root.typed(value, at: row, cells))
    }
    let misfits = root.children.compactMap(\.misfits).filter { $0.count > 0 }
    if options.isStrict, let first = misfits.first {
      let line = first.first.first.flatMap { self.line($0.position) }
      throw first.error(at: line.map { TextPosition(line: $0) })
    }
    let columns = root.children.map {
      $0.report(rows: rows.count, options.writtenDateOrder) { line($0) }
    }
    return Result(rows: typed, columns: columns, misfits: misfits, line: line)
  }
}

/// The values at one key path.
private final class CellNode {
  let key: String
  private let style: NumberStyle
  private var strings: TypeFindings
  /// The values that are not strings, and the elements of arrays among them.
  private var others = JSONTally()
  /// The rows by the kind of their value, without those with a string.
  private var values = JSONTally()
  /// The rows with a string, and the first of them.
  private var texts = (count: 0, first: Int.max)
  /// The nodes of the keys of records, in the order of first appearance.
  private(set) var children: [CellNode] = []
  private var places: [String: Int] = [:]
  /// The nodes of the record that was seen last, whose keys later records often share.
  private var last: (shape: Record.Shape, nodes: [CellNode])?
  private var form = CellForm(.string)
  private var requested: ValueForm?
  private(set) var misfits: Misfits?

  init(key: String = "", style: NumberStyle) {
    self.key = key
    self.style = style
    strings = TypeFindings(style)
  }

  private func nodes(of record: Record) -> [CellNode] {
    if let last, last.shape.storage === record.shape.storage { return last.nodes }
    let nodes = record.keys.map { key in
      if let place = places[key] { return children[place] }
      places[key] = children.count
      let node = CellNode(key: key, style: style)
      children.append(node)
      return node
    }
    last = (record.shape, nodes)
    return nodes
  }

  /// Counts the values for the choice of types.
  /// - Parameter isElement: whether the value is one of several in its row.
  func count(_ value: Value, at row: Int, _ cells: CellReader, isElement: Bool = false) {
    if case .string(var string) = value {
      string.withUTF8 {
        let cell = UnsafeRawBufferPointer($0)
        if cells.isNull(cell) { return }
        strings.add(cell, at: row)
        if !isElement { texts = (texts.count + 1, min(texts.first, row)) }
      }
      return
    }
    guard let kind = JSONTally.kind(of: value) else { return }
    others.add(kind, at: row)
    if !isElement { values.add(kind, at: row) }
    switch value {
    case .array(let elements):
      for element in elements { count(element, at: row, cells, isElement: true) }
    case .record(let record):
      for (node, value) in zip(nodes(of: record), record.values) {
        node.count(value, at: row, cells, isElement: isElement)
      }
    case .null, .string, .bool, .integer, .real, .date, .data: break
    }
  }

  /// Chooses the types of the strings of this node and of all nodes below it.
  func decide(_ order: WrittenDate.Order?) {
    for node in children { node.decide(order) }
    let form = strings.tally.form(order)
    switch (form.type, others.scalarType) {
    case (_, nil): self.form = form
    case (.integer, .integer), (.integer, .real), (.real, .integer), (.real, .real), (.bool, .bool),
      (.date, .date):
      self.form = form
    default: break
    }
  }

  func request(_ type: RequestedType?, _ options: ReadOptions, _ cells: CellReader) {
    guard let type else { return }
    var order = options.writtenDateOrder
    if type == .date { order = order ?? strings.tally.order() }
    requested = ValueForm(
      CellForm(type, order: order, style: options.numberStyle), nulls: cells)
    misfits = Misfits(key: key, type: type, options: options)
    misfits?.foundOrder = requested?.form.dateOrder
  }

  /// The value with typed strings.
  func typed(_ value: Value, at row: Int, _ cells: CellReader) -> Value {
    if let requested {
      if let value = requested.value(value) { return value }
      misfits?.add(value, at: row)
      return .null
    }
    switch value {
    case .string(var string):
      return string.withUTF8 { utf8 in
        let cell = UnsafeRawBufferPointer(utf8)
        if cells.isNull(cell) { return .null }
        if form.type == .string { return value }
        return cell.isBlank ? .null : form.value(of: cell) ?? value
      }
    case .array(let elements): return .array(elements.map { typed($0, at: row, cells) })
    case .record(let record):
      let values = zip(nodes(of: record), record.values).map { node, value in
        node.typed(value, at: row, cells)
      }
      return .record(Record(shape: record.shape, values: values))
    case .null, .bool, .integer, .real, .date, .data: return value
    }
  }

  func report(
    rows: Int, _ order: WrittenDate.Order?, line: (Int) -> Int?
  ) -> ColumnReport {
    if let requested {
      return ColumnReport(key: key, type: requested.form.type, isExact: true)
    }
    let findings = strings.report(on: key, isExact: true, order: order) { line($0) ?? 0 }
    if others.isEmpty { return findings }
    var tally = values
    if let kind = JSONTally.Kind(form.type), texts.count > 0 {
      tally.add(kind, count: texts.count, at: texts.first)
    }
    return ColumnReport(
      key: key, type: tally.type, isExact: true,
      evidence: tally.evidence(rows: rows) { line($0) ?? 0 })
  }
}
