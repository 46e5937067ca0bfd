import DataTables

/// The sections of a selection of rows, and where the rows of each are.
enum SectionLayout: Sendable {
  /// One section with all rows.
  case whole(title: Value, count: Int)
  /// Sections by the value of an expression.
  case grouped(GroupedSections)
  /// Many sections by the values of a column that leads the order.
  case paged(PagedSections)
  /// Sections by their first positions in the order, followed by the number of rows.
  case runs(starts: [Int], titles: [Value])

  var count: Int {
    switch self {
    case .whole: 1
    case .grouped(let groups): groups.sections.count
    case .paged(let pages): pages.count
    case .runs(_, let titles): titles.count
    }
  }

  func numberOfObjects(in section: Int) -> Int {
    switch self {
    case .whole(_, let count): count
    case .grouped(let groups): groups.sections[section].count
    case .paged(let pages): pages.numberOfObjects(in: section)
    case .runs(let starts, _): starts[section + 1] - starts[section]
    }
  }

  /// The expression whose values determine the sections; nil for other sections.
  var key: ColumnExpression? {
    switch self {
    case .grouped(let groups): groups.key
    case .paged(let pages): pages.key
    case .whole, .runs: nil
    }
  }

  /// The title of a section; nil if it must be read.
  func knownTitle(of section: Int) -> Value? {
    switch self {
    case .whole(let title, _): title
    case .grouped(let groups): groups.sections[section].title
    case .paged: nil
    case .runs(_, let titles): titles[section]
    }
  }

  /// The position of the first row of each section among all rows, followed by the number of rows.
  var offsets: [Int] {
    switch self {
    case .whole(_, let count): [0, count]
    case .grouped(let groups):
      groups.sections.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    case .paged(let pages): pages.offsets
    case .runs(let starts, _): starts
    }
  }
}
