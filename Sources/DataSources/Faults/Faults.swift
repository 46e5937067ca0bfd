/// Which attempts fail on request, and how late each of them is. An attempt is a fetch of a source or a
/// request to a stub.
public struct Faults: Hashable, Sendable {
  /// The delay of each attempt.
  public var delay: Duration
  /// The attempts that fail; each element fails once.
  public var failing: [FailingAttempt]
  /// The number of attempts that fail first.
  public var failingFirst = 0
  /// The number of bytes after which the connection of a request to a stub is closed: of the selected
  /// requests, of the others if those fail with a status, or of all. nil if none is closed.
  public var droppedAfter: Int?
  /// The chance that an attempt fails which is not among ``failing``; nil for none.
  public var rate: FailureRate?

  public init(
    delay: Duration = .zero, failing: [FailingAttempt] = [], rate: FailureRate? = nil
  ) {
    self.delay = delay
    self.failing = failing
    self.rate = rate
  }

  /// Whether an attempt may fail.
  public var canFail: Bool { selectsAttempts || droppedAfter != nil }

  /// Whether only some attempts fail.
  package var selectsAttempts: Bool { !failing.isEmpty || failingFirst > 0 || rate != nil }

  /// The failures as they are written: `fail: fetch 3, page 2 rate: 0.2 seed: 7`; empty without any.
  public var failures: String {
    let listed = failing.map(\.description).joined(separator: ", ")
    return [
      listed.isEmpty ? "" : "fail: \(listed)",
      failingFirst > 0 ? "times: \(failingFirst)" : "", rate?.description ?? "",
      droppedAfter.map { "drop: \($0)" } ?? "",
    ].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The failures after the delay: `delay: 2s fail: fetch 3`; empty without faults.
  package var written: String {
    [delay > .zero ? "delay: \(delay.written)" : "", failures]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// An attempt that fails on request.
public struct FailingAttempt: Hashable, Sendable, CustomStringConvertible {
  public enum Unit: String, CaseIterable, Sendable {
    /// Fetches of the source, those of pages included.
    case fetch
    /// Pages in the order in which they are fetched; the first time that the page is fetched.
    case page
    /// Requests to a stub.
    case request
  }
  public let unit: Unit
  /// From 1.
  public let number: Int

  public init(_ unit: Unit, _ number: Int) {
    self.unit = unit
    self.number = number
  }

  /// `page 2`
  public var description: String { "\(unit.rawValue) \(number)" }
}

/// The chance that an attempt fails. The seed determines which attempts fail.
public struct FailureRate: Hashable, Sendable, CustomStringConvertible {
  /// In `0...1`.
  public var rate: Double
  public var seed: UInt64

  public init(_ rate: Double, seed: UInt64) {
    self.rate = rate
    self.seed = seed
  }

  /// `rate: 0.2 seed: 7`
  public var description: String { "rate: \(rate == 1 ? "1" : "\(rate)") seed: \(seed)" }
}

extension Duration {
  /// The time as it is written: `2s`, `1.5s`, `250ms`.
  package var written: String {
    let seconds = self / .seconds(1)
    if seconds < 1 { return Self.number(seconds * 1_000) + "ms" }
    return Self.number(seconds) + "s"
  }

  private static func number(_ number: Double) -> String {
    let thousandths = (number * 1_000).rounded()
    let isWhole = thousandths.truncatingRemainder(dividingBy: 1_000) == 0
    return isWhole ? "\(Int(thousandths / 1_000))" : "\(thousandths / 1_000)"
  }
}
