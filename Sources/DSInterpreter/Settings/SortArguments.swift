import DataSources
import DataTables

/// `sort: city, age desc, name`, with the `nulls:` and the `locale:` that hold for all of it.
struct SortArguments {
  static let labels = [
    Label("sort", "key [asc|desc] [comparison], …", example: "city, age desc", completion: .keys),
    Label(
      "nulls", "first or last, for all of sort:", example: "last",
      completion: .words(SortDescriptor.Nulls.allCases.map(\.rawValue))),
  ]
  static let locale = Label("locale", "of localized sorts", example: "sv")

  private let groups: [[Argument]]?
  private let nulls: Argument?
  private let locale: Argument?

  init(parsing arguments: Arguments, label: String = "sort") throws {
    groups = arguments.groups(label)
    nulls = try arguments.label("nulls")
    locale = try arguments.label("locale")
  }

  /// Whether it says an order, which `null` does not.
  var isGiven: Bool { groups != nil && !clears }

  private var clears: Bool {
    groups.map { $0.count == 1 && $0[0].count == 1 && $0[0][0].isNull } ?? false
  }

  /// The order, where nothing is said as it was.
  ///
  /// - Parameter known: the locale of the source, where `old` has none.
  /// - Throws: ``Diagnostic``; of kind `unknownKey` for a key that the objects at hand lack.
  func descriptors(
    changing old: [SortDescriptor], locale known: String? = nil, over source: any DataSource,
    in session: inout Session
  ) async throws -> [SortDescriptor] {
    var descriptors = clears ? [] : old
    if isGiven, let groups { descriptors = try await parsed(groups, of: source, in: &session) }
    if let nulls {
      let place = try nulls.isNull ? nil : nulls.nullsPlace()
      for index in descriptors.indices { descriptors[index].nulls = place }
    }
    // A locale stays until another is said, as other settings do.
    var name = old.first { $0.comparison.isLocalized }?.locale ?? known
    if let locale { name = try await locale.localeName(in: &session) }
    for index in descriptors.indices where descriptors[index].comparison.isLocalized {
      descriptors[index].locale = name
    }
    return descriptors
  }

  /// - Throws: ``Diagnostic`` for what is said of an order when there is none.
  func checkUse(in descriptors: [SortDescriptor], locale isUsed: Bool = false) throws {
    if let nulls, descriptors.isEmpty, !nulls.isNull {
      throw nulls.error(.badArgument, "`nulls:` belongs to `sort:`")
    }
    if let locale, !isUsed, !locale.isNull,
      !descriptors.contains(where: { $0.comparison.isLocalized })
    {
      throw locale.error(
        .badArgument, "`locale:` belongs to a localized sort, as in `sort: name localized`")
    }
  }

  private func parsed(
    _ groups: [[Argument]], of source: any DataSource, in session: inout Session
  ) async throws -> [SortDescriptor] {
    var keys: [PlacedKeyPath] = []
    var descriptors: [SortDescriptor] = []
    for group in groups {
      guard let first = group.first else { continue }
      let key = try await first.keyPath(in: &session)
      var descriptor = SortDescriptor(key.path)
      for word in group.dropFirst() { try descriptor.apply(word) }
      keys.append(key)
      descriptors.append(descriptor)
    }
    for key in keys { try session.check(key, of: source) }
    return descriptors
  }
}

extension Argument {
  fileprivate func nullsPlace() throws -> SortDescriptor.Nulls? {
    SortDescriptor.Nulls(
      rawValue: try choice(
        of: SortDescriptor.Nulls.allCases.map(\.rawValue), for: "place of nulls"))
  }
}

extension SortDescriptor {
  private static let words =
    Direction.allCases.map(\.rawValue) + Comparison.allCases.map(\.rawValue)

  mutating func apply(_ argument: Argument) throws {
    let text = argument.text ?? ""
    if let direction = Direction(rawValue: text) {
      self.direction = direction
    } else if let comparison = Comparison(rawValue: text) {
      self.comparison = comparison
    } else {
      let near = Suggestion.nearest(to: text, among: Self.words)
      throw argument.error(
        .badArgument,
        "`\(argument.span.text)` is no direction or comparison"
          + (near == nil ? "; a comma stands between the keys of `sort:`" : ""), suggestion: near)
    }
  }
}
