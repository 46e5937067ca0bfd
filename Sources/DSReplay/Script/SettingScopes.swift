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

extension ReplaySetting {
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
