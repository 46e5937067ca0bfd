/// Many texts as bytes, numbered from 0: what a column of mostly distinct strings is kept as, as a
/// `String` for each would cost many times its bytes.
struct TextHeap: Sendable {
  let blocks: [TextBlock]
  /// The number of the first text of each block, and the number of texts.
  let starts: [Int]

  init(_ blocks: [TextBlock]) {
    self.blocks = blocks
    var starts = [0]
    starts.reserveCapacity(blocks.count + 1)
    for block in blocks { starts.append(starts[starts.count - 1] + block.count) }
    self.starts = starts
  }

  var count: Int { starts[starts.count - 1] }

  /// The block of a text and its index there. O(log blocks).
  @inline(__always) func place(of number: Int) -> (block: TextBlock, index: Int) {
    var low = 0
    var high = blocks.count
    while high &- low > 1 {
      let middle = (low &+ high) / 2
      if starts[middle] <= number { low = middle } else { high = middle }
    }
    return (blocks[low], number &- starts[low])
  }

  /// The blocks, cut into ranges that have about as many texts each.
  func blockRanges(_ ranges: Int) -> [Range<Int>] {
    let borders = (0...ranges).map { range in
      starts.dropLast().firstIndex { $0 >= count * range / ranges } ?? blocks.count
    }
    return zip(borders, borders.dropFirst()).map { $0..<$1 }
  }

  /// The bytes of a text, which live as long as the heap; those of null are empty.
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

  /// Texts made of these, on all processors; nulls stay null.
  ///
  /// - Parameters:
  ///   - makeWorker: what each worker needs for itself.
  ///   - append: writes one text, made of the bytes it gets.
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
      results[place] = writer.finish()
    }
    return TextHeap(blocks.indices.flatMap { results[$0] ?? [] })
  }
}
