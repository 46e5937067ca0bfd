/// Something with sections of objects, a name, a delegate and `fetchData`.
///
/// A kind of source says what it wraps and how its content is made (``makeSnapshot(_:)``); the events,
/// the joining of fetches and the updates of wrappers are the same for all and live in
/// ``SourceState``. Sources are confined to the isolation that made them.
public protocol DataSource: AnyObject {
  /// The word for the kind: `simple`, `sectioned`.
  static var kind: String { get }
  var state: SourceState { get }
  /// The sources it wraps, in order.
  var children: [any DataSource] { get }
  /// How it is made, for people: `sectioned by name.firstCharacter, sorted by name`.
  var summary: String { get }
  /// Makes the content of a fetch; a wrapper brings its children up to date through `fetch` first.
  func makeSnapshot(_ fetch: Fetch) async throws -> Snapshot
}

/// What a delegate hears, once for each: one will, any number of partials, one finished or failed.
public enum SourceEvent: Sendable {
  case will
  case partial
  case finished
  case failed(any Error)
}

public protocol DataSourceDelegate: AnyObject {
  func dataSource(_ source: any DataSource, did event: SourceEvent)
}
