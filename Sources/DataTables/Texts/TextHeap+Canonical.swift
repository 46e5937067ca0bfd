extension TextHeap {
  /// The texts in their canonical composition; blocks that have nothing to compose are shared.
  func canonical(cancellation: Cancellation) throws -> TextHeap {
    if blocks.allSatisfy(\.isASCII) { return self }
    let found = WorkerSlots<[TextBlock]>(blocks.count)
    try Parallel.forEach(blocks.count) { place, _ in
      try cancellation.check()
      let block = blocks[place]
      found[place] = block.isSurelyCanonical ? [block] : block.canonical()
    }
    return TextHeap(blocks.indices.flatMap { found[$0] ?? [] })
  }
}

extension TextBlock {
  fileprivate var isSurelyCanonical: Bool {
    isASCII || (0..<count).allSatisfy { text($0).isSurelyCanonical }
  }

  fileprivate func canonical() -> [TextBlock] {
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
    return writer.finish()
  }
}
