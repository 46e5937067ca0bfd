/// How one of the sources that a source wraps ended its part of a fetch.
public struct ChildOutcome: Equatable, Sendable {
  /// The place of the source among ``DataSource/children``.
  public let index: Int
  /// The name of the source; "" when it has none.
  public let name: String
  /// Why it failed, and shows its old content; nil when it did not.
  public let error: SourceError?

  public init(index: Int, name: String, error: SourceError? = nil) {
    self.index = index
    self.name = name
    self.error = error
  }
}
