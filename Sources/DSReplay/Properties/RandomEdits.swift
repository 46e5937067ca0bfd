import DSInterpreter
import DataSources
import DataTables

/// Makes random edits of sources, which depend only on the seed and on the contents of the sources.
struct RandomEdits {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  /// A source with its name and its content, which has objects.
  struct Subject {
    let name: String
    let content: Snapshot
  }

  /// The names of sources whose next fetch may fail.
  struct Fetched {
    /// Those that have content.
    var again: [String] = []
    /// Those that were not fetched yet.
    var first: [String] = []
  }

  private enum Kind: CaseIterable { case remove, insert, update, move, fault }
  /// Each kind as often as it is chosen.
  private static let kinds: [Kind] = [
    .remove, .remove, .insert, .insert, .update, .update, .update, .move, .move, .fault,
  ]

  /// The next edit, and others to try if it is refused.
  ///
  /// - Parameters:
  ///   - subjects: at least one.
  ///   - fetched: the sources that the commands below may fetch.
  mutating func next(_ subjects: [Subject], _ fetched: Fetched) async throws -> [EditStep] {
    let subject = subjects[number(0..<subjects.count)]
    switch Self.kinds[number(0..<Self.kinds.count)] {
    case .remove:
      return [EditStep(commands: ["remove \(subject.name) \(try path(in: subject).text)"])]
    case .insert: return try await insertions(into: subject)
    case .update: return try await update(of: subject).map { [$0] } ?? []
    case .move: return try move(in: subject)
    case .fault:
      if number(0..<2) == 0, let step = faultOfNextFetch(fetched) { return [step] }
      return [
        EditStep(
          commands: [
            "let \(subject.name) = faulty \(subject.name) fail: fetch 2 | fetch",
            "fetch \(subject.name)",
          ], isFault: true, endsInFault: true)
      ]
    }
  }

  /// Lets a fetch by a later command fail.
  private mutating func faultOfNextFetch(_ fetched: Fetched) -> EditStep? {
    let commands =
      fetched.again.map { "let \($0) = faulty \($0) fail: fetch 2 | fetch" }
      + fetched.first.map { "let \($0) = faulty \($0) fail: fetch 1" }
    return commands.isEmpty
      ? nil : EditStep(commands: [commands[number(0..<commands.count)]], isFault: true)
  }

  // MARK: Places

  private struct Place {
    let path: IndexPath
    var text: String { "[\(path.section), \(path.row)]" }
  }

  /// The place of an object; each object is as likely as any other.
  private mutating func path(in subject: Subject) throws -> Place {
    var position = number(0..<subject.content.numberOfObjects)
    for section in 0..<subject.content.numberOfSections {
      let count = try subject.content.numberOfObjects(in: section)
      if position < count { return Place(path: IndexPath(section: section, row: position)) }
      position -= count
    }
    return Place(path: IndexPath(section: 0, row: 0))
  }

  private mutating func move(in subject: Subject) throws -> [EditStep] {
    let from = try path(in: subject)
    let count = try subject.content.numberOfObjects(in: from.path.section)
    var places: [Place] = []
    if count > 1 {
      // Any other row of the section.
      let row = (from.path.row + number(1..<count)) % count
      places.append(Place(path: IndexPath(section: from.path.section, row: row)))
    }
    // A sort may refuse that; then the key of another section is tried.
    let other = try path(in: subject)
    if other.path.section != from.path.section { places.append(other) }
    return places.map {
      EditStep(commands: ["move \(subject.name) \(from.text) to: \($0.text)"])
    }
  }

  // MARK: Values

  private mutating func insertions(into subject: Subject) async throws -> [EditStep] {
    var object = try await object(in: subject)
    if case .record(let record) = object {
      var members: [(String, Value)] = []
      for (key, old) in zip(record.keys, record.values) {
        let isChanged = number(0..<2) == 0
        let new = isChanged ? try await value(like: old, of: key, in: subject) : nil
        members.append((key, new ?? old))
      }
      object = .record(Record(members))
    } else if let value = try await value(like: object, of: nil, in: subject) {
      object = value
    }
    let isArray = if case .array = object { true } else { false }
    guard let text = object.argument else { return [] }
    // A list would be several objects.
    let insert = "insert \(subject.name) " + (isArray ? "[\(text)]" : text)
    let last = EditStep(commands: [insert])
    if number(0..<2) == 0 { return [last] }
    return [EditStep(commands: [insert + " at: \(try path(in: subject).text)"]), last]
  }

  private mutating func update(of subject: Subject) async throws -> EditStep? {
    let place = try path(in: subject)
    let old = try await subject.content.object(at: place.path)
    guard case .record(let record) = old, !record.keys.isEmpty else { return nil }
    let key = record.keys[number(0..<record.keys.count)]
    guard let new = try await value(like: record[key] ?? .null, of: key, in: subject),
      let text = new.argument
    else { return nil }
    let label = Value.string(key).json
    return EditStep(commands: ["update \(subject.name) \(place.text) \(label): \(text)"])
  }

  private mutating func object(in subject: Subject) async throws -> Value {
    try await subject.content.object(at: try path(in: subject).path)
  }

  /// Another value of the same type: that of another object, or a variation.
  ///
  /// - Parameter key: nil for a value that is an object itself.
  /// - Returns: nil if none is known.
  private mutating func value(
    like old: Value, of key: String?, in subject: Subject
  ) async throws -> Value? {
    if number(0..<2) == 0 || old.isNull {
      let other = try await object(in: subject)
      guard let key else { return other.type == old.type ? other : variation(of: old) }
      if case .record(let record) = other, let value = record[key],
        value.type == old.type || old.isNull
      {
        return value
      }
    }
    return variation(of: old)
  }

  private mutating func variation(of old: Value) -> Value? {
    switch old {
    case .bool(let isTrue): return .bool(!isTrue)
    case .integer(let number):
      let choices = [0, 1, -1, number &+ 1, number &- 1, self.number(-100..<1000)]
      return .integer(choices[self.number(0..<choices.count)])
    case .real(let real):
      guard real.value.isFinite else { return nil }
      let choices = [0, -real.value, real.value + 0.5, real.value * 2]
      return .real(Real(choices[number(0..<choices.count)]))
    case .string(let text):
      let choices = ["", text + "a", text.uppercased(), "é", "\"", String(text.reversed())]
      return .string(choices[number(0..<choices.count)])
    case .null, .date, .data, .array, .record: return nil
    }
  }
}
