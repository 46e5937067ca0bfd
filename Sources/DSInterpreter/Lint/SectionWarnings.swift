import DataSources
import DataTables

extension Session {
  /// What is told of an odd key, with its mend.
  func text(of finding: KeyFinding, key: ObjectKeyPath, _ source: any DataSource) -> String {
    let inner = source.children.first.map { displayName(of: $0) } ?? ""
    switch finding {
    case .nulls(let count):
      return "\(counted(count, "object")) \(count == 1 ? "has" : "have") no \(key) and "
        + "\(count == 1 ? "is" : "are") under the title null; "
        + "`filtered \(inner) where: \(key.inPredicate) != null` leaves \(count == 1 ? "it" : "them") out"
    case .undated(let count):
      return "\(counted(count, "object")) \(count == 1 ? "has" : "have") no date under \(key) and "
        + "\(count == 1 ? "is" : "are") in the last section; `mode: groups` shows what is there"
    case .sameInAll(let value):
      return "\(key) is \(value.excerpt) in every object of \(inner), so there is one section; "
        + "`set \(displayName(of: source)) key: null` says so, another key makes more"
    case .differentInAll(let example):
      let mend =
        switch example {
        case .string(let text) where Value.string(text).timestamp == nil:
          "`key: \(key).firstCharacter` makes fewer"
        case .string, .date: "`mode: month` makes fewer"
        default: "a key that objects share makes fewer"
        }
      return "\(key) differs in every object of \(inner), so each is a section; \(mend)"
    }
  }

  /// The warning that titles repeat, and how to mend it; nil when none do.
  func repetition(in source: SectionedSource) -> String? {
    guard let repeated = source.state.snapshot?.repeatedTitles, !repeated.isEmpty,
      let key = source.key
    else { return nil }
    var titles = repeated.prefix(4).map { title in
      let more = title.count > title.sections.count ? ", …" : ""
      let sections = title.sections.map(String.init).joined(separator: ", ")
      return "\(title.title.excerpt) \(sections)\(more)"
    }
    if repeated.count > titles.count { titles.append("\(repeated.count - titles.count) more") }
    let cause =
      source.sort.isEmpty
      ? "\(displayName(of: source.source)) is not in order of \(key)"
      : "`sort:` does not put \(key) first"
    return "titles repeat (\(titles.joined(separator: "; "))) because \(cause); \(mend(of: source))"
  }

  /// What makes the titles of a source differ.
  func mend(of source: SectionedSource) -> String {
    guard let key = source.key else { return "" }
    let sort = [SortDescriptor(key)] + source.sort.filter { $0.keyPath != key }
    return "`\(SortDescriptor.labels(sort))` or `mode: groups` mends it"
  }
}

extension ObjectKeyPath {
  /// The path as predicates take it, where a quoted word is a text.
  fileprivate var inPredicate: String {
    description.hasPrefix("\"") ? "SELF.\(description)" : description
  }
}

extension DataSource {
  /// The key whose values are the titles of the sections that are there.
  var sectionKey: ObjectKeyPath? {
    switch self {
    case is SectionedSource, is OrganizedSource: state.snapshot?.arrangement?.key
    default: nil
    }
  }
}
