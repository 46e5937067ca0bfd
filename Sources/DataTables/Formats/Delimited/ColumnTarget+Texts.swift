extension ColumnTarget {
  /// Every row as a text of its own; what was numbered before the dictionaries were given up too.
  func joinedTexts(_ cells: CellReader) throws -> TextHeap {
    TextHeap(
      try decodedPieces.flatMap { piece in
        guard let dictionary = workers[piece.worker]?.dictionary else { return [TextBlock]() }
        let numbered = TextWriter()
        var texts: [TextBlock] = []
        for run in piece.runs {
          switch run {
          case .narrow(let codes): numbered.append(codes, of: dictionary, cells)
          case .wide(let codes): numbered.append(codes, of: dictionary, cells)
          case .texts(let blocks): texts += blocks
          case .keys: break
          }
        }
        return try numbered.finish() + texts
      })
  }
}

extension TextWriter {
  /// Appends the texts of codes plus one, 0 for an empty cell.
  fileprivate func append<Code: FixedWidthInteger>(
    _ codes: UnsafeBufferPointer<Code>, of dictionary: ByteDictionary, _ cells: CellReader
  ) {
    for code in codes {
      if code == 0 {
        appendNull()
      } else {
        dictionary.withBytes(of: Int(code) - 1) { cells.append($0, to: self) }
      }
    }
  }
}

extension CellReader {
  /// Appends a cell that is not empty, or was quoted.
  func append(_ cell: UnsafeRawBufferPointer, to writer: TextWriter) {
    if isNull(cell) { writer.appendNull() } else { writer.append(cell) }
  }
}
