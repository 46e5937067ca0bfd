import DataSources
import DataTables

/// The statements that put rows into the sections of a mode.
struct SwiftSectioning {
  /// The function, with these statements when they are written.
  private(set) var function: SwiftFunction
  let key: ObjectKeyPath
  let mode: SectionMode
  let settings: SectionSettings
  /// The variable of the sections.
  let result: String

  private var row: SwiftRow { function.row }
  private var section: String { function.section }

  init(
    _ function: SwiftFunction, by key: ObjectKeyPath, _ mode: SectionMode,
    _ settings: SectionSettings, as result: String
  ) {
    self.function = function
    self.key = key
    self.mode = mode
    self.settings = settings
    self.result = result
  }

  /// Writes the statements that put rows into sections.
  ///
  /// - Parameter value: the expression of the rows.
  mutating func split(_ value: String) throws(CodeRefusal) {
    let property = try function.row.property(for: key)
    let place = property.text == "self" ? row.variable : "\(row.variable).\(property.text)"
    switch mode.name {
    case SectionMode.runs.name, SectionMode.strict.name:
      loop(over: value, title: title(place, property.shape)) { [result] text, row, section in
        // The title of no section is nil, as that of a section can be.
        text.block("if let last = \(result).indices.last, \(result)[last].title == title") {
          $0.add("\(result)[last].\(row.plural).append(\(row.variable))")
        }
        text.replaceLast("}", with: "} else {")
        text.indented { text in
          text.add(
            "\(result).append(\(section)(title: title, \(row.plural): [\(row.variable)]))")
        }
        text.add("}")
      }
    case SectionMode.groups.name:
      group(value, title: title(place, property.shape))
      try order(settings.order, property.shape)
    case SectionMode.fixed.name:
      fixed(value, title(place, property.shape), property.shape)
    case SectionMode.collated.name: try collate(value, place, property.shape)
    default:
      guard case .date = property.shape.kind else {
        throw CodeRefusal(
          "the values of `\(key)` are not read as dates by the app; "
            + "`types: {\(key): date}` reads them as dates", use: "library")
      }
      try byDate(value, place, property)
    }
  }

  /// The title of a section as a string; nil for a value that is null.
  private mutating func title(_ value: String, _ shape: ValueShape) -> String {
    switch shape.kind {
    case .string: return value
    case .date(let form):
      let style = form == .day ? ".iso8601.year().month().day()" : ".iso8601"
      return shape.isOptional
        ? "\(value)?.formatted(\(style))" : "\(value).formatted(\(style))"
    case .double:
      function.add(helper: Self.numberTitle)
      return shape.isOptional ? "\(value).map { text(of: $0) }" : "text(of: \(value))"
    default:
      return shape.isOptional
        ? "\(value).map { \"\\($0)\" }" : "\"\\(\(value))\""
    }
  }

  private static let numberTitle = """
    /// `2` for 2.0, which Swift writes with a fraction.
    private static func text(of number: Double) -> String {
      Int(exactly: number).map { "\\($0)" } ?? "\\(number)"
    }
    """

  private mutating func loop(
    over value: String, title: String,
    _ body: (inout CodeText, SwiftRow, String) -> Void
  ) {
    let (row, section) = (row, section)
    function.statements.add("var \(result): [\(section)] = []")
    let list = iterated(value)
    function.statements.block("for \(row.variable) in \(list)") { text in
      text.add("let title = \(title)")
      body(&text, row, section)
    }
  }

  /// The list of a loop; a long one has a name.
  private mutating func iterated(_ value: String) -> String {
    let line = value.replacing(SwiftFunction.link, with: "")
    // A closure before the block of a loop would be taken for the block.
    if line.count < 60, !line.contains("{") { return line }
    let list = function.names.unique("shown")
    function.write("let \(list) = ", value)
    return list
  }

  private mutating func group(_ value: String, title: String) {
    let places = function.names.unique("places")
    function.statements.add("var \(places): [String?: Int] = [:]")
    loop(over: value, title: title) { [result] text, row, section in
      text.block("if let place = \(places)[title]") { text in
        text.add("\(result)[place].\(row.plural).append(\(row.variable))")
      }
      text.replaceLast("}", with: "} else {")
      text.indented { text in
        text.add("\(places)[title] = \(result).count")
        text.add("\(result).append(\(section)(title: title, \(row.plural): [\(row.variable)]))")
      }
      text.add("}")
    }
  }

  private mutating func order(
    _ order: GroupOrder?, _ shape: ValueShape
  ) throws(CodeRefusal) {
    guard let order else { return }
    if !order.titles.isEmpty {
      let titles = order.titles.map { SwiftLiteral.string(SwiftContent.text($0)) }
      let first = function.names.unique("first")
      function.statements.add("let \(first): [String?] = [\(titles.joined(separator: ", "))]")
      function.statements.block("\(result).sort") { text in
        text.add("let left = \(first).firstIndex(of: $0.title) ?? \(first).count")
        text.add("let right = \(first).firstIndex(of: $1.title) ?? \(first).count")
        text.add("return left < right")
      }
    } else if order.criterion == .count {
      let symbol = order.direction == .descending ? ">" : "<"
      function.statements.add(
        "\(result).sort { $0.\(row.plural).count \(symbol) $1.\(row.plural).count }")
    }
  }

  private mutating func fixed(
    _ value: String, _ title: String, _ shape: ValueShape
  ) {
    let titles = settings.titles.map { SwiftLiteral.string(SwiftContent.text($0)) }
    let other = SwiftLiteral.string(SwiftContent.text(settings.other))
    let rest = titles.firstIndex(of: other)
    let (list, places) = (function.names.unique("titles"), function.names.unique("places"))
    function.statements.call(
      "let \(list) = [", titles.map { .text($0) }, close: "]", trailingComma: true)
    function.statements.add(
      "var \(result) = \(list).map { \(section)(title: $0, \(row.plural): []) }")
    if rest == nil {
      function.statements.add("\(result).append(\(section)(title: \(other), \(row.plural): []))")
    }
    // Values of several types may have the same title; the first section has them.
    let areUnique = Set(titles).count == titles.count
    function.statements.add(
      "let \(places) = Dictionary("
        + (areUnique
          ? "uniqueKeysWithValues: zip(\(list), 0...))"
          : "zip(\(list), 0...), uniquingKeysWith: { first, _ in first })"))
    let (row, place) = (row, rest.map { "\($0)" } ?? "\(list).count")
    let shown = iterated(value)
    function.statements.block("for \(row.variable) in \(shown)") { [result] text in
      let found =
        shape.isOptional ? "(\(title)).flatMap { \(places)[$0] }" : "\(places)[\(title)]"
      text.add("let place = \(found) ?? \(place)")
      text.add("\(result)[place].\(row.plural).append(\(row.variable))")
    }
    if !settings.showsEmpty {
      function.statements.add("\(result).removeAll(where: \\.\(row.plural).isEmpty)")
    } else if rest == nil {
      function.statements.add(
        "if \(result).last?.\(row.plural).isEmpty == true { \(result).removeLast() }")
    }
  }

  private mutating func collate(
    _ value: String, _ place: String, _ shape: ValueShape
  ) throws(CodeRefusal) {
    guard shape.kind == .string else {
      throw CodeRefusal("UILocalizedIndexedCollation collates strings only", use: "library")
    }
    function.needsCollation = true
    if let locale = settings.locale {
      function.statements.comment(
        "The collation is that of the user's language; the session used `locale: \(locale)`.")
    }
    let collation = function.names.unique("collation")
    function.statements.add("let \(collation) = UILocalizedIndexedCollation.current()")
    function.statements.add(
      "var \(result) = \(collation).sectionTitles.map { \(section)(title: $0, \(row.plural): []) }")
    let row = row
    let name = shape.isOptional ? "\(place) ?? \"\"" : place
    let shown = iterated(sortedByCollation(value, place))
    function.statements.block("for \(row.variable) in \(shown)") { [result] text in
      text.add("let name = \(shape.isOptional ? "(\(name))" : name) as NSString")
      text.add("let selector = #selector(getter: NSObjectProtocol.description)")
      text.add("let place = \(collation).section(for: name, collationStringSelector: selector)")
      text.add("\(result)[place].\(row.plural).append(\(row.variable))")
    }
    if !settings.showsEmpty {
      function.statements.add("\(result).removeAll(where: \\.\(row.plural).isEmpty)")
    }
  }

  /// Rows that no sort has ordered are sorted as a localized list.
  private func sortedByCollation(_ value: String, _ place: String) -> String {
    if value.contains("sorted(using:") { return value }
    let property = place == row.variable ? "self" : String(place.dropFirst(row.variable.count + 1))
    return
      "\(value)\(SwiftFunction.link).sorted(using: KeyPathComparator(\\\(row.type).\(property), "
      + "comparator: .localizedStandard))"
  }

  private mutating func byDate(
    _ value: String, _ place: String, _ property: SwiftExpression
  ) throws(CodeRefusal) {
    function.needsCalendar = true
    guard settings.zone == .gmt else {
      throw CodeRefusal(
        "`zone:` shifts only the dates that have a zone, which a Date does not know",
        use: "library")
    }
    let parts: (components: String, format: String, values: String) =
      switch mode.name {
      case SectionMode.year.name: (".year", "%04d", "parts.year ?? 0")
      case SectionMode.day.name:
        (
          ".year, .month, .day", "%04d-%02d-%02d",
          "parts.year ?? 0, parts.month ?? 0, parts.day ?? 0"
        )
      case SectionMode.week.name:
        (
          ".yearForWeekOfYear, .weekOfYear", "%04d-W%02d",
          "parts.yearForWeekOfYear ?? 0, parts.weekOfYear ?? 0"
        )
      default: (".year, .month", "%04d-%02d", "parts.year ?? 0, parts.month ?? 0")
      }
    let span = mode.name == SectionMode.organizedMonths.name ? "month" : mode.name
    function.add(
      helper:
        """
        /// The title of the \(span) of a date.
        private static func \(span)(of date: Date) -> String {
          let parts = Calendar.gmt.dateComponents([\(parts.components)], from: date)
          return String(format: "\(parts.format)", \(parts.values))
        }
        """)
    let title =
      property.shape.isOptional
      ? "\(place).map { \(span)(of: $0) }" : "\(span)(of: \(place))"
    group(value, title: title)
    // Nil, the title of rows without a date, is last.
    function.statements.add(
      property.shape.isOptional
        ? "\(result).sort { ($0.title ?? \"~\") < ($1.title ?? \"~\") }"
        : "\(result).sort { ($0.title ?? \"\") < ($1.title ?? \"\") }")
    guard mode.name == SectionMode.organizedMonths.name else { return }
    function.add(
      helper:
        """
        /// `November 2012` for `2012-11`.
        private static func name(ofMonth title: String) -> String {
          let parts = title.split(separator: "-").compactMap { Int($0) }
          return "\\(Calendar.gmt.standaloneMonthSymbols[parts[1] - 1]) \\(parts[0])"
        }
        """)
    function.statements.block("for index in \(result).indices") { [result] text in
      text.add("\(result)[index].title = \(result)[index].title.map { name(ofMonth: $0) }")
    }
  }
}
