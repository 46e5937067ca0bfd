package import DataSources
import DataTables

// Contents from before the last fetch or edit.
extension Session {
  /// The content of a source with a number.
  /// - Throws: ``Diagnostic``, `outOfRange` at the number, with the numbers that exist.
  func keptContent(_ argument: Argument, of source: any DataSource) throws -> KeptContent {
    let number = try argument.integer()
    do throws(SourceError) {
      return try source.keptContent(number)
    } catch {
      let name = nameToShow(of: source)
      throw argument.error(error.kind, "\(name): \(error.message) (snapshots \(name))")
    }
  }

  /// `content 3 of 7`; nil for a source that shows its current content.
  func note(onEarlierContentOf source: any DataSource) -> String? {
    guard source.showsEarlierContent, let shown = source.contentNumber,
      let latest = source.keptContents.last
    else { return nil }
    return "content \(shown) of \(latest.number)"
  }

  /// `1 section, 12 objects`, `content 3 of 7: 1 section, 11 objects`, `not fetched`
  package func sizes(of source: any DataSource) -> String {
    guard let store = source.state.snapshot?.store else { return "not fetched" }
    return (note(onEarlierContentOf: source).map { "\($0): " } ?? "") + counts(of: store)
      + (note(onOutdatedContentOf: source).map { ", \($0)" } ?? "")
  }

  /// `out of date: foods has changed since`; nil for other contents.
  func note(onOutdatedContentOf source: any DataSource) -> String? {
    guard let stale = source as? StaleSource, stale.isOutdated else { return nil }
    return "out of date: \(displayName(of: stale.source)) has changed since"
  }

  /// Why the objects of a source may not be found below: it, or one below it, is stale and out of date,
  /// with the commands that renew it; nil if none is.
  func reasonAgainstOutdatedContent(of source: any DataSource) -> String? {
    for below in SourceGraph.sources(below: source) {
      guard let note = note(onOutdatedContentOf: below) else { continue }
      let fix = boundName(of: below).map { "; `set \($0) stale: false` and `fetch \($0)` renew it" }
      return "\(displayName(of: below)) is \(note)" + (fix ?? "")
    }
    return nil
  }

  /// The number of the earlier content that a source shows, for programs.
  func earlierContent(of source: any DataSource) -> [(String, Value)] {
    guard source.showsEarlierContent, let shown = source.contentNumber else { return [] }
    return [("content", .integer(shown))]
  }

  /// The error of an operation that an earlier content prevents; nil for other errors.
  func diagnostic(
    ofEarlierContent error: any Error, below source: any DataSource, at span: Span
  ) -> Diagnostic? {
    guard case .earlierContent = SourceError(error),
      let reason = reasonAgainstEarlierContent(of: source)
    else { return nil }
    return Diagnostic(.conflict, reason, at: span)
  }

  /// Why a source cannot be edited or saved while it, or one below it, shows an earlier content; nil
  /// if none does.
  func reasonAgainstEarlierContent(of source: any DataSource) -> String? {
    earlierContent(below: source).map {
      "\(displayName(of: $0.source)) shows content \($0.number), not the current one; \($0.fix)"
    }
  }

  /// The warning that objects of an earlier content were saved; none for those of the current one.
  func earlierContentWarnings(of source: any DataSource) -> [String] {
    guard let earlier = earlierContent(below: source) else { return [] }
    return [
      "saved content \(earlier.number) of \(displayName(of: earlier.source)), not the current one; "
        + earlier.fix
    ]
  }

  /// The first source at or below another that shows an earlier content, the number of that content,
  /// and the commands that show the current one; nil if none does.
  private func earlierContent(
    below source: any DataSource
  ) -> (source: any DataSource, number: Int, fix: String)? {
    let below = SourceGraph.sources(below: source)
    guard let earlier = below.first(where: \.showsEarlierContent),
      let shown = earlier.contentNumber, let latest = earlier.keptContents.last
    else { return nil }
    let name = boundName(of: earlier)
    let back = name.map { "`back \($0) \(latest.number)` or " } ?? ""
    let fetch = "`fetch \(name ?? nameToShow(of: source))` shows the current one"
    return (earlier, shown, back + fetch)
  }
}
