/// A type that all cells of a column would have with other labels.
enum SuggestedReading {
  /// Dates whose day and month are undecided.
  case dates([WrittenDate.Order])
  /// Dates with day and month in different orders, the orders that fit the most of them, and the
  /// number that each of these keeps.
  case mixedDates(key: String, [WrittenDate.Order], kept: Int, count: Int)
  case bools(BoolWord.Pair, key: String)
  /// Numbers in one of several styles, the most common first, that extend the style that the user
  /// gave.
  case numbers([NumberStyle], given: NumberStyle, example: String)
  case hexadecimal(key: String, example: String)

  /// Whether the suggestion is worth a line in the report of a load. `describe` shows the others.
  var isLikely: Bool {
    switch self {
    case .dates, .mixedDates, .numbers: true
    case .bools(let pair, _): pair != .digits
    case .hexadecimal: false
    }
  }

  /// The type of the column with the labels; nil without labels.
  var suggestion: SuggestedType? {
    labels.isEmpty ? nil : SuggestedType(type: type, labels: labels)
  }

  private var type: ColumnType {
    switch self {
    case .dates, .mixedDates: .date
    case .bools: .bool
    case .numbers: .real
    case .hexadecimal: .integer
    }
  }

  /// The labels, one list for each way to read the cells.
  var labels: [SuggestedLabels] {
    switch self {
    case .dates(let orders): orders.map { SuggestedLabels("dates", $0.rawValue) }
    case .mixedDates(let key, let orders, _, _):
      // An order decides itself unless another one fits as many dates.
      orders.count <= 1
        ? [SuggestedLabels("types", [(key, "date")])]
        : orders.map {
          SuggestedLabels("types", [(key, "date")]) + SuggestedLabels("dates", $0.rawValue)
        }
    case .bools(_, let key): [SuggestedLabels("types", [(key, "bool")])]
    case .numbers(let styles, let given, _): styles.compactMap { Self.labels($0, given) }
    case .hexadecimal(let key, _): [SuggestedLabels("types", [(key, "hex")])]
    }
  }

  /// `add `types: {v: bool}``
  var advice: String { "add " + labels.map(\.description).joined(separator: " or ") }

  /// `all values are yes and no; add `types: {v: bool}` to read them as bools`
  var text: String {
    switch self {
    case .dates: "dates whose day and month are undecided; \(advice)"
    case .mixedDates(_, let orders, let kept, let count):
      "dates with day and month in different orders; \(advice) "
        + (kept == count
          ? "to read them"
          : orders.count == 1
            ? "to keep those in the more common one"
            : "to keep \(kept.grouped) of \(count.grouped)")
    case .bools(let pair, _): "all values are \(pair.rawValue); \(advice) to read them as bools"
    case .numbers(_, _, let example):
      "all values are numbers such as \(example); \(advice) to read them"
    case .hexadecimal(_, let example):
      "all values are hexadecimal, such as \(example); \(advice) to read them as numbers"
    }
  }

  private static func labels(_ style: NumberStyle, _ given: NumberStyle) -> SuggestedLabels? {
    var labels: [SuggestedLabels] = []
    if style.decimal != given.decimal {
      labels.append(SuggestedLabels("decimal", String(Unicode.Scalar(style.decimal))))
    }
    if style.thousands != given.thousands {
      labels.append(SuggestedLabels("thousands", String(decoding: style.thousands, as: UTF8.self)))
    }
    let units = style.units.filter { !given.units.contains($0) }
    if !units.isEmpty {
      labels.append(SuggestedLabels("unit", units.map { String(decoding: $0, as: UTF8.self) }))
    }
    if style.isAccounting, !given.isAccounting {
      labels.append(SuggestedLabels(ReadOption.accounting.name, "true"))
    }
    return labels.joined
  }
}
