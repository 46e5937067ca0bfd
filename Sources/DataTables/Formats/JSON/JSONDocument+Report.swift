extension JSONDocument {
  func report(on table: JSONTable, _ pieces: [JSONPiece]) throws -> LoadReport {
    var report = LoadReport(
      format: layout == .lines ? "NDJSON" : "JSON", rows: table.count,
      columns: try columns(of: table, pieces))
    var linesBefore = 0
    for piece in pieces {
      report.rejected += piece.rejected
      let room = LoadReport.maxRejects - report.rejects.count
      for var reject in piece.rejects.prefix(room) {
        reject.line += linesBefore
        report.rejects.append(reject)
      }
      linesBefore += piece.lines
    }
    report.notes = try notes(on: table, pieces)
    return report
  }

  private func columns(of table: JSONTable, _ pieces: [JSONPiece]) throws -> [ColumnReport] {
    guard options.reportsColumns else { return [] }
    let size = (pieces.last?.end ?? range.upperBound) - range.lowerBound
    let isSmall = size <= exactSize && table.keys.count <= Self.mostExactKeys
    if isSmall, !table.hasOtherRows {
      try table.decode(table.keys.map { ObjectKeyPath(key: $0) }, cancellation: cancellation)
      return try table.keys.map { try table.report(on: $0, cancellation: cancellation) }
    }
    // The sample stands in the first piece, whose keys come first.
    let tallies = pieces.first?.tallies ?? []
    return try table.keys.enumerated().map { place, key in
      let tally = place < tallies.count ? tallies[place] : JSONTally()
      return ColumnReport(
        key: key, type: tally.type, isExact: false,
        evidence: try tally.evidence { try TextPosition(of: $0, in: store).line })
    }
  }

  private func notes(on table: JSONTable, _ pieces: [JSONPiece]) throws -> [String] {
    var notes: [String] = []
    let others = pieces.reduce(0) { $0 + $1.otherRows }
    if others > 0, others < table.count, let first = pieces.lazy.compactMap(\.firstOther).first {
      let line = try TextPosition(of: first, in: store).line
      let subject = others == 1 ? "1 row is no record" : "\(others.grouped) rows are no records"
      notes.append("\(subject), first at line \(line)")
    }
    let repeating = pieces.reduce(0) { $0 + $1.repeating }
    if repeating > 0, let first = pieces.lazy.compactMap(\.firstRepeating).first {
      let line = try TextPosition(of: first, in: store).line
      let subject = repeating == 1 ? "1 record has" : "\(repeating.grouped) records have"
      notes.append("\(subject) a key twice, whose last value counts; first at line \(line)")
    }
    let lone = pieces.reduce(0) { $0 + $1.loneSurrogates }
    if lone > 0, let first = pieces.lazy.compactMap(\.firstLone).first {
      let line = try TextPosition(of: first, in: store).line
      let subject = lone == 1 ? "1 escape is half" : "\(lone.grouped) escapes are halves"
      notes.append("\(subject) of a character and read as U+FFFD, first at line \(line)")
    }
    return notes
  }
}
