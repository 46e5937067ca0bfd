import DataSources
import DataTables

// Warnings about keys and titles of sections.
extension Session {
  /// The warning about a key, with a fix.
  /// - Throws: the errors of reading objects to find a better key.
  func warning(
    about finding: KeyFinding, key: ObjectKeyPath, _ source: any DataSource
  ) async throws -> String {
    let inner = source.children.first.map { displayName(of: $0) } ?? ""
    // The inner source may have other values in objects that a predicate or a limit excludes.
    let request = source.state.snapshot?.request
    let isWhole = request?.predicate == nil && request?.limit == nil
    let whole = isWhole ? inner : displayName(of: source)
    let label = source is FetchedResultsSource ? "section" : "key"
    switch finding {
    case .nulls(let count):
      return "\(counted(count, "object")) \(count == 1 ? "has" : "have") no \(key) and "
        + "\(count == 1 ? "is" : "are") under the title null; "
        + "`filtered \(inner) where: \(Predicate.Operand.key(key)) != null` excludes \(count == 1 ? "it" : "them")"
    case .undated(let count):
      return "\(counted(count, "object")) \(count == 1 ? "has" : "have") no date under \(key) and "
        + "\(count == 1 ? "is" : "are") in the last section; `mode: groups` shows the values"
    case .sameInAll(let value):
      return "\(key) is \(value.excerpt) in every object of \(whole), so there is one section; "
        + "`set \(displayName(of: source)) \(label): null` makes that explicit, another key makes more"
    case .differentInAll(let example):
      return try await "\(key) differs in every object of \(whole), so each is a section; "
        + fix(forDifferent: example, key, label: label, of: source, isWhole: isWhole)
    }
  }

  /// A setting that results in fewer sections, for a key that differs in every object.
  private func fix(
    forDifferent example: Value, _ key: ObjectKeyPath, label: String, of source: any DataSource,
    isWhole: Bool
  ) async throws -> String {
    // Dates have modes.
    if example.timestamp == nil || label != "key",
      let fix = try await betterKey(label: label, of: source, isWhole: isWhole)
    {
      return fix
    }
    return switch example {
    case .string(let text) where Value.string(text).timestamp == nil:
      "`\(label): \(key).firstCharacter` makes fewer"
    // Only sources with `key:` have modes.
    case .string where label == "key", .date where label == "key": "`mode: month` makes fewer"
    default: "a key that objects share makes fewer"
    }
  }

  /// The number of objects that are examined for a better key.
  private static let examinedObjects = 1_000

  /// The setting with the best key for sections; nil if none is found.
  ///
  /// - Parameter isWhole: whether the source has all objects of the source below.
  private func betterKey(
    label: String, of source: any DataSource, isWhole: Bool
  ) async throws -> String? {
    // Not the content below: a predicate may have excluded objects of it.
    guard let content = source.state.snapshot else { return nil }
    // Pages that are read for a warning are not among those of `events`.
    let sample = try await UnobservedReads.run {
      try await ObjectSample(
        of: content, limit: Self.examinedObjects, cancellation: cancellation)
    }
    let profiles = KeyProfile.all(of: sample.objects, keys: content.keys)
    let ideas = SectionIdea.ranked(profiles, isSample: sample.isPart)
    guard let best = ideas.first(where: { $0.key != nil }), let key = best.key else { return nil }
    let count = (sample.isPart && !sample.isBeginning ? "about " : "") + "\(best.sizes.count)"
    let basis = sample.isBeginning ? " of the first \(counted(sample.objects.count, "object"))" : ""
    let others =
      (isWhole ? source.children.first : source).flatMap { boundName(of: $0) }
      .map { " (suggest \($0))" } ?? ""
    let sort = SortDescriptor.labels(content.request?.sort ?? [], after: best.base)
    let labels = "\(label): \(key) \(sort)"
    let command = boundName(of: source).map { "set \($0) \(labels)" } ?? labels
    return "`\(command)` makes \(count)\(basis)\(others)"
  }

  /// The warning that titles repeat, with a fix; nil when none do.
  func repeatedTitlesWarning(for source: SectionedSource) -> String? {
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
      ? "\(displayName(of: source.source)) is not sorted by \(key)"
      : "`sort:` does not put \(key) first"
    return
      "titles repeat (\(titles.joined(separator: "; "))) because \(cause); \(orderFix(for: source))"
  }

  /// The settings that make the titles of a source unique.
  func orderFix(for source: SectionedSource) -> String {
    guard let key = source.key else { return "" }
    return "add `\(SortDescriptor.labels(source.sort, after: key))` or `mode: groups`"
  }
}

extension SortDescriptor {
  /// The label of a sort that begins with a key and keeps the rest of another sort.
  fileprivate static func labels(_ sort: [SortDescriptor], after key: ObjectKeyPath) -> String {
    let direction = sort.first { $0.keyPath == key }?.direction ?? .ascending
    let first = SortDescriptor(key, direction: direction)
    return labels([first] + sort.filter { $0.keyPath != key })
  }
}

extension DataSource {
  /// The key whose values are the titles of the current sections.
  var sectionKey: ObjectKeyPath? {
    switch self {
    case is SectionedSource, is OrganizedSource, is FetchedResultsSource:
      state.snapshot?.request?.key
    default: nil
    }
  }
}
