public import DataTables

/// How the titles of a section index are made.
public enum IndexTitles: Hashable, Sendable {
  /// The uppercase first character of the section's title, "" for null.
  case firstCharacter
  /// The first characters of the words of the section's title, in capital letters.
  case initials
  /// A derived key such as `lowercased` applies to the section's title, unless the objects have
  /// that key; any other path applies to the section's first object.
  case keyPath(ObjectKeyPath)
  /// One title for each section in order, including hidden sections of fixed and collated sources;
  /// additional titles lead to the last section.
  case list([String])
}

/// The index of a sectioned list: its titles, which may repeat, and the sections they lead to.
public struct SectionIndex: Hashable, Sendable {
  public let titles: [String]
  /// For each title its section. The title of a hidden section leads to the nearest section before
  /// it, or to the first one.
  public let sections: [Int]
  /// For each section its own title in the index, "" for a section without one.
  public let titlesOfSections: [String]

  /// - Parameters:
  ///   - names: the titles of the index.
  ///   - places: for each title its section; nil for a hidden section.
  init(_ names: [String], of places: [Int?], numberOfSections: Int) {
    var sections: [Int] = []
    var own = [String](repeating: "", count: numberOfSections)
    var nearest = 0
    for (place, name) in names.enumerated() {
      if let section = places[place] {
        nearest = section
        own[section] = name
      }
      sections.append(nearest)
    }
    titles = names
    self.sections = sections
    titlesOfSections = own
  }

  /// The section that an index title leads to.
  ///
  /// - Parameter place: the position of the title in ``titles``; nil for the first equal title.
  /// - Throws: ``SourceError/indexTitleNotFound(_:at:in:)`` when the title is not at that position,
  ///   or there are no sections.
  public func section(for title: String, at place: Int? = nil) throws(SourceError) -> Int {
    let place = place ?? titles.firstIndex(of: title)
    guard let place, titles.indices.contains(place), titles[place] == title,
      !titlesOfSections.isEmpty
    else { throw .indexTitleNotFound(title, at: place, in: titles) }
    return sections[place]
  }
}

/// Sections that were taken over from another snapshot, together with their index titles.
struct SectionIndexPart: Sendable {
  let snapshot: Snapshot
  /// For each section of `snapshot` its section in the new snapshot; nil for a removed one.
  let places: [Int?]

  fileprivate func entries() async throws -> (names: [String], places: [Int?]) {
    let (names, places) = try await snapshot.indexEntries()
    return (names, places.map { $0.flatMap { self.places[$0] } })
  }
}

extension Snapshot {
  public func sectionIndex() async throws -> SectionIndex {
    let (names, places) = try await indexEntries()
    return SectionIndex(names, of: places, numberOfSections: numberOfSections)
  }

  /// The titles of the section index, including those of hidden fixed and collated sections.
  public func indexTitles() async throws -> [String] { try await sectionIndex().titles }

  /// Whether the index titles differ from those that the section titles determine.
  var hasOwnIndex: Bool {
    indexTitling != .firstCharacter || store.local?.sections.listed != nil || !indexParts.isEmpty
  }

  /// The index parts for a snapshot that takes over the sections of this one.
  ///
  /// They refer to the snapshot that made the sections, so that no chain of snapshots is kept.
  /// - Parameter places: for each section its section in the new snapshot; nil for a removed one.
  func indexParts(at places: [Int?]) -> [SectionIndexPart] {
    guard !indexParts.isEmpty else { return [SectionIndexPart(snapshot: self, places: places)] }
    return indexParts.map { part in
      SectionIndexPart(
        snapshot: part.snapshot, places: part.places.map { $0.flatMap { places[$0] } })
    }
  }

  /// The titles of the index, and for each its section; nil for a hidden section and for an
  /// additional title.
  fileprivate func indexEntries() async throws -> (names: [String], places: [Int?]) {
    guard indexParts.isEmpty else {
      var all: (names: [String], places: [Int?]) = ([], [])
      for part in indexParts {
        let entries = try await part.entries()
        all.names += entries.names
        all.places += entries.places
      }
      return all
    }
    var listed = store.local?.sections.listed ?? []
    if listed.isEmpty {
      listed = zip(try await titles(), 0...).map { ListedTitle(title: $0, section: $1) }
    }
    let names = try await names(of: listed)
    return (names, names.indices.map { $0 < listed.count ? listed[$0].section : nil })
  }

  private func names(of listed: [ListedTitle]) async throws -> [String] {
    switch indexTitling {
    case .firstCharacter: return listed.map(\.title.indexTitle)
    case .initials: return listed.map { Self.initials($0.title) }
    case .list(let titles): return titles
    case .keyPath(let path):
      if path.isDerived, case .key(let key)? = path.steps.first, !keys.contains(key) {
        return listed.map { path.evaluate(on: $0.title).plainText }
      }
      var names: [String] = []
      for title in listed { names.append(try await name(of: title, path)) }
      return names
    }
  }

  private func name(of title: ListedTitle, _ path: ObjectKeyPath) async throws -> String {
    guard let section = title.section, store.numberOfObjects(in: section) > 0 else {
      return title.title.indexTitle
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
  /// Whether it is a single derived key, which can apply to a title.
  package var isDerived: Bool {
    guard steps.count == 1, case .key(let key)? = steps.first else { return false }
    return DerivedKey.all.contains { $0.name == key }
  }
}

extension Value {
  /// The uppercase first character of the value as a title.
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

  /// A string without quotes, "" for null, anything else as JSON.
  fileprivate var plainText: String {
    switch self {
    case .null: ""
    case .string(let string): string
    case .date(let date): date.text
    default: json
    }
  }
}
