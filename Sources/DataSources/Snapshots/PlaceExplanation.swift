import DataTables

/// Tells from the neighbours of an object why a sort put it where it stands, and where its section
/// began.
struct PlaceExplanation {
  private let path: IndexPath
  private let snapshot: Snapshot
  private let arrangement: Arrangement

  /// nil when nothing ordered or cut the rows.
  init?(of path: IndexPath, in snapshot: Snapshot) {
    guard let arrangement = snapshot.arrangement else { return nil }
    self.path = path
    self.snapshot = snapshot
    self.arrangement = arrangement
  }

  /// An object beside the one that is told of.
  private struct Neighbour {
    let path: IndexPath
    let object: Value
  }

  func lines() async throws -> [ExplanationLine] {
    let object = try await snapshot.object(at: path)
    let kept = try arrangement.verdict(on: object).map { [ExplanationLine("where", $0.text)] } ?? []
    return kept + (try await placeLines(of: object))
  }

  private func placeLines(of object: Value) async throws -> [ExplanationLine] {
    var lines: [ExplanationLine] = []
    if let key = arrangement.key { lines.append(try await sectionLine(key, of: object)) }
    guard !arrangement.sort.isEmpty else {
      return lines + [ExplanationLine("row \(path.row)", "in the order of what is below; no sort")]
    }
    let before = try await neighbour(at: rowPlace(placeBefore(path)))
    let after = try await neighbour(at: rowPlace(placeAfter(path)))
    lines += try rowLines(of: object, before: before, after: after)
    if try isTied(object, with: before) || isTied(object, with: after) {
      lines.append(
        ExplanationLine("", "what the sort finds equal keeps the order of what is below"))
    }
    return lines
  }

  /// A place beside the object, where the sort tells of it.
  private func rowPlace(_ place: IndexPath?) -> IndexPath? {
    arrangement.ordersSections && place?.section != path.section ? nil : place
  }

  /// A line for each descriptor, of the neighbours that those before it leave equal.
  private func rowLines(
    of object: Value, before: Neighbour?, after: Neighbour?
  ) throws -> [ExplanationLine] {
    let place = arrangement.ordersSections ? " of the section" : ""
    var (before, after) = (before, after)
    var ends = [before == nil ? "the first" + place : nil, after == nil ? "the last" + place : nil]
    if before == nil, after == nil { ends = ["the only one" + place, nil] }
    return try arrangement.sort.enumerated().map { index, descriptor in
      let parts = [
        index == 0 ? ends[0] : nil, try phrase(&before, "after", descriptor, object),
        try phrase(&after, "before", descriptor, object), index == 0 ? ends[1] : nil,
      ].compactMap { $0 }
      let text =
        parts.isEmpty ? "not asked, as the keys before it tell" : parts.joined(separator: ", ")
      return ExplanationLine(
        index == 0 ? "row \(path.row)" : "",
        "\(descriptor.keyPath): \(text) \(Self.rule(descriptor))")
    }
  }

  /// `after "Papaya" [5, 0]`; a neighbour that differs is then told, and gone.
  private func phrase(
    _ neighbour: inout Neighbour?, _ word: String, _ descriptor: SortDescriptor, _ object: Value
  ) throws -> String? {
    guard let beside = neighbour else { return nil }
    let value = descriptor.keyPath.evaluate(on: beside.object)
    if try descriptor.isTie(value, descriptor.keyPath.evaluate(on: object)) {
      return "equal to \(value.json) \(beside.path)"
    }
    neighbour = nil
    return "\(word) \(value.json) \(beside.path)"
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
    var text = "\(key) is \(value.json)"
    if title != value { text += ", in the section titled \(title.json)" }
    text += "; the section begins at \(start)"
    if let last = try await neighbour(at: placeBefore(start)) {
      text += ", where the row before has \(key.evaluate(on: last.object).json)"
    } else {
      text += ", the first row"
    }
    return ExplanationLine("section \(path.section)", text)
  }

  private func isTied(_ object: Value, with neighbour: Neighbour?) throws -> Bool {
    guard let neighbour else { return false }
    return try arrangement.sort.allSatisfy { descriptor in
      try descriptor.isTie(
        descriptor.keyPath.evaluate(on: neighbour.object), descriptor.keyPath.evaluate(on: object))
    }
  }

  private func neighbour(at path: IndexPath?) async throws -> Neighbour? {
    guard let path else { return nil }
    return Neighbour(path: path, object: try await snapshot.object(at: path))
  }

  /// The place before, in the same section or in the last one before that is not empty.
  private func placeBefore(_ path: IndexPath) -> IndexPath? {
    if path.row > 0 { return IndexPath(section: path.section, row: path.row - 1) }
    for section in (0..<path.section).reversed() {
      let count = snapshot.store.numberOfObjects(in: section)
      if count > 0 { return IndexPath(section: section, row: count - 1) }
    }
    return nil
  }

  private func placeAfter(_ path: IndexPath) -> IndexPath? {
    let next = IndexPath(section: path.section, row: path.row + 1)
    if next.row < snapshot.store.numberOfObjects(in: path.section) { return next }
    return (path.section + 1..<max(path.section + 1, snapshot.numberOfSections))
      .first { snapshot.store.numberOfObjects(in: $0) > 0 }
      .map { IndexPath(section: $0, row: 0) }
  }
}

extension SortDescriptor {
  /// Whether a sort leaves two values in the order in which they came, whichever that is.
  fileprivate func isTie(_ left: Value, _ right: Value) throws -> Bool {
    var descriptor = self
    descriptor.keyPath = ObjectKeyPath(key: "value")
    let rows = [left, right].map { Value.record(Record([("value", $0)])) }
    let table = ValueTable(rows)
    let forth = try table.sorted(.rows([0, 1]), by: [descriptor])
    let back = try table.sorted(.rows([1, 0]), by: [descriptor])
    return forth[0] == 0 && back[0] == 1
  }
}
