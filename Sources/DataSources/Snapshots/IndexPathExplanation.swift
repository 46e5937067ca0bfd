import DataTables

/// A line that explains the index path of an object.
public struct ExplanationLine: Hashable, Sendable {
  /// The subject of the line: `section 5`, `row 1`; "" to continue the subject of the line before.
  public let subject: String
  /// `name.firstCharacter is "P"; the section begins at [5, 0]; the previous row has "M"`
  public let text: String

  public init(_ subject: String, _ text: String) {
    self.subject = subject
    self.text = text
  }
}

/// Explains the section and the row of an object by comparing it with its neighbors.
struct IndexPathExplanation {
  private let path: IndexPath
  private let snapshot: Snapshot
  private let request: ContentRequest

  /// nil when the rows of the snapshot were not filtered, sorted or sectioned.
  init?(of path: IndexPath, in snapshot: Snapshot) {
    guard let request = snapshot.request else { return nil }
    self.path = path
    self.snapshot = snapshot
    self.request = request
  }

  /// An object before or after the explained one.
  private struct Neighbor {
    let path: IndexPath
    let object: Value
  }

  func lines() async throws -> [ExplanationLine] {
    let object = try await snapshot.object(at: path)
    let kept =
      try request.evaluatePredicate(on: object)
      .map { [ExplanationLine("where", $0.explanation)] } ?? []
    return kept + (try await sectionAndRowLines(of: object))
  }

  private func sectionAndRowLines(of object: Value) async throws -> [ExplanationLine] {
    var lines: [ExplanationLine] = []
    if let key = request.key { lines.append(try await sectionLine(key, of: object)) }
    guard !request.sort.isEmpty else {
      let line = ExplanationLine("row \(path.row)", "keeps the order of the source below; no sort")
      return lines + [line]
    }
    let before = try await neighbor(at: comparedPath(self.path(before: path)))
    let after = try await neighbor(at: comparedPath(self.path(after: path)))
    lines += try rowLines(of: object, before: before, after: after)
    if try isTied(object, with: before) || isTied(object, with: after) {
      lines.append(
        ExplanationLine("", "rows that sort as equal keep the order of the source below"))
    }
    return lines
  }

  /// The index path of a neighbor; nil if the sort does not order it relative to the object.
  private func comparedPath(_ neighbor: IndexPath?) -> IndexPath? {
    request.ordersSections && neighbor?.section != path.section ? nil : neighbor
  }

  /// A line for each sort descriptor. It compares the object with the neighbors that are equal by
  /// all earlier descriptors.
  private func rowLines(
    of object: Value, before: Neighbor?, after: Neighbor?
  ) throws -> [ExplanationLine] {
    let scope = request.ordersSections ? " of the section" : ""
    var (before, after) = (before, after)
    var ends = [before == nil ? "the first" + scope : nil, after == nil ? "the last" + scope : nil]
    if before == nil, after == nil { ends = ["the only one" + scope, nil] }
    return try request.sort.enumerated().map { index, descriptor in
      let parts = [
        index == 0 ? ends[0] : nil, try phrase(&before, "after", descriptor, object),
        try phrase(&after, "before", descriptor, object), index == 0 ? ends[1] : nil,
      ].compactMap { $0 }
      let text =
        parts.isEmpty ? "not compared; the keys before it differ" : parts.joined(separator: ", ")
      return ExplanationLine(
        index == 0 ? "row \(path.row)" : "",
        "\(descriptor.keyPath): \(text) \(Self.rule(descriptor))")
    }
  }

  /// A phrase such as `after "Papaya" [5, 0]`. Sets a neighbor that differs to nil, so that later
  /// descriptors do not compare it.
  private func phrase(
    _ neighbor: inout Neighbor?, _ word: String, _ descriptor: SortDescriptor, _ object: Value
  ) throws -> String? {
    guard let known = neighbor else { return nil }
    let value = descriptor.keyPath.evaluate(on: known.object)
    if try descriptor.isTie(value, descriptor.keyPath.evaluate(on: object)) {
      return "equal to \(value.cutJSON) \(known.path)"
    }
    neighbor = nil
    return "\(word) \(value.cutJSON) \(known.path)"
  }

  /// `(compare, ascending)`
  private static func rule(_ descriptor: SortDescriptor) -> String {
    let direction = descriptor.direction == .ascending ? "ascending" : "descending"
    let nulls = descriptor.nulls.map { "nulls \($0.rawValue)" }
    let rest = [direction, nulls, descriptor.locale.map { "locale \($0)" }].compactMap { $0 }
    return "(\(descriptor.comparison.rawValue), \(rest.joined(separator: ", ")))"
  }

  private func sectionLine(
    _ key: ObjectKeyPath, of object: Value
  ) async throws -> ExplanationLine {
    let value = key.evaluate(on: object)
    let title = try await snapshot.title(of: path.section)
    let start = IndexPath(section: path.section, row: 0)
    var text = "\(key) is \(value.cutJSON)"
    if title != value { text += ", in the section titled \(title.cutJSON)" }
    text += "; the section begins at \(start)"
    if let last = try await neighbor(at: self.path(before: start)) {
      text += "; the previous row has \(key.evaluate(on: last.object).cutJSON)"
    } else {
      text += ", the first row"
    }
    return ExplanationLine("section \(path.section)", text)
  }

  private func isTied(_ object: Value, with neighbor: Neighbor?) throws -> Bool {
    guard let neighbor else { return false }
    return try request.sort.allSatisfy { descriptor in
      try descriptor.isTie(
        descriptor.keyPath.evaluate(on: neighbor.object), descriptor.keyPath.evaluate(on: object))
    }
  }

  private func neighbor(at path: IndexPath?) async throws -> Neighbor? {
    guard let path else { return nil }
    return Neighbor(path: path, object: try await snapshot.object(at: path))
  }

  /// The previous index path, in the same section or in the nearest non-empty one before it.
  private func path(before path: IndexPath) -> IndexPath? {
    if path.row > 0 { return IndexPath(section: path.section, row: path.row - 1) }
    for section in (0..<path.section).reversed() {
      let count = snapshot.store.numberOfObjects(in: section)
      if count > 0 { return IndexPath(section: section, row: count - 1) }
    }
    return nil
  }

  private func path(after path: IndexPath) -> IndexPath? {
    let next = IndexPath(section: path.section, row: path.row + 1)
    if next.row < snapshot.store.numberOfObjects(in: path.section) { return next }
    return (path.section + 1..<max(path.section + 1, snapshot.numberOfSections))
      .first { snapshot.store.numberOfObjects(in: $0) > 0 }
      .map { IndexPath(section: $0, row: 0) }
  }
}

extension SortDescriptor {
  /// Whether the sort treats two values as equal: a stable sort keeps equal values in either order.
  fileprivate func isTie(_ left: Value, _ right: Value) throws -> Bool {
    var descriptor = self
    descriptor.keyPath = ObjectKeyPath(key: "value")
    let rows = [left, right].map { Value.record(Record([("value", $0)])) }
    let table = ValueTable(rows)
    let order = try table.sorted(.rows([0, 1]), by: [descriptor])
    let reversedOrder = try table.sorted(.rows([1, 0]), by: [descriptor])
    return order[0] == 0 && reversedOrder[0] == 1
  }
}
