/// The settings that directives make for a command.
package struct ReplaySetting: Sendable {
  /// `strict`: every line of output must be expected.
  package var isStrict = false
  /// `unordered`: lines of standard output may have any order.
  package var isUnordered = false
  /// `ignore:`: columns and keys whose values may differ.
  package var ignoredKeys: [String] = []
  /// The line of the directive that ignores each key.
  private(set) var linesOfIgnoredKeys: [String: Int] = [:]
  /// `timeout`: the time limit of a command; nil for the default.
  package var timeout: Duration?
  /// `require`: facilities without which the command is skipped.
  package var requirements: [Facility] = []
  /// `skip`: the reason why the command is not run.
  package var skipReason: String?
  /// Whether a `skip` directive applies, so that the command runs on no machine.
  private(set) var isSkippedEverywhere = false
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
    case .ignore(let keys):
      for key in keys where !ignoredKeys.contains(key) {
        ignoredKeys.append(key)
        linesOfIgnoredKeys[key] = line
      }
    case .timeout(let duration): timeout = duration
    case .require(let facilities):
      requirements += facilities.filter { !requirements.contains($0) }
    case .skip(let reason):
      skipReason = reason
      isSkippedEverywhere = true
    case .expectedFailure(let reason):
      expectedFailure = ExpectedFailure(reason: reason, line: line)
    case .platform(let platforms):
      if let absence = Platform.absence(of: platforms) { skipReason = skipReason ?? absence }
    case .section, .cassette, .clock, .advance, .seed, .change, .matrix, .lesson, .each, .set,
      .attach, .tags, .environment, .property:
      break
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

/// The settings of directives that apply to a section as a whole.
struct SectionSetting: Sendable {
  private(set) var tags: [String] = []
  /// The scripts that run before its commands, in order.
  private(set) var before: [AttachedScript] = []
  /// The scripts that run after its commands, in order.
  private(set) var after: [AttachedScript] = []
  /// `property`: the number of runs with random edits, and the line of the directive.
  private(set) var property: (runs: Int, line: Int)?

  mutating func add(tags new: [String]) { tags += new.filter { !tags.contains($0) } }

  /// - Parameter kept: the number of scripts of the file that run after the section. Those of the
  ///   section run before them, as its scripts before it run after those of the file.
  mutating func attach(_ script: AttachedScript, above kept: Int) {
    switch script.place {
    case .before: before.append(script)
    case .after: after.insert(script, at: max(0, after.count - kept))
    }
  }

  mutating func setProperty(runs: Int, line: Int) { property = (runs, line) }
}
