import DataTables
import TestSupport

/// Successive contents of sections with unique titles, of objects with unique ids, as edits,
/// transactions and other settings of a sectioned source produce them.
struct RandomHistory {
  static let id = ObjectKeyPath(key: "id")
  private(set) var content = SectionedObjects([SectionedObjects.Section]())
  private var random: SplitMix64
  private var ids = 0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    for title in ["A", "B", "C", "D"].prefix(random.below(5)) {
      let objects = (0..<random.below(5)).map { _ in newObject() }
      content.sections.append(SectionedObjects.Section(title: .string(title), objects: objects))
    }
  }

  private mutating func newObject() -> Value {
    ids += 1
    return object(ids)
  }

  private mutating func object(_ id: Int) -> Value {
    ["id": .integer(id), "v": .integer(random.below(4))]
  }

  /// Changes the content, mostly a little.
  mutating func step() {
    for _ in 0...random.below(6) { edit() }
    switch random.below(20) {
    case 0: content.sections.shuffle(using: &random)
    case 1: content.sections.reverse()
    default: break
    }
  }

  private mutating func edit() {
    guard !content.sections.isEmpty else { return insertSection() }
    let section = random.below(content.sections.count)
    let count = content.sections[section].objects.count
    switch random.below(9) {
    case 0: insertSection()
    case 1: moveAllOrRemove(section)
    case 2: content.sections.swapAt(section, random.below(content.sections.count))
    case 3: insert(newObject(), in: section)
    case 4 where count > 0: content.sections[section].objects.remove(at: random.below(count))
    case 5 where count > 0, 6 where count > 0:
      let object = content.sections[section].objects.remove(at: random.below(count))
      let other = random.below(2) == 0 ? section : random.below(content.sections.count)
      insert(random.below(2) == 0 ? object : changed(object), in: other)
    case 7 where count > 0:
      let row = random.below(count)
      content.sections[section].objects[row] = changed(content.sections[section].objects[row])
    default: insert(newObject(), in: section)
    }
  }

  private mutating func changed(_ object: Value) -> Value {
    guard case .integer(let id) = Self.id.evaluate(on: object) else { return object }
    return self.object(id)
  }

  private mutating func insert(_ object: Value, in section: Int) {
    let row = random.below(content.sections[section].objects.count + 1)
    content.sections[section].objects.insert(object, at: row)
  }

  /// Inserts a section, often with objects of other sections.
  private mutating func insertSection() {
    let titles = ["A", "B", "C", "D", "E", "F", "G"].map { Value.string($0) }
      .filter { title in !content.sections.contains { $0.title == title } }
    guard !titles.isEmpty else { return }
    var objects = [newObject()]
    for section in content.sections.indices where random.below(3) == 0 {
      if let object = content.sections[section].objects.popLast() { objects.append(object) }
    }
    content.sections.insert(
      SectionedObjects.Section(title: random.one(of: titles), objects: objects),
      at: random.below(content.sections.count + 1))
  }

  /// Removes a section, often after its objects moved to other sections.
  private mutating func moveAllOrRemove(_ section: Int) {
    let removed = content.sections.remove(at: section)
    guard !content.sections.isEmpty, random.below(3) > 0 else { return }
    for object in removed.objects { insert(object, in: random.below(content.sections.count)) }
  }
}
