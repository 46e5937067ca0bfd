/// Many texts, stored as bytes and numbered from 0. A column of mostly distinct strings has this
/// form, because one `String` per text would need many times the memory.
struct TextHeap: Sendable {
  let blocks: [TextBlock]
  /// The number of the first text of each block, then the number of texts.
  let starts: [Int]
  /// Whether the bytes of all texts are known to differ. There may be several nulls.
  let areDifferent: Bool

  init(_ blocks: [TextBlock], areDifferent: Bool = false) {
    self.blocks = blocks
    self.areDifferent = areDifferent
    var starts = [0]
    starts.reserveCapacity(blocks.count + 1)
    for block in blocks { starts.append(starts[starts.count - 1] + block.count) }
    self.starts = starts
  }

  /// Strings as texts, other values as null.
  /// - Throws: ``TableError/io(_:)`` if memory runs out.
  init(strings values: [Value]) throws(TableError) {
    let writer = TextWriter()
    for value in values {
      if case .string(let string) = value { writer.append(string) } else { writer.appendNull() }
    }
    self.init(try writer.finish())
  }

  var count: Int { starts[starts.count - 1] }

  /// The number of bytes in all texts.
  var byteCount: Int { blocks.reduce(0) { $0 + $1.bounds.start(of: $1.count) } }

  /// The block of a text and its index in the block. O(log blocks).
  @inline(__always) func place(of number: Int) -> (block: TextBlock, index: Int) {
    var low = 0
    var high = blocks.count
    while high &- low > 1 {
      let middle = (low &+ high) / 2
      if starts[middle] <= number { low = middle } else { high = middle }
    }
    return (blocks[low], number &- starts[low])
  }

  /// Divides the indices of the blocks into `ranges` ranges with about equally many texts.
  func blockRanges(_ ranges: Int) -> [Range<Int>] {
    let boundaries = (0...ranges).map { range in
      starts.dropLast().firstIndex { $0 >= count * range / ranges } ?? blocks.count
    }
    return zip(boundaries, boundaries.dropFirst()).map { $0..<$1 }
  }

  /// The bytes of a text, which live as long as the heap; empty for null.
  @inline(__always) func text(_ number: Int) -> UnsafeRawBufferPointer {
    let (block, index) = place(of: number)
    return block.text(index)
  }

  func isNull(_ number: Int) -> Bool {
    let (block, index) = place(of: number)
    return block.isNull(index)
  }

  func string(_ number: Int) -> String { String(decoding: text(number), as: UTF8.self) }

  func value(_ number: Int) -> Value {
    let (block, index) = place(of: number)
    return block.isNull(index)
      ? .null : .string(String(decoding: block.text(index), as: UTF8.self))
  }

  /// The numbers of the nulls, ascending.
  func nulls() -> [UInt32] {
    var nulls: [UInt32] = []
    for (block, start) in zip(blocks, starts) where !block.nulls.isEmpty {
      for index in 0..<block.count where block.isNull(index) {
        nulls.append(UInt32(truncatingIfNeeded: start + index))
      }
    }
    return nulls
  }

  /// The order of the bytes of a text relative to `other`.
  func compare(_ number: Int, _ other: UnsafeRawBufferPointer) -> Ordering {
    text(number).byteOrder(other)
  }

  /// For every text, whether it is canonically equivalent to `other`.
  func matching(_ other: UnsafeRawBufferPointer) -> [Bool] {
    let canonical =
      other.isSurelyCanonical ? Array(other) : CanonicalForm.bytes(of: other)
    return canonical.withUnsafeBytes { canonical in
      blocks.flatMap { block in
        (0..<block.count).map { index in
          if block.isNull(index) { return false }
          let text = block.text(index)
          if text.count == canonical.count, text.byteOrder(canonical) == .same { return true }
          // ASCII has only one form.
          return !block.isASCII && !text.isSurelyCanonical
            && CanonicalForm.bytes(of: text).elementsEqual(canonical)
        }
      }
    }
  }

  /// The texts with some numbers, in that order.
  /// - Throws: ``TableError/io(_:)`` if memory runs out, ``TableError/cancelled``.
  func selecting(_ numbers: [UInt32], cancellation: Cancellation) throws -> TextHeap {
    let parts = Parallel.parts(of: numbers.count)
    let selected = WorkerSlots<[TextBlock]>(parts)
    try Parallel.forEach(parts) { part, _ in
      let writer = TextWriter()
      for position in numbers.count * part / parts..<numbers.count * (part + 1) / parts {
        if position & 0xFFF == 0 { try cancellation.check() }
        let (block, index) = place(of: Int(numbers[position]))
        if block.isNull(index) { writer.appendNull() } else { writer.append(block.text(index)) }
      }
      selected[part] = try writer.finish()
    }
    return TextHeap((0..<parts).flatMap { selected[$0] ?? [] })
  }

  /// Makes a new text from each text, on all processors; nulls remain null.
  ///
  /// - Parameters:
  ///   - makeWorker: makes the state of one worker.
  ///   - append: appends exactly one text, made from the bytes that it receives.
  /// - Throws: ``TableError/io(_:)`` if memory runs out, ``TableError/cancelled``, and
  ///   the errors of `makeWorker`.
  func mapped<Worker>(
    cancellation: Cancellation, makeWorker: @Sendable () throws -> Worker,
    _ append: @Sendable (Worker, UnsafeRawBufferPointer, TextWriter) -> Void
  ) throws -> TextHeap {
    let workers = WorkerSlots<Worker>(Parallel.workers)
    let results = WorkerSlots<[TextBlock]>(blocks.count)
    try Parallel.forEach(blocks.count) { place, number in
      let worker = try workers.value(number, make: makeWorker)
      let writer = TextWriter()
      let block = blocks[place]
      for index in 0..<block.count {
        if index & 0xFFF == 0 { try cancellation.check() }
        if block.isNull(index) {
          writer.appendNull()
        } else {
          append(worker, block.text(index), writer)
        }
      }
      results[place] = try writer.finish()
    }
    return TextHeap(blocks.indices.flatMap { results[$0] ?? [] })
  }
}

// MARK: - Canonical form

extension TextHeap {
  /// The texts in canonical composition. Blocks that are certainly in this form already are shared,
  /// not copied.
  /// - Throws: ``TableError/io(_:)`` if memory runs out, ``TableError/cancelled``.
  func canonical(cancellation: Cancellation) throws -> TextHeap {
    if blocks.allSatisfy(\.isASCII) { return self }
    let found = WorkerSlots<[TextBlock]>(blocks.count)
    try Parallel.forEach(blocks.count) { place, _ in
      try cancellation.check()
      let block = blocks[place]
      found[place] = block.isSurelyCanonical ? [block] : try block.canonical()
    }
    return TextHeap(blocks.indices.flatMap { found[$0] ?? [] })
  }
}

extension TextBlock {
  fileprivate func canonical() throws -> [TextBlock] {
    let writer = TextWriter()
    for index in 0..<count {
      if isNull(index) {
        writer.appendNull()
      } else if text(index).isSurelyCanonical {
        writer.append(text(index))
      } else {
        writer.append(CanonicalForm.bytes(of: text(index)))
      }
    }
    return try writer.finish()
  }
}
