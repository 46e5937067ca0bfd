/// What directives say of the commands they hold for.
package struct ReplaySetting: Sendable {
  /// `strict`: every line of output is expected.
  package var isStrict = false
  /// `unordered`: lines of standard output are expected in any order.
  package var isUnordered = false
  /// `timeout`: the longest a command may take; nil for the runner's.
  package var timeout: Duration?
  /// `require`: what must be at hand, else the command is skipped.
  package var requirements: [String] = []
  /// `skip`: why the command is not run.
  package var skipReason: String?
  /// `xfail`: why a failure is expected, and the line that says so, which all commands of one such
  /// directive share.
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
    case .require(let names): requirements += names.filter { !requirements.contains($0) }
    case .skip(let reason): skipReason = reason
    case .expectedFailure(let reason):
      expectedFailure = ExpectedFailure(reason: reason, line: line)
    case .section, .cassette, .clock, .seed: break
    }
  }
}

/// What directives that stand alone hold for: the rest of their section, or of the file when they stand
/// before the first section.
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
