import DataSources
import DataTables

/// `sort: city, size in [S, M, L] desc, name`, with the `nulls:` and the `locale:` that apply to all descriptors.
struct SortArguments {
  static let label = Label(
    "sort", .sortDescriptors, "key [in LIST] [asc|desc] [comparison], …", example: "city, age desc")
  static let nulls = Label(
    "nulls", .choice(Choices("null order", SortDescriptor.Nulls.self)),
    "first or last, for all keys of sort:", example: "last")
  static let locale = Label("locale", .locale, "locale of localized sorts", example: "sv")

  private let groups: [[Argument]]?
  private let nulls: Argument?
  private let locale: Argument?

  /// - Parameters:
  ///   - label: the label of the descriptors.
  ///   - locale: the label of the locale.
  init(
    parsing arguments: Arguments, _ label: Label = Self.label, locale: Label = Self.locale
  ) throws {
    groups = arguments.groups(label)
    nulls = try arguments[Self.nulls]
    self.locale = try arguments[locale]
  }

  /// - Parameter groups: the values of ``label``; nil if it is not given.
  init(groups: [[Argument]]?) {
    self.groups = groups
    (nulls, locale) = (nil, nil)
  }

  /// - Parameters:
  ///   - value: the descriptors after `by:`.
  ///   - nulls: the value of `nulls:`.
  init(_ value: LabeledValue, nulls: Atom?) {
    self.nulls = nulls.map { Argument($0, type: Self.nulls.type, label: Self.nulls.name) }
    locale = nil
    guard case .groups(let groups) = value.content else {
      self.groups = nil
      return
    }
    self.groups = groups.map {
      $0.map { Argument($0, type: .sortDescriptors, label: value.label.text) }
    }
  }

  /// Whether descriptors are given; false for `null`.
  var isGiven: Bool { groups.map { !$0.isNull } ?? false }

  /// The new descriptors, which keep the parts of `old` that no argument changes.
  ///
  /// - Parameter known: the locale of the source, used if the `old` descriptors have no locale.
  /// - Throws: ``Diagnostic``; of kind `unknownKey` for a key that the content lacks.
  func descriptors(
    changing old: [SortDescriptor], locale known: String? = nil, over source: any DataSource,
    in session: inout Session
  ) async throws -> [SortDescriptor] {
    var descriptors = old
    if let groups {
      descriptors = groups.isNull ? [] : try await parsed(groups, of: source, in: &session)
    }
    if let nulls {
      let order: SortDescriptor.Nulls? = try nulls.isNull ? nil : nulls.choice()
      for index in descriptors.indices { descriptors[index].nulls = order }
    }
    // Like other settings, a locale applies until another locale is given.
    var name = old.first { $0.comparison.isLocalized }?.locale ?? known
    if let locale { name = try await locale.localeName(in: &session) }
    for index in descriptors.indices where descriptors[index].comparison.isLocalized {
      descriptors[index].locale = name
    }
    return descriptors
  }

  /// - Parameter isUsed: whether something other than the descriptors uses the locale.
  /// - Throws: ``Diagnostic`` for a `nulls:` or a `locale:` that applies to nothing.
  func checkUse(in descriptors: [SortDescriptor], locale isUsed: Bool = false) throws {
    if let nulls, descriptors.isEmpty, !nulls.isNull {
      throw nulls.error(.badArgument, "`nulls:` needs `sort:`")
    }
    if let locale, !isUsed, !locale.isNull,
      !descriptors.contains(where: { $0.comparison.isLocalized })
    {
      throw locale.error(
        .badArgument, "`locale:` needs a localized sort such as `sort: name localized`")
    }
  }

  private func parsed(
    _ groups: [[Argument]], of source: any DataSource, in session: inout Session
  ) async throws -> [SortDescriptor] {
    var keys: [LocatedKeyPath] = []
    var descriptors: [SortDescriptor] = []
    for group in groups {
      guard let first = group.first else { continue }
      if let word = first.word, word.hasPrefix("-"), word.count > 1 {
        throw first.error(
          .badArgument, "a minus sign does not reverse a sort; write `\(word.dropFirst()) desc`")
      }
      let key = try await first.typed(.keyPath(.everyRow)).keyPath(in: &session)
      var descriptor = SortDescriptor(key.path)
      var words = group.dropFirst()
      if let list = try SortList(parsing: &words) {
        descriptor.list = try await list.values(in: &session)
      }
      for word in words { try descriptor.apply(word) }
      keys.append(key)
      descriptors.append(descriptor)
    }
    for key in keys { try session.check(key, of: source) }
    return descriptors
  }
}

extension SortDescriptor {
  /// The words that can follow a key.
  static let qualifiers = Choices(
    "direction or comparison",
    Direction.allCases.map(\.rawValue) + Comparison.allCases.map(\.rawValue),
    aliases: ["ascending", "descending"])

  /// Applies a direction or a comparison.
  mutating func apply(_ argument: Argument) throws {
    let text = argument.text ?? ""
    let short = ["ascending": "asc", "descending": "desc"][text] ?? text
    if let direction = Direction(rawValue: short) {
      self.direction = direction
    } else if let comparison = Comparison(rawValue: text) {
      self.comparison = comparison
    } else {
      throw argument.unknownQualifier
    }
  }
}

/// The list that orders the values of a key: `in [High, Medium, Low]`.
struct SortList {
  static let word = "in"

  private let list: Argument

  /// Takes `in` and the list from the words after a key; nil if they begin with another word.
  init?(parsing words: inout ArraySlice<Argument>) throws {
    guard let first = words.first, first.word?.lowercased() == Self.word else { return nil }
    words = words.dropFirst()
    guard let list = words.first else {
      throw first.error(
        .badArgument, "`in` needs the values in their order, as in `size in [S, M, L]`")
    }
    words = words.dropFirst()
    self.list = list.typed(.list(.value))
    guard list.elements?.isEmpty == false || list.isCommand else {
      throw list.error(
        .badArgument,
        "`in` needs a list of values, as in `size in [S, M, L]`, not `\(list.span.text)`")
    }
  }

  func values(in session: inout Session) async throws -> [Value] {
    guard case .array(let values) = try await list.value(in: &session), !values.isEmpty else {
      throw list.mismatch()
    }
    if values.contains(where: \.isNull) {
      throw list.error(
        .badArgument, "null has no place in the list; `nulls: first` or `nulls: last` orders it")
    }
    var seen: Set<Value> = []
    if let repeated = values.first(where: { !seen.insert($0).inserted }) {
      throw list.error(.badArgument, "the list contains \(repeated.excerpt) twice")
    }
    return values
  }
}

extension Argument {
  /// The error for an unknown word after a key. Usually the comma before the next key is missing.
  var unknownQualifier: Diagnostic {
    let near = Suggestion.nearest(to: text ?? "", among: SortDescriptor.qualifiers.words)
    return error(
      .badArgument,
      "unknown direction or comparison `\(span.text)`"
        + (near == nil ? "; separate keys with commas" : ""), suggestion: near)
  }
}
