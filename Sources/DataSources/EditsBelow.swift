public import DataTables

/// An edit of a child that is a part of an edit of its wrapper.
public struct EditBelow: Sendable {
  /// The index of the child.
  public let child: Int
  public let edit: Edit

  public init(child: Int, edit: Edit) {
    self.child = child
    self.edit = edit
  }
}

extension Edit {
  /// The move of an object to the index path that it has after the move.
  public static func move(_ path: IndexPath, to target: IndexPath) -> Edit {
    let isAfter = path.section == target.section && target.row > path.row && target.row < .max
    let place = IndexPath(section: target.section, row: target.row + (isAfter ? 1 : 0))
    return .move(from: path, to: .path(place), setting: [])
  }

  /// One edit for two edits of a source, whose index paths all refer to the content before them; nil
  /// if they cannot be joined.
  fileprivate func joined(with other: Edit) -> Edit? {
    switch (self, other) {
    case (.remove(let left), .remove(let right)): .remove(paths: left + right)
    case (.update(let left), .update(let right)): .update(left + right)
    default: nil
    }
  }

  /// The index path that the first new or moved object should have after the edit; nil if the edit
  /// does not determine one.
  var target: IndexPath? {
    switch self {
    case .insert(_, .path(let path)): return path
    case .move(let from, .path(let path), _):
      let isAfter = path.section == from.section && path.row > from.row
      return isAfter ? IndexPath(section: path.section, row: path.row - 1) : path
    case .insert, .remove, .update, .move: return nil
    }
  }

  /// - Throws: ``SourceError``, `outOfRange` for an index path without an object, and for a place
  ///   behind the end of its section.
  func check(in content: Snapshot) async throws {
    for path in paths {
      try await content.check(path)
    }
    if let target { try check(target, in: try content.numberOfObjects(in: target.section)) }
  }

  /// Checks an edit of one section of some objects.
  /// - Throws: see ``check(in:)``.
  func check(count: Int, title: Value) throws(SourceError) {
    for path in paths + (target.map { [$0] } ?? []) where path.section != 0 {
      throw .sectionOutOfRange(path.section, sections: 1)
    }
    for path in paths where path.row < 0 || path.row >= count {
      throw .rowOutOfRange(path, rows: count, title: title)
    }
    if let target { try check(target, in: count) }
  }

  /// - Parameter count: the number of objects in the section before the edit.
  private func check(_ target: IndexPath, in count: Int) throws(SourceError) {
    var places = count + 1
    if case .move(let from, _, _) = self, from.section == target.section { places -= 1 }
    guard target.row >= 0, target.row < places else {
      throw SourceError.placeOutOfRange(target, places: places)
    }
  }
}

extension DataSource {
  /// The edits of the sources that own the objects, in order.
  func editsOfOwners(
    _ edit: Edit
  ) async throws -> [(owner: any EditableSource, edit: Edit)] {
    var found: [(owner: any EditableSource, edit: Edit)] = []
    var open = [(source: self as any DataSource, edit: edit)]
    while let (source, edit) = open.popLast() {
      if source.isFetching { throw SourceError.fetchUnderWay }
      try source.checkShowsLatestContent()
      guard let owner = source as? any EditableSource, owner.owns(edit) else {
        for below in try await source.editsBelow(edit).reversed() {
          open.append((source.children[below.child], below.edit))
        }
        continue
      }
      // Their index paths count without each other's effect.
      guard let index = found.firstIndex(where: { $0.owner === owner }) else {
        found.append((owner, edit))
        continue
      }
      guard let joined = found[index].edit.joined(with: edit) else {
        throw SourceError.data(
          .badArgument("the same objects are shown in several places; edit the source below"))
      }
      found[index].edit = joined
    }
    return found
  }

  public func editsBelow(_ edit: Edit) async throws -> [EditBelow] {
    try await editsOfSameObjects(edit)
  }

  /// The edits of the children's objects, which this source shows unchanged.
  func editsOfSameObjects(_ edit: Edit) async throws -> [EditBelow] {
    guard !children.isEmpty else {
      throw SourceError.data(.badArgument("the objects of this kind of source cannot be edited"))
    }
    let content = try content
    switch edit {
    case .insert(let objects, .path(let path)):
      let values = try await values(ofSection: path.section, in: content)
      let objects = try objects.map { try $0.settingMissing(values) }
      guard let place = try await origin(ofPlace: path, in: content) else {
        return [EditBelow(child: try onlyChild, edit: .insert(objects: objects, at: .end))]
      }
      return [EditBelow(child: place.child, edit: .insert(objects: objects, at: .path(place.path)))]
    case .insert: return [EditBelow(child: try onlyChild, edit: edit)]
    case .move(let from, let place, let values):
      return try await moves(from, to: place, setting: values, in: content)
    case .remove(let paths):
      return try await grouped(paths, in: content) { .remove(paths: $0.map(\.path)) }
    case .update(let updates):
      return try await grouped(updates.map(\.path), in: content) { origins in
        .update(origins.map { ObjectUpdate($0.path, updates[$0.index].values) })
      }
    }
  }

  private var onlyChild: Int {
    get throws(SourceError) {
      guard children.count == 1 else {
        throw .data(
          .badArgument(
            "cannot determine which source below should receive the object; add `at: [SECTION, ROW]`"
          ))
      }
      return 0
    }
  }

  private func moves(
    _ from: IndexPath, to place: Edit.Place, setting values: [KeyValue], in content: Snapshot
  ) async throws -> [EditBelow] {
    guard let origin = try await origins(of: [from], in: content)[0] else {
      throw SourceError.outdatedObject
    }
    guard case .path(let path) = place else {
      return [
        EditBelow(child: origin.child, edit: .move(from: origin.path, to: place, setting: values))
      ]
    }
    var values = values
    if path.section != from.section {
      values += try await self.values(ofSection: path.section, in: content)
    }
    // Without other objects in the section, any place will do.
    let target = try await self.origin(ofPlace: path, in: content) ?? origin
    if children[target.child] === children[origin.child] {
      return [
        EditBelow(
          child: origin.child,
          edit: .move(from: origin.path, to: .path(target.path), setting: values))
      ]
    }
    let object = try await children[origin.child].object(at: origin.path).updating(values)
    return [
      EditBelow(child: origin.child, edit: .remove(origin.path)),
      EditBelow(child: target.child, edit: .insert(objects: [object], at: .path(target.path))),
    ]
  }

  /// The edits of the children that have some objects; each child occurs once.
  private func grouped(
    _ paths: [IndexPath], in content: Snapshot,
    _ edit: ([(index: Int, path: IndexPath)]) throws -> Edit
  ) async throws -> [EditBelow] {
    let origins = try await origins(of: paths, in: content)
    var groups: [(child: Int, objects: [(index: Int, path: IndexPath)])] = []
    for (index, origin) in origins.enumerated() {
      guard let origin else { throw SourceError.outdatedObject }
      let group =
        groups.last.map { $0.child == origin.child } == true
        ? groups.count - 1 : groups.firstIndex { children[$0.child] === children[origin.child] }
      if let group {
        groups[group].objects.append((index, origin.path))
      } else {
        groups.append((origin.child, [(index, origin.path)]))
      }
    }
    return try groups.map { EditBelow(child: $0.child, edit: try edit($0.objects)) }
  }

  /// The children that have some objects, and the index paths in these; nil for an object that a child
  /// no longer has.
  func origins(of paths: [IndexPath], in content: Snapshot) async throws -> [ObjectOrigin?] {
    var origins = [ObjectOrigin?](repeating: nil, count: paths.count)
    // One at a time, the search for each would take time for all rows.
    if paths.count > 1, let store = content.store.local {
      let rows = try paths.map { try store.row(at: $0) }
      for (child, source) in children.enumerated() {
        guard let below = source.state.snapshot?.store.local else { continue }
        for (index, path) in below.indexPaths(ofRows: rows, of: store.table).enumerated() {
          if let path, origins[index] == nil {
            origins[index] = ObjectOrigin(child: child, path: path)
          }
        }
      }
    }
    for index in paths.indices where origins[index] == nil {
      guard let found = try await origin(of: paths[index], in: content),
        children.indices.contains(found.child)
      else { continue }
      origins[index] = found
    }
    return origins
  }

  /// The place in a child before the object at an index path, or after the last object of its
  /// section; nil for a section without objects.
  public func origin(
    ofPlace path: IndexPath, in content: Snapshot
  ) async throws -> ObjectOrigin? {
    try await originOfNeighbor(at: path, in: content)
  }

  func originOfNeighbor(at path: IndexPath, in content: Snapshot) async throws -> ObjectOrigin? {
    let count = try content.numberOfObjects(in: path.section)
    if count == 0 { return nil }
    let isEnd = path.row >= count
    let neighbor = isEnd ? IndexPath(section: path.section, row: count - 1) : path
    guard let origin = try await origins(of: [neighbor], in: content)[0] else {
      throw SourceError.outdatedObject
    }
    let row = origin.path.row + (isEnd ? 1 : 0)
    return ObjectOrigin(
      child: origin.child, path: IndexPath(section: origin.path.section, row: row))
  }

  /// The values by which an object is in a section; empty if the section has no key.
  ///
  /// - Throws: `badArgument` if the section does not determine the value of its key.
  private func values(ofSection section: Int, in content: Snapshot) async throws -> [KeyValue] {
    guard case .split(let key, let mode, let settings)? = content.request?.sections else {
      return []
    }
    let title = try await content.title(of: section)
    let isListed = mode.name == SectionMode.fixed.name && settings.titles.contains(title)
    guard mode.isByValue || isListed else {
      throw SourceError.data(
        .badArgument("the section \(title.excerpt) does not determine `\(key)` of an object"))
    }
    return [KeyValue(key, title)]
  }
}
