import DataSources

/// The label of `slow`.
struct SlowSettings: SourceSettings {
  private static let delay = Label(
    "by", .seconds(atMost: 86_400), "time by which each fetch is late, such as 2s or 500ms (1s)",
    example: "2s")
  static let labels = [delay]

  private let delay: Argument?

  init(parsing arguments: Arguments) throws { delay = try arguments[Self.delay] }

  func set(_ source: SlowSource, over inner: any DataSource, in session: inout Session) throws {
    guard let delay else { return }
    source.delay = delay.isNull ? SlowSource.defaultDelay : .seconds(try delay.seconds())
  }
}
