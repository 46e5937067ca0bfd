internal import CScan

/// A column, or a part of one, that is built from cells: mostly different numbers as keys, mostly
/// different texts as bytes, all others as codes of distinct cells.
///
/// Not thread-safe. Parts that several workers built are joined by ``column(joining:)``.
package final class ColumnBuilder {
  /// The values that some cells have.
  package enum Meaning: Sendable {
    case plain
    /// The integers 0 and 1 are bools.
    case bools
    /// Texts in the form of ISO 8601 are dates.
    case dates
  }

  enum Content {
    /// Rows with nulls only.
    case nulls(Int)
    /// Integers or reals, and nulls.
    case keys(NumericColumn.Kind, [UInt64])
    /// Codes of tagged cells plus one; 0 is null.
    case coded(ByteDictionary, [UInt32])
    /// Strings and nulls.
    case texts(TextWriter)
  }
  let meaning: Meaning
  private(set) var content = Content.nulls(0)
  /// Set if memory ran out; further cells are ignored.
  private var failure: TableError?
  package private(set) var count = 0
  /// The number of distinct cells at which texts are reconsidered.
  private var nextCheck = ColumnBuilder.maxCoded
  private let kernels = ds_kernels_best().pointee

  /// Up to this number of distinct texts, they are always coded.
  static let maxCoded = 1 << 12

  package init(_ meaning: Meaning) { self.meaning = meaning }

  /// Appends the cells of a column of a batch.
  package func append(_ batch: CellBatch, column: Int) {
    guard failure == nil else { return }
    let cells = batch[column]
    let rows = batch.count
    var row = 0
    // Each form takes rows up to the first one that does not fit it. Arrays are removed from
    // `content` while they grow, so that they are not copied.
    while row < rows, failure == nil {
      switch content {
      case .nulls(let nulls):
        let start = row
        while row < rows, cells.tags[row] == CellBatch.Tag.null { row += 1 }
        content = .nulls(nulls + row - start)
        if row < rows { begin(with: cells.tags[row]) }
      case .keys(let kind, var keys):
        content = .nulls(0)
        row = appendKeys(cells, row..<rows, kind, to: &keys)
        content = .keys(kind, keys)
        if row < rows { useCodes() }
      case .coded(let dictionary, var codes):
        content = .nulls(0)
        append(cells, row..<rows, dictionary, to: &codes)
        row = rows
        content = .coded(dictionary, codes)
        if dictionary.count > nextCheck { reconsider(dictionary, codes) }
      case .texts(let writer):
        row = appendTexts(cells, row..<rows, to: writer)
        if row < rows { useCodes() }
      }
    }
    count += rows
  }

  /// Chooses the form by the first cell that is not null.
  private func begin(with tag: UInt8) {
    guard case .nulls(let nulls) = content else { return }
    let kind: NumericColumn.Kind? =
      meaning == .bools
      ? nil : tag == CellBatch.Tag.integer ? .integer : tag == CellBatch.Tag.real ? .real : nil
    content =
      kind.map { .keys($0, [UInt64](repeating: NumericColumn.null, count: nulls)) }
      ?? .coded(ByteDictionary(), [UInt32](repeating: 0, count: nulls))
  }

  private func appendKeys(
    _ cells: CellBatch.Cells, _ rows: Range<Int>, _ kind: NumericColumn.Kind,
    to keys: inout [UInt64]
  ) -> Int {
    let tag = kind == .integer ? CellBatch.Tag.integer : CellBatch.Tag.real
    for row in rows {
      guard cells.tags[row] == tag else {
        if cells.tags[row] != CellBatch.Tag.null { return row }
        keys.append(NumericColumn.null)
        continue
      }
      let word = cells.words[row]
      if kind == .integer {
        guard let key = NumericColumn.key(Int(Int64(bitPattern: word))) else { return row }
        keys.append(key)
      } else {
        // The keys of 0 and -0 are equal, but not their texts.
        guard word != (-0.0).bitPattern else { return row }
        keys.append(NumericColumn.key(Double(bitPattern: word)))
      }
    }
    return rows.upperBound
  }

  private func append(
    _ cells: CellBatch.Cells, _ rows: Range<Int>, _ dictionary: ByteDictionary,
    to codes: inout [UInt32]
  ) {
    for row in rows {
      switch cells.tags[row] {
      case CellBatch.Tag.null: codes.append(0)
      case CellBatch.Tag.text, CellBatch.Tag.data:
        let text = cells.tagged(row)
        codes.append(
          dictionary.code(at: text.baseAddress.unsafelyUnwrapped, length: text.count) &+ 1)
      case let tag:
        let word = cells.words[row]
        let isBool = meaning == .bools && tag == CellBatch.Tag.integer && word < 2
        codes.append(dictionary.code(of: word, isBool ? CellBatch.Tag.bool : tag) + 1)
      }
    }
  }

  private func appendTexts(
    _ cells: CellBatch.Cells, _ rows: Range<Int>, to writer: TextWriter
  ) -> Int {
    for row in rows {
      switch cells.tags[row] {
      case CellBatch.Tag.null: writer.appendNull()
      case CellBatch.Tag.text:
        let text = UnsafeRawBufferPointer(rebasing: cells.tagged(row).dropFirst())
        guard text.isASCII || isValid(text) else { return row }
        writer.append(text)
      default: return row
      }
    }
    return rows.upperBound
  }

  private func isValid(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return true }
    return kernels.utf8_valid_prefix(start, text.count) == text.count
  }

  /// Changes to texts if most cells are different strings.
  private func reconsider(_ dictionary: ByteDictionary, _ codes: [UInt32]) {
    nextCheck = dictionary.count * 2
    guard dictionary.count * 2 > codes.count, let writer = texts(dictionary, codes) else { return }
    content = .texts(writer)
  }

  /// The rows as texts; nil if a cell is not a string.
  private func texts(_ dictionary: ByteDictionary, _ codes: [UInt32]) -> TextWriter? {
    guard meaning != .dates, dictionary.hasOnlyStrings(isValid) else { return nil }
    let writer = TextWriter()
    for code in codes {
      if code == 0 {
        writer.appendNull()
      } else {
        dictionary.withBytes(of: Int(code) - 1) {
          writer.append(UnsafeRawBufferPointer(rebasing: $0.dropFirst()))
        }
      }
    }
    return writer
  }

  /// Changes to codes.
  private func useCodes() {
    do {
      let (dictionary, codes) = try coded()
      content = .coded(dictionary, codes)
      nextCheck = .max
    } catch {
      failure = error
    }
  }

  /// The rows as codes of tagged cells.
  /// - Throws: ``TableError/io(_:)`` if memory ran out.
  func coded() throws(TableError) -> (ByteDictionary, [UInt32]) {
    if let failure { throw failure }
    let dictionary = ByteDictionary()
    switch content {
    case .nulls(let nulls): return (dictionary, [UInt32](repeating: 0, count: nulls))
    case .coded(let dictionary, let codes): return (dictionary, codes)
    case .keys(let kind, let keys):
      let codes = keys.map { key -> UInt32 in
        if key == NumericColumn.null { return 0 }
        return kind == .integer
          ? dictionary.code(
            of: UInt64(bitPattern: Int64(NumericColumn.integer(key))), CellBatch.Tag.integer) + 1
          : dictionary.code(of: NumericColumn.double(key).bitPattern, CellBatch.Tag.real) + 1
      }
      return (dictionary, codes)
    case .texts(let writer):
      var codes: [UInt32] = []
      var tagged: [UInt8] = []
      for block in try writer.finish() {
        for index in 0..<block.count {
          if block.isNull(index) {
            codes.append(0)
          } else {
            tagged.removeAll(keepingCapacity: true)
            tagged.append(CellBatch.Tag.text)
            tagged += block.text(index)
            codes.append(tagged.withUnsafeBytes { dictionary.code(for: $0) } + 1)
          }
        }
      }
      return (dictionary, codes)
    }
  }

  /// The rows as texts; nil if a cell is not a string.
  /// - Throws: ``TableError/io(_:)`` if memory ran out.
  func textBlocks() throws(TableError) -> [TextBlock]? {
    if let failure { throw failure }
    switch content {
    case .texts(let writer): return try writer.finish()
    case .coded(let dictionary, let codes): return try texts(dictionary, codes)?.finish()
    case .nulls(let nulls):
      let writer = TextWriter()
      for _ in 0..<nulls { writer.appendNull() }
      return try writer.finish()
    case .keys: return nil
    }
  }

  /// Whether all cells of a dictionary are strings.
  func hasOnlyStrings(_ dictionary: ByteDictionary) -> Bool {
    meaning != .dates && dictionary.hasOnlyStrings(isValid)
  }
}

extension ByteDictionary {
  /// The code of a tagged number.
  fileprivate func code(of word: UInt64, _ tag: UInt8) -> UInt32 {
    withUnsafeTemporaryAllocation(byteCount: 24, alignment: 8) { bytes in
      bytes.storeBytes(of: 0, toByteOffset: 16, as: UInt64.self)
      bytes.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
      bytes.storeBytes(of: tag, as: UInt8.self)
      bytes.baseAddress.unsafelyUnwrapped.storeBytes(of: word, toByteOffset: 1, as: UInt64.self)
      return code(at: UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped), length: 9)
    }
  }

  fileprivate func hasOnlyStrings(_ isValid: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    (0..<count).allSatisfy { code in
      withBytes(of: code) { cell in
        cell.first == CellBatch.Tag.text
          && isValid(UnsafeRawBufferPointer(rebasing: cell.dropFirst()))
      }
    }
  }
}
