/// A document that was read as one value, with the lines of its parts.
package struct LocatedDocument {
  package var value: Value
  /// The line on which the value starts; nil for a document without lines.
  package var line: Int?
  package var lines: DocumentLines

  package init(_ value: Value, line: Int?, lines: DocumentLines) {
    self.value = value
    self.line = line
    self.lines = lines
  }

  /// The table of the rows that the options choose.
  /// - Parameters:
  ///   - format: the name that the report shows.
  ///   - notes: notes on the text for the report.
  /// - Throws: the errors of ``DocumentRows/init(of:options:)``.
  package func table(
    _ format: String, notes: [String], request: ReadRequest
  ) throws(TableError) -> LoadedTable {
    let chosen = try DocumentRows(of: value, options: request.options)
    let rows = chosen.rows
    let lines = lines(of: chosen)
    var loaded = LoadedTable(
      table: ValueTable(rows, lines: lines), report: LoadReport(format: format, rows: rows.count))
    if request.reportsColumns {
      loaded.report.columns = ValueColumns(rows).reports(rows: rows.count, lines: lines)
    }
    loaded.report.notes = chosen.notes + notes
    loaded.report.missingPath = chosen.missingPath
    loaded.report.rowsAreWhole = chosen.areWhole
    for path in request.extraValues {
      let value = path.evaluate(on: value)
      if !value.isNull { loaded.extraValues[path] = value }
    }
    return loaded
  }

  /// The line of each row; empty if a row is not at a path of keys.
  private func lines(of chosen: DocumentRows) -> [Int] {
    var result: [Int] = []
    result.reserveCapacity(chosen.rows.count)
    var finder = LineFinder(document: self)
    for row in chosen.rows.indices {
      guard let path = chosen.path(ofRow: row), let line = finder.line(of: path) else { return [] }
      result.append(line)
    }
    return result
  }
}

/// Finds the lines of the values at paths. Neighbors mostly have the same parent.
private struct LineFinder {
  let document: LocatedDocument
  private var parent: [ObjectKeyPath.Step]?
  private var lines: [Int] = []
  private var positions: [String: Int] = [:]

  init(document: LocatedDocument) { self.document = document }

  mutating func line(of path: ObjectKeyPath) -> Int? {
    guard let last = path.steps.last else { return document.line }
    let steps = Array(path.steps.dropLast())
    if parent != steps { open(steps) }
    let position: Int? =
      switch last {
      case .index(let index): index
      case .key(let key): positions[key]
      case .collection, .range: nil
      }
    guard let position, lines.indices.contains(position) else { return nil }
    return lines[position]
  }

  private mutating func open(_ steps: [ObjectKeyPath.Step]) {
    parent = steps
    positions = [:]
    var keys: [String] = []
    for step in steps {
      guard case .key(let key) = step else {
        lines = []
        return
      }
      keys.append(key)
    }
    lines = document.lines[keys] ?? []
    guard case .record(let record) = ObjectKeyPath(steps).evaluate(on: document.value) else {
      return
    }
    for (position, key) in record.keys.enumerated() { positions[key] = position }
  }
}
