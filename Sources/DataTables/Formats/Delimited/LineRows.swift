internal import CScan
internal import Glibc

/// The rows among the lines of a text without delimiters: a row is a line, together with the lines
/// that continue it.
///
/// Not thread-safe; each scanner has its own.
final class LineRows {
  /// The memory into which rows index.
  struct Window {
    let bytes: UnsafePointer<UInt8>
    /// The offset of the window in the text.
    let offset: Int
    /// The index of the word `true`.
    let trueIndex: Int
  }

  private let locator: any LineLocator
  private let columns: Int
  /// The fields of one row.
  private let fields: UnsafeMutableBufferPointer<ds_field>
  /// The fields of the rows of a batch, so that they need not be found again; nil if they are not
  /// kept.
  private let kept: KeptFields?
  private let continuedColumn: Int?
  /// Whether the next line may continue the last row.
  private(set) var isOpen = false
  /// The number of lines that continue the last row.
  private var continued = 0

  /// - Parameter kept: keeps the fields of rows.
  init(_ lines: any LineFields, columns: Int, keepingIn kept: KeptFields? = nil) {
    locator = lines.makeLocator()
    self.columns = columns
    self.kept = kept
    continuedColumn = lines.continuedColumn
    fields = .allocate(capacity: columns)
    fields.initialize(repeating: ds_field())
  }

  deinit { fields.deallocate() }

  /// Forgets the last row: it was not found, or is found again.
  func reset() { (isOpen, continued) = (false, 0) }

  /// Ends the last row.
  func close(_ findings: inout RowFindings) {
    findings.continued += continued
    reset()
  }

  /// Keeps the lines that are rows, skips blank lines, and adds lines to the rows that they continue.
  ///
  /// - Parameters:
  ///   - lines: the lines from `first` on, after rows that were kept before.
  ///   - limit: lines that start at this index or later belong to this chunk only if they continue
  ///     its last row.
  /// - Returns: the number of rows, and the index of the first line that belongs to another chunk;
  ///   nil if no line is known to.
  func keep(
    _ lines: UnsafeMutableBufferPointer<ds_row>, from first: Int, in window: Window, limit: Int,
    _ findings: inout RowFindings
  ) -> (count: Int, end: Int?) {
    var count = first
    /// The start of blank lines after the limit, which belong to the row after them.
    var blank: Int?
    for index in first..<max(first, lines.count) {
      let row = lines[index]
      let isBeyond = Int(row.start) >= limit
      if isBeyond, !isOpen { return (count, blank ?? Int(row.start)) }
      let line = line(row, in: window)
      if line.isBlank {
        if isBeyond { blank = blank ?? line.start }
        continue
      }
      let target = kept.map { $0.fields + count * columns } ?? fields.start
      target.update(repeating: ds_field(), count: columns)
      let outcome = locator.locate(line, upTo: columns - 1, into: target)
      if isOpen, case .rejected = outcome, locator.isContinuation(line) {
        lines[count - 1].end = row.end
        continued += 1
        blank = nil
        continue
      }
      if isBeyond { return (count, blank ?? line.start) }
      close(&findings)
      guard isRow(line, outcome, in: window, &findings) else { continue }
      lines[count] = row
      kept?.ends[count] = row.end
      count += 1
      isOpen = continuedColumn != nil
    }
    return (count, nil)
  }

  /// Whether a line is a row; notes what is irregular about it.
  @inline(__always)
  private func isRow(
    _ line: Line, _ outcome: LineOutcome, in window: Window, _ findings: inout RowFindings
  ) -> Bool {
    switch outcome {
    case .row: break
    case .skipped: return false
    case .short(let found):
      if findings.firstPadded == nil {
        findings.firstPadded = (window.offset + line.start, found)
      }
      findings.padded += 1
    case .rejected(let problem, let place):
      reject(line, problem, at: place, window, &findings)
      return false
    }
    for key in locator.takeNewKeys() {
      findings.newKeys.append((key, window.offset + line.start))
    }
    return true
  }

  private func reject(
    _ line: Line, _ problem: LineProblem, at place: Int, _ window: Window,
    _ findings: inout RowFindings
  ) {
    let isContinuation = problem.mayContinue && line.isIndented
    if isContinuation { findings.continuations += 1 }
    findings.rejects.append(
      RejectedRow(
        offset: window.offset + line.start, length: line.end - line.start,
        reason: isContinuation ? .line(.continuation, column: 1) : .line(problem, column: place + 1)
      ))
  }

  /// Finds the fields of some columns (ascending, from 0) in rows, row by row.
  func locate(
    _ requested: [UInt32], of rows: UnsafePointer<ds_row>?, count: Int, in window: Window,
    into target: UnsafeMutablePointer<ds_field>?
  ) {
    guard let rows, var target, let last = requested.last, last < columns else { return }
    let kept = kept.flatMap { $0.rows == rows ? $0 : nil }
    for index in 0..<count {
      if let kept, kept.ends[index] == rows[index].end {
        for column in requested {
          target.pointee = kept.fields[index * columns + Int(column)]
          target += 1
        }
        continue
      }
      fields.update(repeating: ds_field())
      if continuedColumn == nil {
        _ = locator.locate(
          line(rows[index], in: window), upTo: Int(last), into: fields.start)
      } else {
        locateContinued(rows[index], upTo: Int(last), in: window)
      }
      for column in requested {
        target.pointee = fields[Int(column)]
        target += 1
      }
    }
  }

  /// Finds the fields of a row that may have several lines.
  private func locateContinued(_ row: ds_row, upTo last: Int, in window: Window) {
    let (start, end) = (Int(row.start), Int(row.end))
    let all = line(row, in: window)
    let next = all.firstIndex(of: UInt8(ascii: "\n"), in: start..<end).map { $0 + 1 } ?? end
    _ = locator.locate(
      line(ds_row(start: row.start, end: UInt32(next)), in: window), upTo: last, into: fields.start)
    guard next < end, let column = continuedColumn, column <= last else { return }
    let field = fields[column]
    let first = field.length == 0 ? next : Int(field.start)
    fields[column] = ds_field(
      start: UInt32(truncatingIfNeeded: first),
      length: UInt32(truncatingIfNeeded: all.end - first))
  }

  private func line(_ row: ds_row, in window: Window) -> Line {
    let (start, end) = (Int(row.start), Int(row.end))
    return Line(
      bytes: window.bytes, start: start, end: ds_csv_content_end(window.bytes, start, end),
      trueIndex: window.trueIndex)
  }
}

/// The fields of the rows of a batch.
final class KeptFields {
  /// The rows of the batch.
  let rows: UnsafePointer<ds_row>
  /// For each row, a field for each column.
  let fields: UnsafeMutablePointer<ds_field>
  /// For each row, the end of its first line. A row that ends later is continued by other lines.
  let ends: UnsafeMutablePointer<UInt32>

  /// - Parameter rows: room for `capacity` rows.
  init(of rows: UnsafePointer<ds_row>, capacity: Int, columns: Int) {
    self.rows = rows
    fields = .allocate(capacity: capacity * columns)
    ends = .allocate(capacity: capacity)
  }

  /// The number of rows whose fields should fit the cache.
  static func batch(columns: Int) -> Int { max(64, 16_384 / max(1, columns)) }

  deinit {
    fields.deallocate()
    ends.deallocate()
  }
}

extension LineRows {
  /// The index of the first line, from the one at `start` on, that does not continue a row; nil if
  /// that is not known yet.
  ///
  /// - Parameter isWhole: whether the text ends with the bytes.
  static func firstRow(
    in bytes: [UInt8], from start: Int, isWhole: Bool, _ lines: any LineFields, columns: Int
  ) -> Int? {
    let locator = lines.makeLocator()
    let padded = bytes + [UInt8](repeating: 0, count: Int(DS_PADDING))
    let fields = UnsafeMutableBufferPointer<ds_field>.allocate(capacity: columns)
    fields.initialize(repeating: ds_field())
    defer { fields.deallocate() }
    return padded.withUnsafeBufferPointer { padded in
      guard let base = padded.baseAddress else { return start }
      // Blank lines belong to the row after them.
      var (place, first) = (start, start)
      while place < bytes.count {
        let feed = memchr(base + place, Int32(UInt8(ascii: "\n")), bytes.count - place)
        guard let feed else { return isWhole ? first : nil }
        let next = UnsafeRawPointer(feed) - UnsafeRawPointer(base) + 1
        let line = Line(
          bytes: base, start: place, end: ds_csv_content_end(base, place, next),
          trueIndex: bytes.count)
        place = next
        if line.isBlank { continue }
        guard case .rejected = locator.locate(line, upTo: columns - 1, into: fields.start),
          locator.isContinuation(line)
        else { return first }
        first = next
      }
      return isWhole ? first : nil
    }
  }
}

extension UnsafeMutableBufferPointer {
  /// The first element. It may be used only if there are elements.
  fileprivate var start: UnsafeMutablePointer<Element> { baseAddress.unsafelyUnwrapped }
}
