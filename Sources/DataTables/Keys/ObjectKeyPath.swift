/// Dotted keys applied to an object: `address.city`, `name.firstCharacter`, `tags[0]`.
public struct ObjectKeyPath: Hashable, Sendable {
  public enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }
  /// At least one.
  public let steps: [Step]
  public init(_ steps: [Step]) { self.steps = steps }
  public init(key: String) { self.init([.key(key)]) }
}
