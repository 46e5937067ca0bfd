import Synchronization

extension TextHeap {
  /// Applies steps of a path to every text, on all processors; the result has one code per text.
  func deriving(
    _ steps: ArraySlice<ObjectKeyPath.Step>, cancellation: Cancellation
  ) throws -> KeyColumn {
    if steps.count == 1, case .key("firstCharacter") = steps.first {
      return try coded(cancellation: cancellation) { CharacterCoder() }
    }
    if yieldsMostlyDistinctStrings(steps),
      let texts = try derivedTexts(steps, cancellation: cancellation)
    {
      return .coded(.natural(count), values: DistinctValues(texts))
    }
    return try coded(cancellation: cancellation) { DerivedCoder(steps) }
  }

  /// Whether most of the first 1,000 texts yield different strings; false if any yields neither a
  /// string nor null.
  private func yieldsMostlyDistinctStrings(_ steps: ArraySlice<ObjectKeyPath.Step>) -> Bool {
    var distinct: Set<String> = []
    let sample = Swift.min(count, 1_000)
    for number in 0..<sample {
      switch ObjectKeyPath.evaluate(steps, on: value(number)) {
      case .string(let string): distinct.insert(string)
      case .null: continue
      default: return false
      }
    }
    return distinct.count * 2 > sample
  }

  /// nil if some result is neither a string nor null.
  private func derivedTexts(
    _ steps: ArraySlice<ObjectKeyPath.Step>, cancellation: Cancellation
  ) throws -> TextHeap? {
    let hasOthers = Atomic<Bool>(false)
    let texts = try mapped(cancellation: cancellation, makeWorker: {}) { _, text, writer in
      let value = Value.string(String(decoding: text, as: UTF8.self))
      switch ObjectKeyPath.evaluate(steps, on: value) {
      case .string(let string): writer.append(string)
      case .null: writer.appendNull()
      default:
        hasOthers.store(true, ordering: .relaxed)
        writer.appendNull()
      }
    }
    return hasOthers.load(ordering: .relaxed) ? nil : texts
  }

  /// Numbers the values that a coder derives from the texts, in the order of their first
  /// appearance.
  private func coded<Coder: TextCoder>(
    cancellation: Cancellation, _ makeCoder: @Sendable () -> Coder
  ) throws -> KeyColumn {
    let found = WorkerSlots<(codes: [UInt32], values: [Value])>(blocks.count)
    try Parallel.forEach(blocks.count) { place, _ in
      let block = blocks[place]
      var coder = makeCoder()
      var codes: [UInt32] = []
      codes.reserveCapacity(block.count)
      for index in 0..<block.count {
        if index & 0xFFF == 0 { try cancellation.check() }
        codes.append(block.isNull(index) ? coder.null() : coder.code(of: block.text(index)))
      }
      found[place] = (codes, coder.values)
    }
    var coder = ValueCoder()
    let mappings = blocks.indices.map { place in
      (found[place]?.values ?? []).map { coder.code(of: $0) }
    }
    let codes = RowCodes(
      blocks.indices.map { (found[$0]?.codes ?? [], mappings[$0]) }, count: count,
      distinct: coder.values.count)
    return .coded(codes, values: DistinctValues(coder.values))
  }
}

extension RowCodes {
  /// The codes of all pieces in order, each mapped by the mapping of its piece.
  fileprivate init(
    _ pieces: [(codes: [UInt32], mapping: [UInt32])], count: Int, distinct: Int
  ) {
    func joined<Code: FixedWidthInteger>(_ type: Code.Type) -> [Code] {
      var result: [Code] = []
      result.reserveCapacity(count)
      for (codes, mapping) in pieces {
        let mapping = mapping.map { Code(truncatingIfNeeded: $0) }
        for code in codes { result.append(mapping[Int(code)]) }
      }
      return result
    }
    self = distinct <= 1 << 16 ? .narrow(joined(UInt16.self)) : .wide(joined(UInt32.self))
  }
}

/// Derives a value from each text and numbers the values.
private protocol TextCoder: SendableMetatype {
  var values: [Value] { get }
  mutating func code(of text: UnsafeRawBufferPointer) -> UInt32
  mutating func null() -> UInt32
}

/// Derives values with the steps of a path.
private struct DerivedCoder: TextCoder {
  private let steps: ArraySlice<ObjectKeyPath.Step>
  private var coder = ValueCoder()

  init(_ steps: ArraySlice<ObjectKeyPath.Step>) { self.steps = steps }

  var values: [Value] { coder.values }

  mutating func code(of text: UnsafeRawBufferPointer) -> UInt32 {
    let value = Value.string(String(decoding: text, as: UTF8.self))
    return coder.code(of: ObjectKeyPath.evaluate(steps, on: value))
  }

  mutating func null() -> UInt32 { coder.code(of: ObjectKeyPath.evaluate(steps, on: .null)) }
}

/// Derives the first character without making a string of the text, if it is ASCII.
private struct CharacterCoder: TextCoder {
  private var coder = ValueCoder()
  /// The codes of ASCII characters, plus one; 0 if the character has no code yet.
  private var codes = [UInt32](repeating: 0, count: 128)

  var values: [Value] { coder.values }

  mutating func null() -> UInt32 { coder.code(of: .null) }

  @inline(__always)
  mutating func code(of text: UnsafeRawBufferPointer) -> UInt32 {
    guard let byte = text.asciiFirstCharacter else { return other(text) }
    let known = codes[Int(byte)]
    if known != 0 { return known &- 1 }
    let code = coder.code(of: .string(String(Character(Unicode.Scalar(byte)))))
    codes[Int(byte)] = code + 1
    return code
  }

  @inline(never)
  private mutating func other(_ text: UnsafeRawBufferPointer) -> UInt32 {
    let first = String(decoding: text, as: UTF8.self).first
    return coder.code(of: first.map { .string(String($0)) } ?? .null)
  }
}

extension UnsafeRawBufferPointer {
  /// The first byte, if it is certainly the first character: two ASCII characters are always
  /// separate, except for CR LF.
  @inline(__always) var asciiFirstCharacter: UInt8? {
    guard count > 0, self[0] < 0x80 else { return nil }
    if count > 1, self[1] >= 0x80 || self[0] == 0x0D && self[1] == 0x0A { return nil }
    return self[0]
  }
}
