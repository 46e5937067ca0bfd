/// The settings that directives make for a command.
package struct ReplaySetting: Sendable {
  /// `strict`: every line of output must be expected.
  package var isStrict = false
  /// `unordered`: lines of standard output may have any order.
  package var isUnordered = false
  /// `timeout`: the time limit of a command; nil for the default.
  package var timeout: Duration?
  /// `require`: facilities without which the command is skipped.
  package var requirements: [Facility] = []
  /// `skip`: the reason why the command is not run.
  package var skipReason: String?
  /// `xfail`: the reason why a failure is expected, and the line of the directive, which all its
  /// commands share.
  package var expectedFailure: ExpectedFailure?

  package struct ExpectedFailure: Sendable, Equatable {
    package let reason: String
    package let line: Int
  }

  mutating func apply(_ directive: Directive, line: Int) {
    switch directive {
    case .strict: isStrict = true
    case .unordered: isUnordered = true
    case .timeout(let duration): timeout = duration
    case .require(let facilities):
      requirements += facilities.filter { !requirements.contains($0) }
    case .skip(let reason): skipReason = reason
    case .expectedFailure(let reason):
      expectedFailure = ExpectedFailure(reason: reason, line: line)
    case .section, .cassette, .clock, .seed, .change: break
    }
  }
}

/// The settings of directives that are not directly below a command. They apply to the rest of the
/// section, or of the file if they are above the first section.
struct SettingScopes {
  private var file = ReplaySetting()
  private(set) var current = ReplaySetting()
  private var isInSection = false

  mutating func beginSection() {
    isInSection = true
    current = file
  }

  mutating func apply(_ directive: Directive, line: Int) {
    current.apply(directive, line: line)
    if !isInSection { file = current }
  }
}
