import DSInterpreter
import DSRendering
import DataSources
import DataTables
import Synchronization

/// A store of sections in memory that records which rows are read from it.
final class SectionsInMemory: PagedStore {
  let sections: [(title: Value, objects: [Value])]
  let keys: [String]
  private let reads = Mutex<[Range<Int>]>([])

  init(keys: [String], _ sections: [(title: Value, objects: [Value])]) {
    self.keys = keys
    self.sections = sections
  }

  /// The ranges of rows that were read.
  var rowsRead: [Range<Int>] { reads.withLock { $0 } }

  var hasOtherObjects: Bool {
    sections.contains { section in
      section.objects.contains { if case .record = $0 { false } else { true } }
    }
  }
  var numberOfSections: Int { sections.count }
  var numberOfObjects: Int { sections.reduce(0) { $0 + $1.objects.count } }
  func numberOfObjects(in section: Int) -> Int { sections[section].objects.count }
  func titles(of range: Range<Int>) async throws -> [Value] { sections[range].map(\.title) }
  func objects(in section: Int, rows: Range<Int>) async throws -> [Value] {
    reads.withLock { $0.append(rows) }
    return Array(sections[section].objects[rows])
  }
}

extension SectionsInMemory {
  /// The first two sections and the last one of the twelve foods by first letter.
  static var foods: SectionsInMemory {
    let shape = Record.Shape(["name", "kind"])
    func food(_ name: String, _ kind: String) -> Value {
      .record(Record(shape: shape, values: [.string(name), .string(kind)]))
    }
    return SectionsInMemory(
      keys: ["name", "kind"],
      [
        ("A", [food("Apple", "fruit"), food("Asparagus", "vegetable")]),
        ("B", [food("Banana", "fruit")]),
        ("S", [food("Strawberry", "fruit")]),
      ])
  }

  /// One section of numbered objects without keys.
  static func numbers(_ count: Int) -> SectionsInMemory {
    SectionsInMemory(keys: [], [("", (0..<count).map { .integer($0) })])
  }

  func listing(showsIndexPaths: Bool = false) -> Output {
    let sections = 0..<numberOfSections
    return Output(
      .objects(
        ObjectListing(
          snapshot: Snapshot(self), sections: sections, showsIndexPaths: showsIndexPaths)))
  }
}

/// The text of an output in a style.
func text(
  _ output: Output, in style: any Style = TableStyle(), for terminal: TerminalTraits = .init()
) async throws -> String {
  var text = ""
  try await style.render(output, for: terminal) { text += $0 }
  return text
}

extension Record {
  init(dictionaryLiteral pairs: KeyValuePairs<String, Value>) {
    self.init(pairs.map { ($0.key, $0.value) })
  }
}

func record(_ pairs: KeyValuePairs<String, Value>) -> Value {
  .record(Record(dictionaryLiteral: pairs))
}
