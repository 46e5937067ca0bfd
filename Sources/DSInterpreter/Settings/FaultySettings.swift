import DataSources
import DataTables

/// The labels of `faulty`.
struct FaultySettings: SourceSettings {
  private static let fail = FaultArguments.fail(
    [.fetch, .page], "fetches and pages that fail once each, from 1: `fetch N`, `page N`",
    example: "fetch 3, page 2")
  static let labels = [fail, FaultArguments.rate, FaultArguments.seed]

  private let arguments: FaultArguments
  private let failing: [Argument]

  init(parsing arguments: Arguments) throws {
    self.arguments = try FaultArguments(parsing: arguments, fail: Self.fail)
    failing = (arguments.groups(Self.fail) ?? []).compactMap(\.first)
  }

  /// Whether a fetch is to fail.
  func canFail() throws -> Bool { try arguments.canFail() }

  func set(_ source: FaultySource, over inner: any DataSource, in session: inout Session) throws {
    let faults = try faults(changing: source.faults, over: inner, in: session)
    if arguments.isGiven { source.faults = faults }
  }

  /// - Throws: ``Diagnostic`` for `fail: page N` over a source without pages.
  func faults(
    changing old: Faults, over inner: any DataSource, in session: Session
  ) throws -> Faults {
    let faults = try arguments.faults(changing: old, random: session.randomNumbers)
    if let page = failing.first(where: { $0.word == FailingAttempt.Unit.page.rawValue }),
      inner.paginatedSources.isEmpty
    {
      throw page.error(
        .badArgument,
        "\(session.displayName(of: inner)) has no pages (see help paginated); use `fail: fetch 2`")
    }
    return faults
  }
}
