/// A number that is not a plain 64-bit integer; it is shown as it was written.
public struct Real: Sendable {
  /// The text, in JSON's number form.
  public let text: String
  /// The nearest double.
  public let value: Double

  /// - Parameter text: a number in JSON's form; its value is taken as given.
  init(text: String, value: Double) {
    self.text = text
    self.value = value
  }

  /// The shortest text that reads back as `value`; nil for infinities and NaN, which JSON lacks.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    self.init(text: "\(value)", value: value)
  }
}
