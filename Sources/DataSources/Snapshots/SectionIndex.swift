public import DataTables

/// How the titles of a section index are derived.
public enum IndexTitles: Hashable, Sendable {
  /// The uppercase first character of the section's title, "" for null.
  case firstCharacter
  /// The uppercase first characters of the words of the section's title.
  case initials
  /// A derived key such as `lowercased` applies to the section's title, unless the objects have a
  /// key of the same name. Any other path applies to the section's first object.
  case keyPath(ObjectKeyPath)
  /// One title for each section in order, including hidden fixed and collated sections; additional
  /// titles lead to the last section.
  case list([String])
}

/// The index of a sectioned list: its titles, which may repeat, and the sections they lead to.
public struct SectionIndex: Hashable, Sendable {
  public let titles: [String]
  /// The section of each title. The title of a hidden section leads to the nearest visible section
  /// before it, or to the first one.
  public let sections: [Int]
  /// The index title of each section, "" for a section without one.
  public let titlesOfSections: [String]

  /// - Parameters:
  ///   - titles: the titles of the index.
  ///   - sections: the section of each title; nil for a hidden section.
  fileprivate init(_ titles: [String], sections: [Int?], numberOfSections: Int) {
    var visibleSections: [Int] = []
    var titlesOfSections = [String](repeating: "", count: numberOfSections)
    var nearest = 0
    for (title, section) in zip(titles, sections) {
      if let section {
        nearest = section
        titlesOfSections[section] = title
      }
      visibleSections.append(nearest)
    }
    self.titles = titles
    self.sections = visibleSections
    self.titlesOfSections = titlesOfSections
  }

  /// The section that an index title leads to.
  ///
  /// - Parameter position: the position of the title in ``titles``; nil for the first equal title.
  /// - Throws: ``SourceError/indexTitleNotFound(_:at:in:)`` when ``titles`` does not contain the
  ///   title or has another title at `position`, or when no sections exist.
  public func section(for title: String, at position: Int? = nil) throws(SourceError) -> Int {
    let position = position ?? titles.firstIndex(of: title)
    guard let position, titles.indices.contains(position), titles[position] == title,
      !titlesOfSections.isEmpty
    else { throw .indexTitleNotFound(title, at: position, in: titles) }
    return sections[position]
  }
}

/// Sections that a snapshot adopts from another one, together with their index titles.
struct SectionIndexPart: Sendable {
  let snapshot: Snapshot
  /// For each section of `snapshot`, its section in the new snapshot; nil for a removed section.
  let newSections: [Int?]

  /// The titles without those of removed sections; the listed titles of fixed and collated sections
  /// remain.
  fileprivate func entries() async throws -> (titles: [String], sections: [Int?]) {
    let (titles, sections) = try await snapshot.indexEntries()
    let moved = zip(titles, sections).map { title, section in
      (title: title, section: section.flatMap { newSections[$0] }, isOwn: section == nil)
    }
    let kept =
      snapshot.store.listedTitles == nil ? moved.filter { $0.isOwn || $0.section != nil } : moved
    return (kept.map(\.title), kept.map(\.section))
  }
}

extension Snapshot {
  public func sectionIndex() async throws -> SectionIndex {
    let (titles, sections) = try await indexEntries()
    return SectionIndex(titles, sections: sections, numberOfSections: numberOfSections)
  }

  /// The titles of the section index, including those of hidden fixed and collated sections.
  public func indexTitles() async throws -> [String] { try await sectionIndex().titles }

  /// Some titles of the section index. Where each section has a title of the index, only the titles of
  /// these sections are read.
  ///
  /// - Parameter positions: returns the positions of the titles among their number.
  package func indexTitles(at positions: (Int) -> [Int]) async throws -> [String] {
    let isListed = if case .list = indexTitling { true } else { false }
    if isListed || store.listedTitles != nil || !indexParts.isEmpty {
      let titles = try await indexTitles()
      return positions(titles.count).map { titles[$0] }
    }
    var listed: [ListedTitle] = []
    for section in positions(numberOfSections) {
      let known = store.knownTitle(of: section)
      let title = if let known { known } else { try await self.title(of: section) }
      listed.append(ListedTitle(title: title, section: section))
    }
    return try await indexTitles(of: listed)
  }

  /// Whether the index titles may differ from the first characters of the section titles.
  var hasOwnIndex: Bool {
    indexTitling != .firstCharacter || store.listedTitles != nil || !indexParts.isEmpty
  }

  /// The index parts for a snapshot that adopts the sections of this one.
  ///
  /// The parts refer to the snapshot that created the sections, to avoid a chain of snapshots.
  /// - Parameter newSections: for each section, its section in the new snapshot; nil for a removed
  ///   section.
  func indexParts(newSections: [Int?]) -> [SectionIndexPart] {
    guard !indexParts.isEmpty else {
      return [SectionIndexPart(snapshot: self, newSections: newSections)]
    }
    return indexParts.map { part in
      SectionIndexPart(
        snapshot: part.snapshot,
        newSections: part.newSections.map { $0.flatMap { newSections[$0] } })
    }
  }

  /// The titles of the index and the section of each title; the section is nil for the title of a
  /// hidden section and for an additional title.
  fileprivate func indexEntries() async throws -> (titles: [String], sections: [Int?]) {
    guard indexParts.isEmpty else {
      var all: (titles: [String], sections: [Int?]) = ([], [])
      for part in indexParts {
        let entries = try await part.entries()
        all.titles += entries.titles
        all.sections += entries.sections
      }
      return all
    }
    var listed = store.listedTitles ?? []
    if listed.isEmpty {
      listed = zip(try await titles(), 0...).map { ListedTitle(title: $0, section: $1) }
    }
    let indexTitles = try await indexTitles(of: listed)
    return (indexTitles, indexTitles.indices.map { $0 < listed.count ? listed[$0].section : nil })
  }

  private func indexTitles(of listed: [ListedTitle]) async throws -> [String] {
    switch indexTitling {
    case .firstCharacter: return listed.map(\.title.indexTitle)
    case .initials: return listed.map { Self.initials($0.title) }
    case .list(let titles): return titles
    case .keyPath(let path):
      if path.isDerived, case .key(let key)? = path.steps.first, !keys.contains(key) {
        return listed.map { path.evaluate(on: $0.title).plainText }
      }
      var titles: [String] = []
      for title in listed { titles.append(try await indexTitle(of: title, path)) }
      return titles
    }
  }

  private func indexTitle(
    of listed: ListedTitle, _ path: ObjectKeyPath
  ) async throws -> String {
    guard let section = listed.section, store.numberOfObjects(in: section) > 0 else {
      return listed.title.indexTitle
    }
    let object = try await object(at: IndexPath(section: section, row: 0))
    return path.evaluate(on: object).plainText
  }

  private static func initials(_ title: Value) -> String {
    if case .string = title {
      return ObjectKeyPath(key: "initials").evaluate(on: title).plainText
    }
    return title.indexTitle
  }
}

extension ObjectKeyPath {
  /// Whether the path is a single derived key, which can apply to a title.
  package var isDerived: Bool {
    guard steps.count == 1, case .key(let key)? = steps.first else { return false }
    return DerivedKey.all.contains { $0.name == key }
  }
}

extension Value {
  /// The first character of the value as text, uppercase for a string or a Boolean; "" for null,
  /// data, arrays and records.
  fileprivate var indexTitle: String {
    switch self {
    case .null: ""
    case .bool(let bool): bool ? "T" : "F"
    case .integer(let integer): String("\(integer)".prefix(1))
    case .real(let real): String(real.text.prefix(1))
    case .string(let string): String(string.prefix(1)).uppercased()
    case .date(let date): String(date.text.prefix(1))
    case .data, .array, .record: ""
    }
  }

  /// A string or a date without quotes, "" for null, any other value as JSON.
  fileprivate var plainText: String {
    switch self {
    case .null: ""
    case .string(let string): string
    case .date(let date): date.text
    default: json
    }
  }
}
