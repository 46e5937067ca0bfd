/// The command that runs a failed test again, as words of a shell.
struct RerunCommand {
  /// The command without its path, with the options that the user gave.
  let command: String
  /// The arguments of the script.
  var arguments: [String] = []
  /// The seed that the run was given.
  var seed: UInt64?
  /// Whether the run was given no values for `set` directives.
  var hasUsualValues = true

  /// The last line of a failure.
  ///
  /// - Parameter line: nil for the whole script.
  func line(of path: String, line: Int?) -> String {
    let option = seed.map { "--seed \($0) " } ?? ""
    let place = Self.argument(path) + (line.map { ":\($0)" } ?? "")
    return "     rerun \(command) \(option)" + place.shellWord + argumentWords
  }

  /// The command that accepts the output; empty if the seed or the values of the script are replaced,
  /// because its expectations are those of its own.
  func acceptance(of path: String) -> String {
    seed == nil && hasUsualValues
      ? "     accept \(command) \(Self.argument(path).shellWord) --update" + argumentWords : ""
  }

  private var argumentWords: String {
    arguments.isEmpty ? "" : " -- " + arguments.map(\.shellWord).joined(separator: " ")
  }

  /// A path that begins with a dash would be parsed as an option.
  private static func argument(_ path: String) -> String {
    path.hasPrefix("-") ? "./" + path : path
  }
}
