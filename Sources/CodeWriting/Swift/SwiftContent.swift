import DataSources
import DataTables

/// The computation of sections from rows, in plain Swift.
struct SwiftContent {
  let rows: RowChain
  private var function: SwiftFunction
  /// `Letters`
  let name: String
  /// `LettersSection`
  let section: String

  /// The value of a source in the function.
  private enum Variable {
    case rows(String, title: String)
    case sections(String)
  }

  init(_ chain: SourceChain) throws(CodeRefusal) {
    rows = try RowChain(chain)
    for source in chain.sources {
      try SwiftData.check(source)
    }
    let paged = chain.data.map { chain.sources[$0] }.filter(\.form.hasPages)
    if paged.count > 1 {
      throw CodeRefusal(
        "\(paged[0].name) and \(paged[1].name) arrive in pages, each with a state of its own",
        use: "library")
    }
    let row = try SwiftRow(rows.plural, shape: rows.shape)
    name = SwiftLiteral.identifiers.list(chain.top.name, of: row.type)
    section = name + "Section"
    function = SwiftFunction(row: row, section: section)
    try write()
  }

  var row: SwiftRow { function.row }

  /// Whether the function uses the collation of the main actor.
  var needsCollation: Bool { function.needsCollation }

  /// The data in the order of the parameters, with the name of each parameter.
  var parameters: [(source: ChainSource, name: String)] {
    var names = UniqueNames()
    return rows.chain.data.map { index in
      let source = rows.chain.sources[index]
      let name = SwiftRow.list(source.name)
      return (source, names.unique(name == row.variable ? row.plural : name))
    }
  }

  /// The property that identifies rows across changes; nil without one.
  mutating func identifier() throws(CodeRefusal) -> SwiftExpression? {
    guard let path = rows.id else { return nil }
    return try function.row.property(for: path)
  }

  // MARK: The function

  private mutating func write() throws(CodeRefusal) {
    var values: [Variable] = []
    var data = parameters[...]
    for (index, source) in rows.chain.sources.enumerated() {
      let isTop = index == rows.chain.sources.count - 1
      let local = isTop ? "sections" : ""
      switch source.form.operation {
      case .data(let predicate):
        let name = data.popFirst()?.name ?? row.plural
        _ = function.names.unique(name)
        if let predicate {
          let local = function.names.unique(row.plural + "Shown")
          function.write("let \(local) = ", try function.filtered(name, by: predicate))
          values.append(.rows(local, title: source.title))
        } else {
          values.append(.rows(name, title: source.title))
        }
      case .none(let reason):
        function.statements.comment(reason)
        values.append(values[source.children[0]])
      case .join(let preserves):
        let result = local.isEmpty ? function.names.unique(identifier(source)) : local
        let children = source.children.map { child in
          (value: values[child], name: rows.chain.sources[child].title)
        }
        join(children, preserves, as: result)
        values.append(.sections(result))
      case .request(let request, _):
        let wanted = local.isEmpty ? function.names.unique(identifier(source)) : local
        values.append(try apply(request, to: values[source.children[0]], of: source, as: wanted))
      case .unroll, .columns: throw CodeRefusal("\(source.name) makes other rows", use: "library")
      }
    }
    switch values[values.count - 1] {
    case .sections(let name): function.statements.add("return \(name)")
    case .rows(let value, let title):
      let shown = title.isEmpty ? "nil" : SwiftLiteral.string(title)
      function.statements.call(
        "return [\(section)(", ["title: \(shown)", "\(row.plural): \(value)"], close: ")]")
    }
  }

  private func identifier(_ source: ChainSource) -> String {
    SwiftLiteral.identifiers.lower(source.name)
  }

  /// - Parameter children: the values of the joined sources, with the names of these sources.
  private mutating func join(
    _ children: [(value: Variable, name: String)], _ preserves: Bool, as result: String
  ) {
    var parts: [Argument] = []
    for (child, name) in children {
      if preserves, case .sections(let sections) = child {
        parts.append(.text(sections))
        continue
      }
      // A preserved section has its own title, not the name of the source that shows it.
      var title = name
      if preserves, case .rows(_, let own) = child { title = own }
      parts.append(
        .call(
          "\(section)(",
          [
            .text("title: \(SwiftLiteral.string(title))"),
            .text("\(row.plural): \(all(child))"),
          ]))
    }
    let isPlain = children.allSatisfy { if case .rows = $0.value { true } else { !preserves } }
    if isPlain {
      function.statements.call("let \(result) = [", parts, close: "]", trailingComma: true)
    } else {
      let lists = zip(children, parts).map { child, part in
        if case .rows = child.value { "[\(part.line)]" } else { part.line }
      }
      let line = "let \(result) = \(lists.joined(separator: " + "))"
      function.statements.add(
        line.count <= function.statements.room
          ? line : "let \(result) =\n  " + lists.joined(separator: "\n  + "))
    }
  }

  private func all(_ variable: Variable) -> String {
    switch variable {
    case .rows(let value, _): value
    case .sections(let name): "\(name).flatMap(\\.\(row.plural))"
    }
  }

  private mutating func apply(
    _ request: ContentRequest, to variable: Variable, of source: ChainSource, as result: String
  ) throws(CodeRefusal) -> Variable {
    if case .kept(let showsEmpty) = request.sections, case .sections(let name) = variable {
      try applyWithin(request, name, showsEmpty, as: result)
      return .sections(result)
    }
    var value = all(variable)
    if let predicate = request.predicate { value = try function.filtered(value, by: predicate) }
    if let keys = request.distinct { value = try function.distinct(value, by: keys) }
    var sort = request.sort
    let title: String
    if case .rows(_, let old) = variable, case .kept = request.sections {
      title = old
    } else {
      title = ""
    }
    guard case .split(let key, let mode, let settings) = request.sections else {
      if !sort.isEmpty { value = try function.sorted(value, by: sort) }
      value = function.limited(value, request)
      let local = result == "sections" ? row.plural + "Shown" : result
      if request.isLimited {
        function.write("let \(local) = Array(", value, ")")
      } else {
        function.write("let \(local) = ", value)
      }
      return .rows(local, title: title)
    }
    // Rows that are sorted by the title first make groups in its order, and keep theirs inside.
    if mode.name == SectionMode.groups.name, let order = settings.order, order.titles.isEmpty,
      order.criterion == .title, !request.isLimited
    {
      let first = SortDescriptor(
        key, direction: order.direction, comparison: order.comparison, locale: order.locale)
      sort =
        [first]
        + (order.comparison == .compare ? [] : [SortDescriptor(key, direction: order.direction)])
        + sort
    } else if mode.name == SectionMode.groups.name, request.isLimited, settings.order != nil {
      throw CodeRefusal("\(source.name) orders groups of a limited list", use: "library")
    }
    if mode.name != SectionMode.collated.name || sort != mode.sort(by: key, settings) {
      if !sort.isEmpty { value = try function.sorted(value, by: sort) }
    }
    value = function.limited(value, request)
    var sectioning = SwiftSectioning(function, by: key, mode, settings, as: result)
    try sectioning.split(value)
    function = sectioning.function
    return .sections(result)
  }

  /// A filter or a limit inside of sections.
  private mutating func applyWithin(
    _ request: ContentRequest, _ name: String, _ showsEmpty: Bool, as result: String
  ) throws(CodeRefusal) {
    guard request.distinct == nil, !request.isLimited, request.sort.isEmpty else {
      throw CodeRefusal(
        "a limit over the rows of several sections has no short form in plain Swift",
        use: "library")
    }
    function.statements.add("var \(result) = \(name)")
    if let predicate = request.predicate {
      let closure = try function.closure(predicate, negated: true)
      let plural = row.plural
      function.statements.block("for index in \(result).indices") { text in
        text.add("\(result)[index].\(plural).removeAll\(closure)")
      }
    }
    if !showsEmpty {
      function.statements.add("\(result).removeAll(where: \\.\(row.plural).isEmpty)")
    }
  }

  /// A value as a title shows it.
  static func text(_ value: Value) -> String {
    if case .string(let text) = value { return text }
    if case .date(let date) = value { return date.text }
    return value.json
  }

  // MARK: Text

  /// The types of the rows and the sections, and the function that makes sections.
  func add(to text: inout CodeText) throws(CodeRefusal) {
    try row.add(to: &text)
    text.separate()
    text.block("struct \(section): Hashable") { text in
      text.add("var title: String?")
      text.add("var \(row.plural): [\(row.type)]")
    }
    text.separate()
    text.comment("The rows of `\(rows.chain.top.name)`, and its sections.", sign: "///")
    text.block("enum \(name)") { text in
      for (source, name) in parameters {
        SwiftData(source: source, name: name, row: row).add(to: &text)
        text.separate()
      }
      text.comment(rows.chain.top.summary, sign: "///")
      let list = parameters.map { Argument.text("\($0.name): [\(row.type)]") }
      // The collation belongs to the main actor.
      if needsCollation { text.add("@MainActor") }
      text.call("static func sections(", list, close: ") -> [\(section)] {")
      text.indented { $0.add(function.statements.lines) }
      text.add("}")
      for helper in function.helpers {
        text.separate()
        text.add(helper)
      }
    }
    if function.needsCalendar || row.computed.contains(where: { $0.body.contains("Calendar.gmt") })
    {
      text.separate()
      text.add(SwiftDerivedKey.calendar)
    }
  }
}

extension SourceForm {
  fileprivate var hasPages: Bool {
    if case .remote(let remote) = self { remote.paging != nil } else { false }
  }
}
