import DataSources
import DataTables

/// `sectionForTitle SOURCE TITLE`
struct SectionForTitleCommand: Command {
  private static let title = Parameter(.title)

  static let names = ["sectionForTitle"]
  static let parameters = [Parameter.source, title]
  static let summary = "Returns the section of a title, or into which an object with it is sorted."
  static let examples = ["sectionForTitle letters G"]
  static let seeAlso = ["sectionForIndexTitle", "titles", "collated"]

  private let source: SourceArgument
  private let title: Argument

  init(parsing arguments: inout Arguments) throws {
    source = try SourceArgument(parsing: &arguments)
    title = try arguments.require(Self.title)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let snapshot = try session.content(of: source, at: self.source.span)
    let value = try await title.value(in: &session)
    let wanted = try source.listedTitle(for: value)
    let section: Int
    let titles = try await source.sectionTitles()
    if let wanted {
      let listed =
        snapshot.store.listedTitles
        ?? titles.enumerated().map { ListedTitle(title: $1, section: $0) }
      section = try self.section(of: wanted, in: listed, session.displayName(of: source))
    } else {
      // A title such as the year 2012 may be a number or a string.
      let found = titles.firstIndex(of: value) ?? titles.firstIndex { $0.string == title.text }
      guard let found, title.text != nil || titles[found] == value else {
        let name = session.displayName(of: source)
        throw notFound(
          "\(name) has no section \(value.excerpt)", among: titles.compactMap(\.string))
      }
      section = found
    }
    return CommandResult(.value(.integer(section)), Output(.value(.integer(section))))
  }

  /// The section of a title of a list; for a hidden section the nearest one before it, or the first.
  private func section(
    of title: Value, in listed: [ListedTitle], _ name: String
  ) throws -> Int {
    guard let position = listed.firstIndex(where: { $0.title == title }) else {
      throw notFound(
        "no row of \(name) is in the section \(title.excerpt), which does not exist without rows",
        among: listed.compactMap(\.title.string))
    }
    let section =
      listed[...position].last { $0.section != nil }?.section
      ?? listed.first { $0.section != nil }?.section
    guard let section else { throw notFound("\(name) has no sections", among: []) }
    return section
  }

  private func notFound(_ message: String, among titles: [String]) -> Diagnostic {
    title.error(
      .notFound, message,
      suggestion: title.text.flatMap { Suggestion.nearest(to: $0, among: titles) })
  }
}

extension DataSource {
  /// The title, in a list of titles, of the section into which an object with `title` is sorted; nil
  /// for a source whose titles are not a list.
  fileprivate func listedTitle(for title: Value) throws -> Value? {
    switch self {
    case let source as CollatedSource: return try source.settings.collatedTitle(for: title)
    case let source as SectionedSource:
      switch source.mode.name {
      case SectionMode.collated.name: return try source.settings.collatedTitle(for: title)
      case SectionMode.fixed.name:
        return source.settings.titles.contains(title) ? title : source.settings.other
      default: return nil
      }
    case is FetchedResultsSource, is OrganizedSource: return nil
    default: return children.count == 1 ? try children[0].listedTitle(for: title) : nil
    }
  }
}

extension SectionSettings {
  fileprivate func collatedTitle(for title: Value) throws -> Value {
    .string(try CollatedIndex(locale: locale).title(of: title))
  }
}
