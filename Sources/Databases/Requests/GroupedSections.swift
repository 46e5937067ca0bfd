import DataTables

/// Sections that are determined by the value of an expression.
struct GroupedSections: Sendable {
  struct Section: Sendable {
    var title: Value
    /// The values of the expression in the rows of the section.
    var members: [Value]
    /// The number of rows left out at the start of the section.
    var start = 0
    var count: Int
  }
  let key: ColumnExpression
  var sections: [Section]
  /// The titles of all sections, including hidden ones; nil if no section can be hidden.
  var listed: [ListedTitle]?
  /// Whether the sections follow one another in the order of the rows.
  let isContiguous: Bool
  /// Whether an offset or a limit leaves out rows of the sections.
  var isWindow = false

  /// The section of each value of the expression.
  var sectionOfMember: [Value: Int] {
    var result: [Value: Int] = [:]
    for (index, section) in sections.enumerated() {
      for member in section.members { result[member] = index }
    }
    return result
  }

  /// The number of leading terms of an order that are equal in all rows of a section.
  func fixedTerms(_ section: Int, in order: [OrderTerm]) -> Int {
    guard sections[section].members.count == 1, let first = order.first,
      first.sql.shown == key.sql.shown
    else { return 0 }
    return 1
  }

  /// The condition that selects the rows of a section.
  func condition(_ section: Int) -> SQL { condition(members: sections[section].members) }

  /// The condition that selects the rows with some values of the expression.
  func condition(members: [Value]) -> SQL {
    // The engines compare numbers by value, so that one of equal numbers finds the others. In a list,
    // they may compare the bits instead, and 0 would not find -0.
    let zeros = members.contains { $0 == 0 }
    let values = members.filter { !$0.isNull && $0 != 0 }
    var parts: [SQL] = zeros ? ["\(key.sql) = \(key.operand(own: 0))"] : []
    if values.count > 1, key.hasLists {
      let list = values.map { key.operand(own: $0) }.joined(separator: ", ")
      parts.append("\(key.sql) IN (\(list))")
    } else {
      parts += values.map { "\(key.sql) = \(key.operand(own: $0))" }
    }
    if members.contains(where: \.isNull) { parts.append("\(key.sql) IS NULL") }
    switch parts.count {
    case 0: return "1 = 0"
    case 1: return parts[0]
    default: return "(\(parts.joined(separator: " OR ")))"
    }
  }

  /// The sections with the rows that remain after `offset`, counted over all sections, and their
  /// positions before. Sections without rows are removed.
  func window(from offset: Int, atMost limit: Int?) -> (groups: GroupedSections, kept: [Int]) {
    guard offset > 0 || limit != nil else { return (self, Array(sections.indices)) }
    var result = self
    result.sections = []
    result.listed = nil
    result.isWindow = true
    var kept: [Int] = []
    var position = 0
    let end = limit.map { offset.addingReportingOverflow($0) }.map { $1 ? Int.max : $0 } ?? .max
    for (index, section) in sections.enumerated() {
      let low = max(position, offset)
      let high = min(position + section.count, end)
      if low < high {
        var part = section
        part.start += low - position
        part.count = high - low
        result.sections.append(part)
        kept.append(index)
      }
      position += section.count
    }
    return (result, kept)
  }
}
