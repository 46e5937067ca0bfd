extension ColumnTarget {
  /// Every row as a text of its own; what was numbered before the dictionaries were given up too.
  func joinedTexts(_ cells: CellReader) -> TextHeap {
    let pieces = decodedPieces.sorted { $0.rows.lowerBound < $1.rows.lowerBound }
    return TextHeap(
      pieces.flatMap { piece in
        if case .texts(let texts) = piece.content { texts } else { texts(of: piece, cells) }
      })
  }

  private func texts(of piece: Piece, _ cells: CellReader) -> [TextBlock] {
    guard let dictionary = workers[piece.worker]?.dictionary else { return [] }
    let writer = TextWriter()
    for row in piece.rows {
      let code = code(of: row)
      if code == 0 {
        writer.appendNull()
      } else {
        dictionary.withBytes(of: code - 1) { cells.append($0, to: writer) }
      }
    }
    return writer.finish()
  }
}

extension CellReader {
  /// Appends a cell that is not empty, or was quoted.
  func append(_ cell: UnsafeRawBufferPointer, to writer: TextWriter) {
    if isNull(cell) { writer.appendNull() } else { writer.append(cell) }
  }
}
