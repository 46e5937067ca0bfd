import DataSources
import DataTables

/// The statements before the constructor of a source, which make its settings.
enum LibraryPreparation {
  /// The statements before the constructor.
  static func statements(before form: SourceForm) -> [String] {
    switch form {
    case .file(let file): return statements(for: file.options)
    case .remote(let remote):
      return (remote.paging.map(statements) ?? []) + statements(for: remote.options)
    case .table(let table):
      let driver = table.driver
      let address =
        table.engine == "sqlite"
        ? "DatabaseAddress(file: \(SwiftLiteral.string(table.address)))"
        : "try DatabaseAddress(parsing: \(SwiftLiteral.string(table.address)))"
      return [
        "let database = try await Database.open(",
        "  \(address), ConnectionOptions(), with: \(driver),",
        "  cancellation: Cancellation())",
      ]
    case .sectioned(let form): return statements(for: form.settings)
    case .collated(let form): return statements(for: form.settings)
    case .fetchedResults(let request): return statements(for: request)
    default: return []
    }
  }

  private static func statements(for settings: SectionSettings) -> [String] {
    guard settings != SectionSettings() else { return [] }
    var text = CodeText(step: 2, margin: 4)
    text.add("var settings = SectionSettings()")
    if let order = settings.order {
      text.add(assigning(order: order))
    }
    if !settings.titles.isEmpty {
      text.call(
        "settings.titles = [", settings.titles.map(LibraryLiteral.value), close: "]",
        trailingComma: true)
    }
    if !settings.showsEmpty { text.add("settings.showsEmpty = false") }
    if settings.other != "#" {
      text.add("settings.other = \(LibraryLiteral.value(settings.other).line)")
    }
    if settings.zone != .gmt { text.add("settings.zone = \(LibraryLiteral.zone(settings.zone))") }
    if let locale = settings.locale {
      text.add("settings.locale = \(SwiftLiteral.string(locale))")
    }
    return text.lines
  }

  private static func assigning(order: GroupOrder) -> [String] {
    var text = CodeText(step: 2, margin: 4)
    guard case .call(let head, let arguments, let close, _) = LibraryLiteral.order(order) else {
      return []
    }
    text.call("settings.order = \(head)", arguments, close: close)
    return text.lines
  }

  private static func statements(for request: FetchRequest) -> [String] {
    var text = CodeText(step: 2, margin: 4)
    var arguments: [Argument] = []
    if let predicate = request.predicate {
      arguments.append(LibraryLiteral.predicate(predicate).labeled("where"))
    }
    arguments.append(LibraryLiteral.sort(request.sort).labeled("sort"))
    if let section = request.section {
      arguments.append(LibraryLiteral.path(section).labeled("section"))
    }
    if let limit = request.limit { arguments.append(.text("limit: \(limit)")) }
    if let batch = request.batchSize { arguments.append(.text("batchSize: \(batch)")) }
    if let cache = request.cacheName {
      arguments.append(.text("cacheName: \(SwiftLiteral.string(cache))"))
    }
    let needsMore =
      request.distinct != nil || request.offset > 0 || request.indexTitles != .firstCharacter
    text.call("\(needsMore ? "var" : "let") request = try FetchRequest(", arguments)
    if let keys = request.distinct {
      text.add("request.distinct = \(LibraryLiteral.paths(keys).line)")
    }
    if request.offset > 0 { text.add("request.offset = \(request.offset)") }
    if request.indexTitles != .firstCharacter {
      text.add("request.indexTitles = \(LibraryLiteral.indexTitles(request.indexTitles).line)")
    }
    return text.lines
  }

  private static func statements(for paging: Paging) -> [String] {
    let plain = Paging(paging.style)
    var lines: [String] = []
    func assign(_ name: String, _ value: String) { lines.append("paging.\(name) = \(value)") }
    if let parameter = paging.parameter { assign("parameter", SwiftLiteral.string(parameter)) }
    if let parameter = paging.sizeParameter {
      assign("sizeParameter", SwiftLiteral.string(parameter))
    }
    if let size = paging.pageSize { assign("pageSize", "\(size)") }
    if paging.firstPage != plain.firstPage { assign("firstPage", "\(paging.firstPage)") }
    if paging.maxEmptyPages != plain.maxEmptyPages {
      assign("maxEmptyPages", "\(paging.maxEmptyPages)")
    }
    if let cursor = paging.cursor { assign("cursor", LibraryLiteral.path(cursor).line) }
    if let key = paging.afterKey { assign("afterKey", LibraryLiteral.path(key).line) }
    let keys: [(String, ObjectKeyPath, ObjectKeyPath)] = [
      ("pageKey", paging.pageKey, plain.pageKey),
      ("pageSizeKey", paging.pageSizeKey, plain.pageSizeKey),
      ("numberOfPagesKey", paging.numberOfPagesKey, plain.numberOfPagesKey),
      ("totalKey", paging.totalKey, plain.totalKey), ("moreKey", paging.moreKey, plain.moreKey),
    ]
    for (name, path, usual) in keys where path != usual {
      assign(name, LibraryLiteral.path(path).line)
    }
    return ["\(lines.isEmpty ? "let" : "var") paging = Paging(.\(paging.style.rawValue))"] + lines
  }

  private static func statements(for options: ReadOptions) -> [String] {
    guard options.isChanged else { return [] }
    var lines = ["var options = ReadOptions()"]
    if let format = options.format {
      lines.append("options.format = \(SwiftLiteral.string(format))")
    }
    for (name, value) in options.settings {
      lines.append(
        "try options.set(\(SwiftLiteral.string(name)), to: \(LibraryLiteral.value(value).line))")
    }
    return lines
  }
}
