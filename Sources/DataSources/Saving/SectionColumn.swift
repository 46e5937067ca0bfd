package import DataTables

/// A column with the title of the section of each object.
package struct SectionColumn: Sendable {
  /// The keys of the objects with the column, which is the last.
  package let keys: [String]
  /// The keys of an object without the title.
  private let objectKeys: [String]
  private let content: Snapshot
  private let key: String
  /// Whether objects that are not records are in a column of their own.
  private let valueKey: String?
  private let shape: Record.Shape
  /// The titles of some sections, from `first` on.
  private var titles: [Value] = []
  private var first = 0

  private static let titleBatch = 1_024

  package init(of content: Snapshot) {
    self.content = content
    var keys = content.keys
    func free(_ name: String) -> String {
      var name = name
      while keys.contains(name) { name = "_" + name }
      return name
    }
    valueKey = keys.isEmpty || content.store.hasOtherObjects ? free("value") : nil
    if let valueKey { keys.append(valueKey) }
    objectKeys = keys
    key = free("section")
    keys.append(key)
    self.keys = keys
    shape = Record.Shape(keys)
  }

  /// The objects of a batch as records with the title of their section.
  package mutating func adding(to batch: ObjectBatch) async throws -> [Value] {
    let title = try await title(of: batch.start.section)
    return batch.objects.map { object in
      guard case .record(let record) = object else {
        return .record(Record([(valueKey ?? "value", object), (key, title)]))
      }
      if record.keys == objectKeys {
        return .record(Record(shape: shape, values: record.values + [title]))
      }
      return .record(Record(Array(zip(record.keys, record.values)) + [(key, title)]))
    }
  }

  private mutating func title(of section: Int) async throws -> Value {
    if !(first..<first + titles.count).contains(section) {
      let end = min(section + Self.titleBatch, content.numberOfSections)
      titles = try await content.store.titles(of: section..<end)
      first = section
    }
    let place = section - first
    return titles.indices.contains(place) ? titles[place] : .null
  }
}
