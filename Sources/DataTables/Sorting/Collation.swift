/// An order of strings by the rules of a language.
///
/// Keys are made once for each distinct string, and only they are compared: an order by keys is
/// total, while comparing strings one by one, as Foundation does, contradicts itself now and then.
///
/// - `localized`: letters, then accents, then case (small letters first), then what ICU ignores.
/// - `localizedCaseInsensitive`: letters, then accents; what differs in nothing else is the same.
/// - `localizedStandard`: letters and numbers by value, then accents; then the first difference of
///   leading zeros (fewer first) or case (small letters first); then what is weaker, as the width of
///   a letter; then scalars.
///
/// Strings that are the same by `localized` and `localizedStandard` are canonically equivalent.
public struct Collation: Sendable {
  let locale: CollationLocale
  private let keySettings: Collator.Settings
  /// What orders strings with the same key; nil where they are the same.
  private let tieSettings: Collator.Settings?
  private let hasWeakDifferences: Bool

  /// - Parameters:
  ///   - comparison: one that is localized; any other is taken as `localized`.
  ///   - locale: as `sv` or `de_AT`; nil is the root collation.
  /// - Throws: ``TableError/badArgument(_:)`` for a locale that does not exist.
  public init(
    _ comparison: SortDescriptor.Comparison, locale: String? = nil
  ) throws(TableError) {
    self.locale = try CollationLocale(locale)
    hasWeakDifferences = comparison == .localizedStandard
    switch comparison {
    case .localizedStandard:
      keySettings = Collator.Settings(strength: .secondary, isNumeric: true)
      tieSettings = Collator.Settings(strength: .identical, isNumeric: true, hasCaseLevel: true)
    case .localizedCaseInsensitive:
      keySettings = Collator.Settings(strength: .secondary)
      tieSettings = nil
    case .localized, .compare, .caseInsensitive, .numeric:
      keySettings = Collator.Settings(strength: .tertiary)
      tieSettings = Collator.Settings(strength: .identical)
    }
  }

  /// How two strings stand to each other.
  ///
  /// - Complexity: makes keys for both; to sort many, make theirs once.
  /// - Throws: ``TableError/badArgument(_:)`` when ICU has no collator for the locale.
  public func compare(_ left: String, _ right: String) throws -> Ordering {
    let writer = TextWriter()
    writer.append(left)
    writer.append(right)
    let order = try order(of: TextHeap(try writer.finish()), cancellation: Cancellation())
    if !order.repeats.isEmpty { return .same }
    return order.codes.first == 0 ? .before : .after
  }

  /// Texts in ascending order, nulls left out.
  /// - Complexity: O(bytes) to make the keys and to sort them, on all processors.
  func order(of texts: TextHeap, cancellation: Cancellation) throws -> CodeOrder {
    let keys = try keys(of: texts, cancellation: cancellation)
    var order = try TextSort(keys).sorted(cancellation: cancellation)
    guard let tieSettings, !order.repeats.isEmpty else { return order }
    let collator = try Collator(locale, tieSettings)
    try order.refine { codes in
      try cancellation.check()
      return try Self.sort(&codes, of: texts, with: collator)
    }
    return order
  }

  private func keys(of texts: TextHeap, cancellation: Cancellation) throws -> TextHeap {
    try texts.mapped(
      cancellation: cancellation, makeWorker: { try Collator(locale, keySettings) }
    ) { collator, text, writer in
      let units = collator.codeUnits(of: text)
      if hasWeakDifferences {
        collator.appendKey(of: units, to: writer) { WeakDifferences.write(units, to: $0) }
      } else {
        collator.appendKey(of: units, to: writer)
      }
    }
  }

  /// Sorts codes whose keys are the same.
  /// - Returns: the positions whose text is still the same as the one before.
  private static func sort(
    _ codes: inout ArraySlice<UInt32>, of texts: TextHeap, with collator: Collator
  ) throws(TableError) -> [Int] {
    // Mostly they are one text that many rows have.
    if let first = codes.first.map({ texts.text(Int($0)) }),
      codes.allSatisfy({ texts.text(Int($0)).elementsEqual(first) })
    {
      return Array(codes.indices.dropFirst())
    }
    let writer = TextWriter()
    for code in codes {
      collator.appendKey(of: collator.codeUnits(of: texts.text(Int(code))), to: writer)
    }
    let keys = TextHeap(try writer.finish())
    let own = Array(codes)
    let order = codes.indices.sorted { left, right in
      let order = keys.compare(left - codes.startIndex, keys.text(right - codes.startIndex))
      return order == .same ? left < right : order == .before
    }
    let start = codes.startIndex
    for (position, index) in order.enumerated() { codes[start + position] = own[index - start] }
    return order.indices.dropFirst().filter {
      keys.compare(order[$0 - 1] - start, keys.text(order[$0] - start)) == .same
    }.map { start + $0 }
  }
}
