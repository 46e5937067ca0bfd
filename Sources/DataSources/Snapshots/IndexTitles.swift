public import DataTables

/// How the titles of an index beside the list are made.
public enum IndexTitles: Hashable, Sendable {
  /// The uppercase first character of the title, "" for null.
  case firstCharacter
  /// The first characters of the words of the title, in capital letters.
  case initials
  /// A derived key such as `lowercased` is one of the title, unless the objects have that key;
  /// any other path is one of the section's first object.
  case keyPath(ObjectKeyPath)
  /// One for each section in turn, of fixed and collated sections the hidden ones too; further ones
  /// lead to the last section.
  case list([String])
}

/// The index beside a list: its titles, which may repeat, and the sections they lead to.
public struct SectionIndex: Hashable, Sendable {
  public let titles: [String]
  /// One a title: its section, or the nearest before it where that is hidden; the first one where
  /// there is none before.
  public let sections: [Int]
  /// One a section: its own title in the index, "" for a section without.
  public let titlesOfSections: [String]

  /// - Parameters:
  ///   - names: the titles of the index.
  ///   - places: for each the section it is for; nil for a hidden one, which leads to the nearest
  ///     before it.
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
  /// - Parameter place: where in ``titles`` it stands; nil takes the first such title.
  /// - Throws: ``SourceError/indexTitleNotFound(_:at:in:)`` when it does not stand there, or there
  ///   are no sections.
  public func section(for title: String, at place: Int? = nil) throws(SourceError) -> Int {
    let place = place ?? titles.firstIndex(of: title)
    guard let place, titles.indices.contains(place), titles[place] == title,
      !titlesOfSections.isEmpty
    else { throw .indexTitleNotFound(title, at: place, in: titles) }
    return sections[place]
  }
}

extension Snapshot {
  /// The index beside the list.
  public func sectionIndex() async throws -> SectionIndex {
    let (names, places) = try await indexEntries()
    return SectionIndex(names, of: places, numberOfSections: numberOfSections)
  }

  /// The titles of the index and for each the section it is for, nil for a hidden one and for one
  /// too many.
  func indexEntries() async throws -> (names: [String], places: [Int?]) {
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
  /// Whether it is one step that can be derived from a title.
  package var isDerived: Bool {
    guard steps.count == 1, case .key(let key)? = steps.first else { return false }
    return DerivedKey.all.contains { $0.name == key }
  }
}

extension Value {
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
