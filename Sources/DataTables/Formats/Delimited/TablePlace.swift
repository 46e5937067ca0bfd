/// The place of the header and of the first row in a reading that explains a text better than the
/// plain reading.
struct TablePlace {
  private let found: TableReading
  private let header: TableLayout.Header
  /// The index of the header, or of the first row.
  private let first: Int
  private let hasTrailingDelimiter: Bool
  private let guess: HeaderGuess
  /// Whether the options leave it open whether there is a header.
  private let isHeaderOpen: Bool

  /// The number of lines before the table, if there are any that are not comments.
  var skipped: Int? {
    first > 0 ? found.rows.line(of: found.rows.rows[first]) - 1 : nil
  }

  /// - Parameter header: whether the options demand a header, or none; nil if they leave it open.
  init(of found: TableReading, plain: TableReading, header isHeaderGiven: Bool?) {
    self.found = found
    isHeaderOpen = isHeaderGiven == nil
    let rows = found.rows.rows
    let complete = found.completeRows
    let cells = complete.prefix(30).map { found.rows.cells(of: $0) }
    let before = found.first > 0 ? rows[found.first - 1] : nil
    let names = before.map { found.rows.cells(of: $0) } ?? []
    var guess = HeaderGuess(cells.first ?? [], above: Array(cells.dropFirst()))
    var hasTrailingDelimiter = false
    let header: TableLayout.Header
    var first = found.first
    let isOneShort =
      !names.isEmpty && names.count == found.width - 1 && HeaderGuess.areKeys(names)
    if isHeaderGiven == false {
      (header, first) = (.none, 0)
    } else if isOneShort, complete.allSatisfy({ found.rows.endsWithDelimiter($0) }) {
      (header, first, hasTrailingDelimiter, guess) = (.line, first - 1, true, .header)
    } else if isOneShort, guess == .data || guess == .either && names.count > 1 {
      (header, first, guess) = (.withoutRowNames, first - 1, .header)
    } else if first == 1, names.count > 1, names.count * 2 >= found.width, guess != .header,
      HeaderGuess.areKeys(names)
    {
      (header, first, guess) = (.line, 0, HeaderGuess(names, above: cells))
    } else if first == 0, plain.rows.rows.first?.fields == rows.first?.fields,
      plain.rows.rows.first?.start == rows.first?.start
    {
      (header, guess) = (.line, .header)
    } else {
      header = guess == .data && isHeaderGiven != true ? .none : .line
    }
    (self.header, self.first, self.guess) = (header, first, guess)
    self.hasTrailingDelimiter = hasTrailingDelimiter
  }

  /// Changes the layout to the reading, and adds notes about what differs from the plain one.
  func apply(to layout: inout TableLayout, plain: Dialect) {
    layout.dialect = found.rows.dialect
    layout.header = header
    layout.dialect.hasTrailingDelimiter = hasTrailingDelimiter
    layout.width = found.width - (hasTrailingDelimiter ? 1 : 0)
    if first > 0 { layout.start = found.rows.offset(of: found.rows.rows[first]) }
    if let labels = labels(plain: plain) { layout.notes.append("detected \(labels)") }
    layout.notes += shapeNotes
  }

  /// The labels that lead to the same reading; nil if the plain reading has the same dialect and
  /// place.
  private func labels(plain: Dialect) -> SuggestedLabels? {
    var labels = skipped.map { [SuggestedLabels("skip", String($0))] } ?? []
    labels += found.rows.dialect.labels(unlike: plain)
    if header == .none, isHeaderOpen { labels.append(SuggestedLabels("header", "false")) }
    return labels.joined
  }

  private var shapeNotes: [String] {
    let row = found.rows.rows[first]
    let line = found.rows.line(of: row)
    var notes: [String] = []
    if hasTrailingDelimiter {
      notes.append("each row ends with an extra delimiter")
    }
    let keys = row.fields == 1 ? "1 key" : "\(row.fields) keys"
    switch header {
    case .withoutRowNames:
      notes.append(
        "the header has \(keys) for \(found.width) fields: the first field of each row is the row name"
      )
    case .line where !hasTrailingDelimiter && row.fields < found.width:
      notes.append("the header has \(keys) for \(found.width) fields")
    default: break
    }
    if let tableNote { notes.append(tableNote) }
    guard isHeaderOpen else { return notes }
    let skip = skipped.map { SuggestedLabels("skip", String($0)) }
    func fix(_ header: String) -> SuggestedLabels {
      let label = SuggestedLabels("header", header)
      return skip.map { $0 + label } ?? label
    }
    if header == .none {
      notes.append("line \(line) looks like data; add \(fix("true")) to read it as the header")
    } else if guess != .header {
      notes.append("line \(line) is the header; add \(fix("false")) to read it as a row")
    }
    return notes
  }
}

extension TablePlace {
  /// A note on rows before the table that are a table themselves.
  private var tableNote: String? {
    let rows = found.rows
    let before = rows.rows[..<first]
    guard let start = before.first, let end = before.last, start.fields > 1, before.count > 2,
      before.allSatisfy({ $0.fields == start.fields })
    else { return nil }
    let cells = before.prefix(30).map { rows.cells(of: $0) }
    guard HeaderGuess(cells[0], above: Array(cells.dropFirst())) == .header else { return nil }
    return
      "lines \(rows.line(of: start)) to \(rows.line(of: end)) are another table and are not read"
  }
}

extension Dialect {
  /// The labels for what differs from another dialect.
  func labels(unlike plain: Dialect) -> [SuggestedLabels] {
    func text(_ byte: UInt8) -> String { String(Character(Unicode.Scalar(byte))) }
    var labels: [SuggestedLabels] = []
    if delimiter != plain.delimiter { labels.append(SuggestedLabels("delimiter", text(delimiter))) }
    if quote != plain.quote {
      labels.append(SuggestedLabels("quote", quote.map(text) ?? "none"))
    }
    if let escape, escape != plain.escape { labels.append(SuggestedLabels("escape", text(escape))) }
    if comment != plain.comment {
      labels.append(SuggestedLabels("comment", String(decoding: comment, as: UTF8.self)))
    }
    return labels
  }
}
