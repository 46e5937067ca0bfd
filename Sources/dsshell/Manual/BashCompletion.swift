/// Completions for bash 4 and newer.
enum BashCompletion: CompletionScript {
  static let shell = "bash"

  static func text(_ shell: CommandLineDescription, tests: CommandLineDescription) -> String {
    """
    # Completions of dsshell for bash: source <(dsshell --completions bash)
    _dsshell() {
      local word=$2 previous=$3 options=\(words(shell.options))
      if ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} == test ]]; then
        options=\(words(tests.options))
      fi
      COMPREPLY=()
      case $previous in
    \(values(shell.options + tests.options))
      esac
      if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        return
      fi
      compopt -o filenames 2>/dev/null
      if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W test -- "$word"; compgen -f -- "$word")
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi
    }
    complete -F _dsshell dsshell

    """
  }

  private static func words(_ options: [CommandLineOption]) -> String {
    shellQuoted(
      options.flatMap { [$0.shortName, $0.longName].compactMap { $0 } }.joined(separator: " "))
  }

  /// The branches for options with a value: their words, or nothing.
  private static func values(_ options: [CommandLineOption]) -> String {
    options.filter { $0.valueName != nil && !$0.hasOptionalValue }.map { option in
      let names = [option.shortName, option.longName].compactMap { $0 }.joined(separator: " | ")
      let list = shellQuoted(option.values.joined(separator: " "))
      let reply =
        option.values.isEmpty ? "" : "mapfile -t COMPREPLY < <(compgen -W \(list) -- \"$word\"); "
      return "    \(names)) \(reply)return ;;"
    }.joined(separator: "\n")
  }
}
