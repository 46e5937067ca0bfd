/// The least or the greatest key of a numeric column in each section.
struct SectionExtremes {
  /// An extreme and the first row of the table that has it; nil in a section without numbers.
  struct Extreme {
    let key: UInt64
    let row: Int
    /// Whether another row of the section has the same key.
    let repeats: Bool
  }
  let extremes: [Extreme?]

  /// - Complexity: O(rows), on all processors.
  init(of keys: NumericKeys, in sections: RowSections, isMaximum: Bool) {
    // Folded keys are best if they are least; that of null is the greatest.
    let folding = KeyFolding(isDescending: isMaximum, nullsFirst: false)
    let parts = Parallel.parts(of: keys.count)
    let found = WorkerSlots<Best>(parts)
    keys.withUnsafeBufferPointer { keys in
      sections.numbers.withUnsafeBufferPointer { numbers in
        Parallel.forEachPart(of: keys.count) { part, rows in
          var best = Best(sections: sections.count)
          best.add(keys, rows, folding, in: numbers)
          found[part] = best
        }
      }
    }
    var all = Best(sections: sections.count)
    for part in 0..<parts { if let best = found[part] { all.add(best) } }
    extremes = (0..<sections.count).map { section in
      guard all.keys[section] != NumericColumn.null else { return nil }
      let row = Int(all.rows[section])
      return Extreme(key: keys[row], row: row, repeats: all.repeats[section])
    }
  }

  /// The best folded keys so far, by section; the last one is of the rows in no section.
  private struct Best {
    private(set) var keys: [UInt64]
    private(set) var rows: [UInt32]
    private(set) var repeats: [Bool]

    init(sections: Int) {
      keys = [UInt64](repeating: NumericColumn.null, count: sections + 1)
      rows = [UInt32](repeating: 0, count: sections + 1)
      repeats = [Bool](repeating: false, count: sections + 1)
    }

    mutating func add(
      _ column: UnsafeBufferPointer<UInt64>, _ range: Range<Int>, _ folding: KeyFolding,
      in sections: UnsafeBufferPointer<UInt16>
    ) {
      keys.withUnsafeMutableBufferPointer { keys in
        rows.withUnsafeMutableBufferPointer { rows in
          repeats.withUnsafeMutableBufferPointer { repeats in
            for row in range {
              let (key, section) = (folding(column[row]), Int(sections[row]))
              if key > keys[section] { continue }
              if key == keys[section] {
                repeats[section] = true
              } else {
                keys[section] = key
                rows[section] = UInt32(truncatingIfNeeded: row)
                repeats[section] = false
              }
            }
          }
        }
      }
    }

    /// Adds the best keys of the rows that follow.
    mutating func add(_ next: Best) {
      for section in keys.indices where next.keys[section] <= keys[section] {
        if next.keys[section] == keys[section] {
          repeats[section] = true
        } else {
          keys[section] = next.keys[section]
          rows[section] = next.rows[section]
          repeats[section] = next.repeats[section]
        }
      }
    }
  }
}
