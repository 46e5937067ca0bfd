extension JSONCursor {
  /// The line that is broken; in other layouts the whole text is.
  mutating func broken(_ reason: JSONFailure, at index: Int) throws -> Row? {
    let (reason, found) = try looked(reason, at: index)
    guard layout == .lines, reason != .encoding, reason != .depth else {
      throw failure(reason, at: index)
    }
    let row = Row(
      offset: base + position,
      bytes: UnsafeRawBufferPointer(start: window + position, count: index - position),
      line: line,
      fault: Fault(column: index - position + 1, reason: reason, found: found))
    position = index
    skipsLine = true
    return row
  }

  /// The error of a text that has something else at `index` of the window than it should.
  func failure(_ reason: JSONFailure, at index: Int) -> any Error {
    let offset = base + index
    guard opens && closes || layout == .lines else {
      return TableError.changed("does not read as it did when it was loaded")
    }
    do {
      let (reason, found) = try looked(reason, at: index)
      switch reason {
      case .encoding:
        return TableError.encoding(expected: "UTF-8", offset: offset, fitting: "latin1")
      case .depth:
        // Where the scanner's own bound was met, no setting helps.
        let isOwn = limits.depth >= JSONScanner.deepest
        return TableError.limit(
          "a value is nested deeper than \(min(limits.depth, JSONScanner.deepest).grouped) levels",
          setting: isOwn ? "" : "maxDepth", at: try place(of: offset))
      default:
        return TableError.format(
          reason.message(found: found), at: try place(of: offset))
      }
    } catch {
      return error
    }
  }

  func rowTooLong() -> any Error {
    do {
      return TableError.limit(
        "a row has more than \(rowLimit.grouped) bytes", setting: "maxRow",
        at: try place(of: base + position))
    } catch {
      return error
    }
  }

  private func place(of offset: Int) throws -> TextPosition {
    if layout == .lines, start == 0 {
      return TextPosition(line: line, column: offset - lineStart + 1)
    }
    return try TextPosition(of: offset, in: store)
  }

  /// The character at `index`, nil at the end; where there is none, the bytes are not UTF-8, which
  /// is the better reason.
  private func looked(
    _ reason: JSONFailure, at index: Int
  ) throws -> (JSONFailure, found: Unicode.Scalar?) {
    // From the store, as the window may end inside of the character.
    let offset = base + index
    let bytes = try store.bytes(offset..<max(offset, min(offset + 4, store.count)))
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    switch decoder.decode(&iterator) {
    case .scalarValue(let scalar): return (reason, scalar)
    case .emptyInput: return (reason, nil)
    case .error: return (.encoding, nil)
    }
  }
}
