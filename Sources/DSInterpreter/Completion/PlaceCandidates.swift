import DataSources
import DataTables

/// The sections and rows of the content that a command is about.
struct PlaceCandidates {
  let subject: CompletionSubject

  /// The maximum number of sections that are offered at once.
  private static let maximum = 200

  private var content: Snapshot? { subject.source?.state.snapshot }

  /// Sections whose numbers begin with the typed digits, with their titles and the numbers of their
  /// objects.
  func sections(for text: String) -> [CompletionCandidate] {
    guard let content else { return [] }
    return Self.numbers(beginningWith: text, below: content.numberOfSections).map { section in
      let count = content.store.numberOfObjects(in: section)
      let title = content.store.knownTitle(of: section).map { $0.string ?? $0.json }
      let shown = title.map { $0.count > 30 ? $0.prefix(29) + "…" : $0 } ?? ""
      return .word(
        String(section), description: shown.isEmpty ? "(\(count))" : "\(shown) (\(count))")
    }
  }

  /// The first and the last row of a section, with the range of its rows.
  ///
  /// - Parameter section: the section as it is typed; another word than a section has no rows.
  func rows(in section: String?) -> [CompletionCandidate] {
    guard let content, let section = section.flatMap({ Int($0) }),
      (0..<content.numberOfSections).contains(section)
    else { return [] }
    let count = content.store.numberOfObjects(in: section)
    guard count > 0 else { return [] }
    let first = CompletionCandidate.word("0", description: "0..<\(count)")
    return count == 1 ? [first] : [first, .word(String(count - 1), description: "last row")]
  }

  /// The titles of the sections that are known without reading, and those of hidden sections.
  var titles: [CompletionCandidate] {
    guard let content else { return [] }
    let titles =
      content.store.listedTitles?.map(\.title)
      ?? (0..<min(content.numberOfSections, Self.maximumTitles)).compactMap {
        content.store.knownTitle(of: $0)
      }
    return titles.prefix(Self.maximumTitles).compactMap { .value($0, inExpression: false) }
  }

  /// The titles of the section index of a source in memory.
  var indexTitles: [CompletionCandidate] {
    get async {
      guard let content, content.store.local != nil,
        content.numberOfSections <= Self.maximumTitles,
        let index = try? await content.sectionIndex()
      else { return [] }
      return index.titles.map { .string($0) }
    }
  }

  /// The maximum number of titles that are searched.
  private static let maximumTitles = 1_000

  /// The numbers from 0 to a bound whose digits begin with a text, ascending, at most ``maximum``.
  ///
  /// - Complexity: O(1).
  private static func numbers(beginningWith text: String, below bound: Int) -> [Int] {
    if text.isEmpty { return Array(0..<min(bound, maximum)) }
    guard let prefix = Int(text), prefix >= 0, String(prefix) == text else { return [] }
    var numbers: [Int] = []
    var (first, count) = (prefix, 1)
    while first < bound, numbers.count < maximum {
      numbers += first..<min(bound, first + min(count, maximum - numbers.count))
      let (next, overflow) = first.multipliedReportingOverflow(by: 10)
      // No number but 0 begins with the digit 0.
      if overflow || next == 0 { break }
      first = next
      count *= 10
    }
    return numbers
  }
}
