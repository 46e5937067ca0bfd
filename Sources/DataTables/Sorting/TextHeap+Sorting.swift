extension TextHeap {
  /// The order of the texts by the comparison of a descriptor, ascending regardless of the
  /// direction of the descriptor.
  /// - Throws: ``TableError/badArgument(_:)`` for a locale that does not exist.
  func sorted(by descriptor: SortDescriptor, cancellation: Cancellation) throws -> CodeOrder {
    switch descriptor.comparison {
    case .compare: return try sorted(cancellation: cancellation)
    case .caseInsensitive:
      return try lowercased(cancellation: cancellation).sorted(cancellation: cancellation)
    case .numeric:
      let values = Array(DistinctValues(self))
      return try ValueComparer(values, descriptor, cancellation: cancellation)
        .order(cancellation: cancellation)
    case .localized, .localizedCaseInsensitive, .localizedStandard:
      return try Collation(descriptor.comparison, locale: descriptor.locale)
        .order(of: self, cancellation: cancellation)
    }
  }

  private func lowercased(cancellation: Cancellation) throws -> TextHeap {
    try mapped(cancellation: cancellation, makeWorker: {}) { _, text, writer in
      guard text.isASCII else {
        return writer.append(String(decoding: text, as: UTF8.self).lowercased())
      }
      guard let (target, ends) = writer.reserve(texts: 1, bytes: text.count) else { return }
      for (index, byte) in text.enumerated() {
        target[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
      }
      ends[0] = writer.position + UInt32(text.count)
      writer.commit(1, bytes: text.count)
    }
  }

  /// The order of the texts by `compare`: by the scalars of the canonical composition.
  func sorted(cancellation: Cancellation) throws -> CodeOrder {
    let texts = try canonical(cancellation: cancellation)
    return try TextSort(texts).sorted(cancellation: cancellation)
  }
}
