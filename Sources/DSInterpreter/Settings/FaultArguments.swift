import DataSources
import DataTables

/// `fail: fetch 2, page 3`, `rate: 0.2 seed: 7` and a delay: the labels of sources and stubs that
/// misbehave on request.
struct FaultArguments {
  static let rate = Label(
    "rate", .fraction, "chance that a fetch or a request fails", example: "0.2")
  static let seed = Label(
    "seed", .nonNegativeInteger, "number that determines which of them `rate:` fails",
    example: "7")

  static let times = Label(
    "times", .integer(1...1_000_000), "number of requests that fail first", example: "2")
  static let drop = Label(
    "drop", .integer(0...1_000_000_000), "bytes after which the connection is closed",
    example: "1000")

  /// `fail:` with one of several units: `fetch`, `page`, `request`.
  static func fail(_ units: [FailingAttempt.Unit], _ summary: String, example: String) -> Label {
    Label(
      "fail",
      .list(
        .phrase(.choice(Choices("attempt", units.map(\.rawValue))), then: .positiveInteger)),
      summary, example: example)
  }

  /// nil without `fail:`, empty for `fail: null`.
  private let failing: [FailingAttempt]?
  private let rate: Argument?
  private let seed: Argument?
  private let delay: Argument?
  private let times: Argument?
  private let drop: Argument?

  init(
    parsing arguments: Arguments, fail: Label, delay: Label? = nil, times: Label? = nil,
    drop: Label? = nil
  ) throws {
    failing = try arguments.groups(fail).map { $0.isNull ? [] : try $0.map(Self.attempt) }
    rate = try arguments[Self.rate]
    seed = try arguments[Self.seed]
    self.delay = try delay.flatMap { try arguments[$0] }
    self.times = try times.flatMap { try arguments[$0] }
    self.drop = try drop.flatMap { try arguments[$0] }
  }

  var isGiven: Bool { failing != nil || (rate ?? seed ?? delay ?? times ?? drop) != nil }

  /// Checks the arguments of a command that creates what fails.
  /// - Returns: whether an attempt is to fail.
  /// - Throws: ``Diagnostic`` for a `seed:` without `rate:`.
  func canFail() throws -> Bool {
    let hasRate = rate.map { !$0.isNull } ?? false
    if let seed, !seed.isNull, !hasRate { throw Self.needsRate(seed) }
    return hasRate || failing?.isEmpty == false
  }

  /// - Parameter random: the numbers of a seed that is not given.
  /// - Throws: ``Diagnostic`` for a `seed:` without `rate:`.
  func faults(changing old: Faults, random: RandomNumbers) throws -> Faults {
    var new = old
    if let failing { new.failing = failing }
    if let delay { new.delay = delay.isNull ? .zero : .seconds(try delay.seconds()) }
    if let times { new.failingFirst = times.isNull ? 0 : try times.integer() }
    if let drop { new.droppedAfter = drop.isNull ? nil : try drop.integer() }
    if let rate {
      let seed = old.rate?.seed ?? UInt64(random.next() * 10_000)
      new.rate = rate.isNull ? nil : FailureRate(try rate.fraction(), seed: seed)
    }
    if let seed, !seed.isNull {
      if new.rate == nil { throw Self.needsRate(seed) }
      new.rate?.seed = UInt64(try seed.integer())
    }
    return new
  }

  private static func needsRate(_ seed: Argument) -> Diagnostic {
    seed.error(.badArgument, "`seed:` needs `rate:`, as in `rate: 0.2 seed: 7`")
  }

  /// `page 2`
  private static func attempt(_ words: [Argument]) throws -> FailingAttempt {
    guard let first = words.first,
      let unit = FailingAttempt.Unit(rawValue: try first.choice())
    else { throw Diagnostic(.badArgument, "`fail:` needs an attempt, as in `fail: fetch 2`") }
    guard words.count > 1, let number = try words[1].typed(.positiveInteger).anyInteger(),
      number > 0
    else {
      let given = words.count > 1 ? ", not `\(words[1].span.text)`" : ""
      throw words[words.count > 1 ? 1 : 0].error(
        .badArgument,
        "`\(unit.rawValue)` needs a number from 1\(given); write `fail: \(unit.rawValue) 2`")
    }
    guard words.count == 2 else {
      throw words[2].error(
        .badArgument, "unexpected `\(words[2].span.text)`; separate attempts with commas")
    }
    return FailingAttempt(unit, number)
  }
}
