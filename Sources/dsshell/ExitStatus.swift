/// How a run of dsshell ends, for whoever started it.
enum ExitStatus {
  static let done: Int32 = 0
  /// A command or an expectation failed.
  static let failed: Int32 = 1
  static let badUsage: Int32 = 2
  /// A script does not parse; nothing of it was run.
  static let notParsed: Int32 = 3
  /// There was no test to run.
  static let nothingMatched: Int32 = 4
  static let interrupted: Int32 = 130
}
