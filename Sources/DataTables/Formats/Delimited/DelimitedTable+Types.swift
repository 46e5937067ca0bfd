/// The type of edited values, compared with that of their columns.
extension DelimitedTable {
  /// The number of rows in which the notation of a column is searched.
  private static let searchedRows = 100

  /// A date in the notation of its column; nil for other values, for a date that has that notation,
  /// and if none is found.
  func written(_ value: Value, at place: Int) -> String? {
    guard case .date(let date) = value, let order = forms[place].dateOrder,
      Timestamp(iso: date.text) != nil || reading(of: date.text, at: place) != value
    else { return nil }
    for row in 0..<min(count, Self.searchedRows) {
      if case .record(let record)? = try? object(at: row),
        case .date(let other) = record.values[place], Timestamp(iso: other.text) == nil,
        let notation = DateNotation(of: other.text, order)
      {
        return notation.text(of: date.moment)
      }
    }
    return nil
  }

  /// The value that a load reads for a text, if the column keeps its type.
  private func reading(of text: String, at place: Int) -> Value {
    var text = text
    return text.withUTF8 { cells.value(of: UnsafeRawBufferPointer($0), as: forms[place]) }
  }

  package func typeLosses(in rows: [RewrittenRow]) throws -> [TypeLoss] {
    let forms = forms
    var open = keys.indices.filter { place in
      !forms[place].isRequested && [.integer, .real, .bool, .date].contains(forms[place].type)
    }
    var losses: [TypeLoss] = []
    for row in rows where count > 0 && !open.isEmpty {
      let (object, original): (Value, Int?)
      switch row {
      case .kept: continue
      case .replaced(let row, let new): (object, original) = (new, row)
      case .inserted(let new): (object, original) = (new, nil)
      }
      guard case .record(let new) = object else { continue }
      for place in open {
        guard let value = new[keys[place]], !value.isNull, !value.hasType(forms[place].type)
        else { continue }
        let text = if case .string(let string) = value { string } else { value.json }
        guard case .string = reading(of: text, at: place) else { continue }
        if let original, case .record(let old) = try self.object(at: original),
          old.values[place] == value
        {
          continue
        }
        losses.append(TypeLoss(key: keys[place], type: forms[place].type, value: value))
        open.removeAll { $0 == place }
      }
    }
    return losses
  }
}

extension Value {
  fileprivate func hasType(_ type: ColumnType) -> Bool {
    switch (self, type) {
    case (.integer, .integer), (.integer, .real), (.real, .integer), (.real, .real), (.bool, .bool),
      (.date, .date):
      true
    default: false
    }
  }
}
