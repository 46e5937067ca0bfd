/// Completions for fish.
enum FishCompletion: CompletionScript {
  static let shell = "fish"

  static func text(_ shell: CommandLineDescription, tests: CommandLineDescription) -> String {
    """
    # Completions of dsshell for fish: dsshell --completions fish | source
    function __dsshell_tests
      set -l words (commandline -opc)
      test (count $words) -gt 1; and test $words[2] = test
    end
    function __dsshell_begins
      test (count (commandline -opc)) -eq 1
    end
    complete -c dsshell -n __dsshell_begins -a test -d \(shellQuoted(tests.summary))
    \(lines(shell.options, condition: "not __dsshell_tests"))
    \(lines(tests.options, condition: "__dsshell_tests"))

    """
  }

  private static func lines(_ options: [CommandLineOption], condition: String) -> String {
    options.map { option in
      var words = ["complete -c dsshell -n \(shellQuoted(condition))"]
      if let name = option.shortName { words.append("-s \(name.dropFirst())") }
      if let name = option.longName { words.append("-l \(name.dropFirst(2))") }
      if option.valueName != nil && !option.hasOptionalValue { words.append("-x") }
      if !option.values.isEmpty {
        words.append("-a \(shellQuoted(option.values.joined(separator: " ")))")
      }
      words.append("-d \(shellQuoted(option.summary))")
      return words.joined(separator: " ")
    }.joined(separator: "\n")
  }
}
