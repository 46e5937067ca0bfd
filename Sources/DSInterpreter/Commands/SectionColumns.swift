import DataSources
import DataTables

/// `with: @count, @sum.price` and `order: @sum.price desc` of `sections`.
struct SectionColumns {
  static let labels = [
    Label(
      "with", "collection operators over a section's objects", example: "@sum.price, @max.when",
      completion: .words(CollectionOperator.allCases.map(\.rawValue))),
    Label(
      "order", "section, title, count or an operator, asc or desc", example: "@sum.price desc",
      completion: .words(Self.criteria + CollectionOperator.allCases.map(\.rawValue))),
  ]
  private static let criteria = ["section", "title", "count"]

  private let columns: [[Argument]]
  private let order: [[Argument]]

  init(parsing arguments: Arguments) {
    columns = arguments.groups("with") ?? []
    order = arguments.groups("order") ?? []
  }

  /// The header and the values, one a section, of each further column.
  func columns(
    of source: any DataSource, _ snapshot: Snapshot, in session: inout Session
  ) async throws -> [(name: String, values: [Value])] {
    var result: [(name: String, values: [Value])] = []
    for group in columns {
      if group.count > 1 {
        throw group[1].error(.syntax, "a comma stands between the columns of `with:`")
      }
      guard let argument = group.first else { continue }
      let key = try await argument.keyPath(in: &session)
      result.append(
        (
          key.path.description,
          try await values(key, argument, of: source, snapshot, in: session)
        ))
    }
    return result
  }

  /// The sections in the order that is asked for.
  func sequence(
    of source: any DataSource, _ snapshot: Snapshot, in session: inout Session
  ) async throws -> [Int] {
    let count = snapshot.numberOfSections
    var columns: [[Value]] = []
    var descriptors: [SortDescriptor] = []
    for group in order {
      guard let first = group.first else { continue }
      let key = ObjectKeyPath([.index(columns.count)])
      var descriptor = SortDescriptor(key)
      for word in group.dropFirst() { try descriptor.apply(word) }
      descriptors.append(descriptor)
      columns.append(try await criterion(first, of: source, snapshot, in: &session))
    }
    let rows = (0..<count).map { section in Value.array(columns.map { $0[section] }) }
    let sorted = try ValueTable(rows).sorted(
      .natural(count), by: descriptors, cancellation: session.cancellation)
    return (0..<count).map { sorted[$0] }
  }

  private func criterion(
    _ argument: Argument, of source: any DataSource, _ snapshot: Snapshot,
    in session: inout Session
  ) async throws -> [Value] {
    let sections = 0..<snapshot.numberOfSections
    switch argument.word {
    case "section": return sections.map { .integer($0) }
    case "title": return try await snapshot.titles()
    case "count": return sections.map { .integer(snapshot.store.numberOfObjects(in: $0)) }
    default:
      let key = try await argument.keyPath(in: &session)
      return try await values(
        key, argument, of: source, snapshot, words: Self.criteria, in: session)
    }
  }

  /// - Parameter words: what could stand there instead of an operator.
  private func values(
    _ key: PlacedKeyPath, _ argument: Argument, of source: any DataSource, _ snapshot: Snapshot,
    words: [String] = [], in session: Session
  ) async throws -> [Value] {
    let operators = CollectionOperator.allCases.map(\.rawValue)
    guard case .collection(let kind)? = key.path.steps.first else {
      let written = argument.span.text.split(separator: ".").first.map(String.init) ?? ""
      throw argument.error(
        .badArgument,
        "`\(argument.span.text)` does not begin with a collection operator, as @sum.price does",
        suggestion: Suggestion.nearest(to: written, among: operators + words))
    }
    if kind != .count, key.path.steps.count > 1 {
      let rest = ObjectKeyPath(Array(key.path.steps.dropFirst()))
      try session.check(PlacedKeyPath(path: rest, span: key.span), of: source)
    }
    return try await snapshot.sectionValues(of: key.path, cancellation: session.cancellation)
  }
}
