import DataSources
import DataTables

/// The constructor of a source with its arguments.
struct LibraryCall {
  let source: ChainSource
  /// The properties of the wrapped sources.
  let children: [String]

  var parts: (head: String, arguments: [Argument]) {
    let inner = children.first.map { Argument.text($0) } ?? "source"
    var arguments: [Argument] = []
    var head = source.form.className + "("
    switch source.form {
    case .simple(let objects, let predicate):
      arguments = [LibraryLiteral.values(objects)]
      if let predicate {
        head = "try " + head
        arguments.append(LibraryLiteral.predicate(predicate).labeled("where"))
      }
    case .file(let file):
      head = "try await SimpleSource.load("
      let path = Argument.text(SwiftLiteral.string(file.path))
      arguments = [file.isPattern ? path.labeled("all") : path]
      if file.options.isChanged { arguments.append("options: options") }
      arguments.append(.text("formats: \(file.formats)"))
    case .remote(let remote):
      arguments = [
        Self.request(remote.request), "through: transport",
      ]
      if remote.paging != nil { arguments.append("paging: paging") }
      if remote.options.isChanged { arguments.append("options: options") }
      arguments.append(.text("formats: \(remote.formats)"))
      if !remote.placeholders.isEmpty {
        let list = remote.placeholders.map { ".\($0.rawValue)" }.joined(separator: ", ")
        arguments.append(.text("placeholders: [\(list)]"))
      }
      if remote.prefetches { arguments.append("prefetches: true") }
      if let limit = remote.pageLimit { arguments.append(.text("pageLimit: \(limit)")) }
    case .table(let table): (head, arguments) = Self.opening(table)
    case .sectioned(let form):
      arguments = [inner] + (form.key.map { [LibraryLiteral.path($0).labeled("key")] } ?? [])
      if !form.sort.isEmpty { arguments.append(LibraryLiteral.sort(form.sort).labeled("sort")) }
      if let predicate = form.predicate {
        arguments.append(LibraryLiteral.predicate(predicate).labeled("where"))
      }
      if form.mode.name != SectionMode.runs.name {
        arguments.append(.text("mode: .\(form.mode.name)"))
      }
      if form.settings != SectionSettings() { arguments.append("settings: settings") }
      arguments += Self.indexTitles(form.indexTitles)
    case .collated(let form):
      arguments = [inner, LibraryLiteral.path(form.key).labeled("key")]
      if !form.sort.isEmpty { arguments.append(LibraryLiteral.sort(form.sort).labeled("sort")) }
      if form.settings != SectionSettings() { arguments.append("settings: settings") }
      arguments += Self.indexTitles(form.indexTitles)
    case .organized(let form):
      arguments = [inner, .text(".\(form.style.rawValue)")]
      if let key = form.key { arguments.append(LibraryLiteral.path(key).labeled("key")) }
      if !form.sort.isEmpty { arguments.append(LibraryLiteral.sort(form.sort).labeled("sort")) }
      if !form.initial.isEmpty {
        arguments.append(LibraryLiteral.sort(form.initial).labeled("initial"))
      }
      if form.zone != .gmt { arguments.append(.text("zone: \(LibraryLiteral.zone(form.zone))")) }
      if let locale = form.locale {
        arguments.append(.text("locale: \(SwiftLiteral.string(locale))"))
      }
      arguments += Self.indexTitles(form.indexTitles)
    case .multi(let preserves):
      arguments = [.list(children.map { .text($0) })]
      if preserves { arguments.append("preservesSections: true") }
    case .filtered(let predicate, let showsEmpty):
      let condition = predicate.map(LibraryLiteral.predicate) ?? "nil"
      arguments = [inner, condition.labeled("where")]
      if showsEmpty { arguments.append("showsEmpty: true") }
    case .fetchedResults: arguments = [inner, "request: request"]
    case .distinct(let keys):
      arguments = [inner]
      if !keys.isEmpty { arguments.append(LibraryLiteral.paths(keys).labeled("by")) }
    case .limit(let limit, let offset):
      arguments = [inner, .text("limit: \(limit)")]
      if offset > 0 { arguments.append(.text("offset: \(offset)")) }
    case .top(let limit, let sort):
      arguments = [inner, .text("limit: \(limit)"), LibraryLiteral.sort(sort).labeled("by")]
    case .unroll(let path, let keepsEmpty):
      arguments = [inner, LibraryLiteral.path(path).labeled("by")]
      if keepsEmpty { arguments.append("keepsEmpty: true") }
    case .columns(let columns):
      arguments = [
        inner,
        .list(
          columns.map { column in
            .call(
              "ProjectedTable.Column(",
              [
                .text("key: \(SwiftLiteral.string(column.key))"),
                LibraryLiteral.path(column.path).labeled("path"),
              ])
          }),
      ]
    case .slow(let delay):
      arguments = [inner, .text("delay: \(LibraryLiteral.duration(delay))")]
    case .faulty(let faults):
      arguments = [inner, LibraryLiteral.faults(faults).labeled("faults")]
    case .stale(let isStale):
      arguments = [inner]
      if !isStale { arguments.append("isStale: false") }
    }
    if !source.title.isEmpty {
      let label = if case .table = source.form { "title" } else { "name" }
      arguments.append(.text("\(label): \(SwiftLiteral.string(source.title))"))
    }
    return (head, arguments)
  }

  private static func indexTitles(_ titles: IndexTitles) -> [Argument] {
    titles == .firstCharacter ? [] : [LibraryLiteral.indexTitles(titles).labeled("indexTitles")]
  }

  private static func request(_ request: TransportRequest) -> Argument {
    var arguments: [Argument] = [.text("url: \(SwiftLiteral.string(request.url))")]
    for (label, parameters) in [("query", request.query), ("headers", request.headers)]
    where !parameters.isEmpty {
      arguments.append(
        Argument.list(
          parameters.map { parameter in
            .call(
              "RequestParameter(",
              [.text(SwiftLiteral.string(parameter.name)), value(parameter.value)])
          }
        ).labeled(label))
    }
    if let body = request.body {
      let value = Value.string(String(decoding: body.bytes, as: UTF8.self))
      arguments.append(
        .call(
          "RequestBody(",
          [
            LibraryLiteral.value(body.object.map(Value.record) ?? value) { text in
              body.secrets.first { [$0.sent, $0.shown].contains(text) }
                .map { .text(".string(\(environment($0.shown)))") }
            }.labeled("query")
          ]
            + (body.secrets.isEmpty
              ? [] : [Argument.list(body.secrets.map(self.value)).labeled("secrets")])
        ).labeled("body"))
    }
    return .call("TransportRequest(", arguments)
  }

  /// A secret is not written; the app reads it from where it keeps its secrets.
  private static func value(_ value: RequestValue) -> Argument {
    switch value {
    case .plain(let text): .text(".plain(\(SwiftLiteral.string(text)))")
    case .secret(_, let symbol), .missing(let symbol):
      .text(
        ".secret(\(environment(symbol)), symbol: \(SwiftLiteral.string(symbol)))")
    }
  }

  private static func environment(_ symbol: String) -> String {
    let name = symbol.split(separator: " ").last.map(String.init) ?? symbol
    return "ProcessInfo.processInfo.environment[\(SwiftLiteral.string(name))] ?? \"\""
  }

  private static func opening(_ table: TableForm) -> (String, [Argument]) {
    if let statement = table.statement {
      return (
        "try await QuerySource.run(",
        [.text("SQL(\(SwiftLiteral.string(statement)))"), "of: database"]
      )
    }
    var name = "TableName(\(SwiftLiteral.string(table.table ?? ""))"
    if let schema = table.schema { name += ", schema: \(SwiftLiteral.string(schema))" }
    return ("try await TableSource.open(", [.text(name + ")"), "of: database"])
  }
}
