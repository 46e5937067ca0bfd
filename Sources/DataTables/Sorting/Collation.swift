import Synchronization

/// An order of strings by the rules of a language.
///
/// A key is created once for each distinct string, and only keys are compared. The order of keys is
/// total, whereas comparing pairs of strings, as Foundation does, is sometimes inconsistent.
///
/// - `localized`: letters, then accents, then case (lowercase first), then characters that ICU
///   ignores.
/// - `localizedCaseInsensitive`: letters, then accents; strings without these differences are the
///   same.
/// - `localizedStandard`: letters and the values of numbers, then accents; then the first
///   difference in leading zeros (fewer first) or case (lowercase first); then weaker differences,
///   such as the width of a letter; then scalars.
///
/// Strings that are the same in `localized` or `localizedStandard` are canonically equivalent.
public struct Collation: Sendable {
  let locale: CollationLocale
  private let keySettings: Collator.Settings
  /// The settings that order strings with the same key; nil if such strings are the same.
  private let tieSettings: Collator.Settings?
  private let hasWeakDifferences: Bool

  /// - Parameters:
  ///   - comparison: a localized comparison. Any other comparison has the effect of `localized`.
  ///   - locale: `sv` or `de_AT`, for example; nil means the root collation.
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

  /// The order of two strings.
  ///
  /// - Complexity: creates the keys of both strings in every call. To sort many strings, create
  ///   each key only once.
  /// - Throws: ``TableError/badArgument(_:)`` if ICU has no collator for the locale.
  public func compare(_ left: String, _ right: String) throws -> Ordering {
    let writer = TextWriter()
    writer.append(left)
    writer.append(right)
    let order = try order(of: TextHeap(try writer.finish()), cancellation: Cancellation())
    if !order.repeats.isEmpty { return .same }
    return order.codes.first == 0 ? .before : .after
  }

  /// Makes keys whose bytes order as the strings do.
  func makeKeys() throws -> CollationKeys {
    CollationKeys(
      keys: try Collator(locale, keySettings),
      ties: try tieSettings.map { try Collator(locale, $0) },
      hasWeakDifferences: hasWeakDifferences)
  }

  /// The order of texts, ascending and without nulls.
  /// - Complexity: O(bytes) to create the keys and to sort them, on all processors.
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
  /// - Returns: the positions whose text still compares the same as the previous text.
  private static func sort(
    _ codes: inout ArraySlice<UInt32>, of texts: TextHeap, with collator: Collator
  ) throws(TableError) -> [Int] {
    // Usually all these codes have the same text, because many rows share it.
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
    let unsorted = Array(codes)
    let start = codes.startIndex
    let order = codes.indices.sorted { left, right in
      let ordering = keys.compare(left - start, keys.text(right - start))
      return ordering == .same ? left < right : ordering == .before
    }
    for (position, index) in order.enumerated() {
      codes[start + position] = unsorted[index - start]
    }
    return order.indices.dropFirst().filter {
      keys.compare(order[$0 - 1] - start, keys.text(order[$0] - start)) == .same
    }.map { start + $0 }
  }
}

/// Collators that make keys of one string after another, on any thread.
// The lock is held whenever the collators are used.
final class CollationKeys: @unchecked Sendable {
  private let keys: Collator
  private let ties: Collator?
  private let hasWeakDifferences: Bool
  private let lock = Mutex(())

  init(keys: Collator, ties: Collator?, hasWeakDifferences: Bool) {
    self.keys = keys
    self.ties = ties
    self.hasWeakDifferences = hasWeakDifferences
  }

  /// The key of a string, followed by the key that orders strings with the same key. Each ends with
  /// its only zero byte.
  func bytes(of text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { utf8 in lock.withLock { _ in bytes(of: UnsafeRawBufferPointer(utf8)) } }
  }

  private func bytes(of text: UnsafeRawBufferPointer) -> [UInt8] {
    let writer = TextWriter()
    let units = keys.codeUnits(of: text)
    if hasWeakDifferences {
      keys.appendKey(of: units, to: writer) { WeakDifferences.write(units, to: $0) }
    } else {
      keys.appendKey(of: units, to: writer)
    }
    if let ties { ties.appendKey(of: ties.codeUnits(of: text), to: writer) }
    // Without memory for a few bytes, the text itself is an order.
    guard let blocks = try? writer.finish() else { return Array(text) }
    let keys = TextHeap(blocks)
    return (0..<keys.count).flatMap { Array(keys.text($0)) }
  }
}
