/// An order of rows that is put together from ranges of another order and single rows.
struct RowPlan {
  /// A part of the new order.
  enum Part {
    /// Positions of the other order; not empty.
    case range(Range<Int>)
    case row(Int)

    func firstRow(in order: RowOrder) -> Int {
      switch self {
      case .range(let positions): order[positions.lowerBound]
      case .row(let row): row
      }
    }

    var count: Int { if case .range(let positions) = self { positions.count } else { 1 } }
  }
  private let old: RowOrder
  private var parts: [Part] = []
  private(set) var count = 0

  init(_ old: RowOrder) { self.old = old }

  /// Appends positions of the other order without some of them and with other rows, which are
  /// inserted before their positions.
  ///
  /// - Parameters:
  ///   - removed: some of `positions`, ascending.
  ///   - added: ascending, up to the end of `positions`.
  /// - Returns: the appended parts; nil if all positions were appended without a change.
  @discardableResult
  mutating func append(
    _ positions: Range<Int>, without removed: ArraySlice<Int>,
    with added: ArraySlice<RowPlaces.Placed>
  ) -> [Part]? {
    guard !removed.isEmpty || !added.isEmpty else {
      append(.range(positions))
      return nil
    }
    var changed: [Part] = []
    var (removed, added) = (removed, added)
    var start = positions.lowerBound
    func keep(upTo end: Int) {
      if start < end { changed.append(.range(start..<end)) }
      start = max(start, end)
    }
    while !removed.isEmpty || !added.isEmpty {
      let next = removed.first ?? .max
      if let placed = added.first, placed.position <= next {
        keep(upTo: placed.position)
        changed.append(.row(placed.addition.row))
        added.removeFirst()
      } else {
        keep(upTo: next)
        start = next + 1
        removed.removeFirst()
      }
    }
    keep(upTo: positions.upperBound)
    for part in changed { append(part) }
    return changed
  }

  private mutating func append(_ part: Part) {
    if part.count == 0 { return }
    count += part.count
    if case .range(let positions) = part, case .range(let last)? = parts.last,
      last.upperBound == positions.lowerBound
    {
      parts[parts.count - 1] = .range(last.lowerBound..<positions.upperBound)
    } else {
      parts.append(part)
    }
  }

  /// - Complexity: O(rows), as fast as memory is copied.
  func order() -> RowOrder {
    let old = old.list
    return .rows(
      [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
        LargePages.advise(buffer)
        for part in parts {
          switch (part, old) {
          case (.row(let row), _):
            buffer.initializeElement(at: initialized, to: UInt32(truncatingIfNeeded: row))
          case (.range(let positions), nil):
            for (index, row) in positions.enumerated() {
              buffer.initializeElement(
                at: initialized + index, to: UInt32(truncatingIfNeeded: row))
            }
          case (.range(let positions), let rows?):
            _ = buffer[initialized...].initialize(fromContentsOf: rows[positions])
          }
          initialized += part.count
        }
      })
  }
}
