public import DataTables

/// A change of the children of a ``MultiSource``. A child is named by its section and shown in it.
public enum ChildEdit {
  /// Adds a child.
  ///
  /// - Parameter at: the first section that the child has then; nil for the end.
  case insert(any DataSource, at: Int?)
  case remove(section: Int)
  /// - Parameter to: the section that the child has after the move.
  case move(section: Int, to: Int)
}

extension MultiSource {
  /// Adds, removes or moves a child. The source and its wrappers that were fetched before show the
  /// edit immediately; it can be undone like an edit of objects.
  ///
  /// - Parameter listener: receives every event of all sources that the edit reaches.
  /// - Throws: the errors of ``EditTransaction/apply(_:to:cancellation:)-swift.method``, after which
  ///   nothing has changed.
  @discardableResult
  public func edit(
    _ edit: ChildEdit, cancellation: Cancellation = Cancellation(),
    listener: ((TranscriptEntry) -> Void)? = nil
  ) async throws(SourceError) -> EditGroup {
    try await EditTransaction.making(cancellation: cancellation, listener: listener) {
      try await $0.apply(edit, to: self, cancellation: cancellation)
    }
  }
}

extension EditTransaction {
  /// Adds, removes or moves a child; after an error, this edit has changed nothing.
  ///
  /// - Throws: ``SourceError``: `notFetched` if the source or a new child has no content; `outOfRange`
  ///   for a section that does not exist; `badArgument` for a section that is one of several of its
  ///   child, a place between such sections, a new child that wraps the source, and for a source of
  ///   files; `conflict` while the source is being fetched.
  public func apply(
    _ edit: ChildEdit, to source: MultiSource, cancellation: Cancellation = Cancellation()
  ) async throws(SourceError) {
    try await apply(to: source, cancellation: cancellation) { group throws(SourceError) in
      if source.family != nil {
        throw .data(
          .badArgument("its files decide the sections; add or delete files, then fetch it"))
      }
      _ = try source.content
      switch edit {
      case .insert(let child, let section): return try source.insert(child, at: section, in: group)
      case .remove(let section): return try source.remove(section: section, in: group)
      case .move(let section, let target):
        return try source.move(section: section, to: target, in: group)
      }
    }
  }
}

extension MultiSource {
  fileprivate func insert(
    _ child: any DataSource, at section: Int?, in group: EditGroup
  ) throws(SourceError) -> EditCounts {
    if child.wraps(self) {
      throw .data(.badArgument("a source cannot join itself or a source that wraps it"))
    }
    _ = try child.content
    let ranges = sectionRanges
    let place = try section.map { section throws(SourceError) in
      try Self.place(section, in: Array(ranges.enumerated()))
    }
    let position = place ?? ranges.count
    pool.append(child)
    history.replace(position..<position, with: [pool.count - 1..<pool.count], in: group)
    return EditCounts(insertedSections: 1)
  }

  fileprivate func remove(
    section: Int, in group: EditGroup
  ) throws(SourceError) -> EditCounts {
    let position = try child(ofSection: section)
    history.replace(position..<position + 1, with: [], in: group)
    return EditCounts(removedSections: 1)
  }

  fileprivate func move(
    section: Int, to target: Int, in group: EditGroup
  ) throws(SourceError) -> EditCounts {
    let position = try child(ofSection: section)
    // The sections after the move, without those of the child itself.
    var others = Array(sectionRanges.enumerated())
    others.remove(at: position)
    for index in others.indices where index >= position {
      let range = others[index].element
      others[index].element = range.lowerBound - 1..<range.upperBound - 1
    }
    let place = try Self.place(target, in: others)
    let new = place > position ? place - 1 : place
    if new != position {
      let lower = min(position, new)
      var rows = (lower...max(position, new)).map { history.rows[$0] }
      rows.insert(rows.remove(at: position - lower), at: new - lower)
      history.replace(lower..<lower + rows.count, with: rows.map { $0..<$0 + 1 }, in: group)
    }
    return EditCounts(movedSections: 1)
  }

  /// The sections of each child.
  private var sectionRanges: [Range<Int>] {
    var start = 0
    return children.map { child in
      let count = hasPreservedSections ? child.numberOfSections : 1
      defer { start += count }
      return start..<start + count
    }
  }

  /// The position of the child that has a section, and no other.
  private func child(ofSection section: Int) throws(SourceError) -> Int {
    let ranges = sectionRanges
    let count = ranges.last?.upperBound ?? 0
    guard let position = ranges.firstIndex(where: { $0.contains(section) }) else {
      throw .sectionOutOfRange(section, sections: count)
    }
    guard ranges[position].count == 1 else {
      throw .sectionOfChild(section, child: position, sections: ranges[position])
    }
    return position
  }

  /// The position of the child whose first section is `section`; the number of children for the end.
  ///
  /// - Parameter children: the positions of the children, and their sections.
  private static func place(
    _ section: Int, in children: [(offset: Int, element: Range<Int>)]
  ) throws(SourceError) -> Int {
    let end = children.last?.element.upperBound ?? 0
    if section == end { return (children.last?.offset ?? -1) + 1 }
    guard let child = children.first(where: { $0.element.contains(section) }) else {
      throw .sectionPlaceOutOfRange(section, places: end + 1)
    }
    guard child.element.lowerBound == section else {
      throw .placeInChild(section, child: child.offset, sections: child.element)
    }
    return child.offset
  }
}
