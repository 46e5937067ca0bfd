/// Completions for zsh, as a function file `_dsshell` or a file to source.
enum ZshCompletion: CompletionScript {
  static let shell = "zsh"

  static func text(_ shell: CommandLineDescription, tests: CommandLineDescription) -> String {
    """
    #compdef dsshell
    # Completions of dsshell for zsh: source <(dsshell --completions zsh)
    _dsshell_first() {
      _alternative 'commands:command:((test\\:"\(tests.summary)"))' 'files:file:_files'
    }
    _dsshell() {
      if (( CURRENT > 2 )) && [[ $words[2] == test ]]; then
        shift words
        (( CURRENT-- ))
        _arguments \\
    \(specs(tests.options)) \\
          '*:path:_files'
        return
      fi
      _arguments \\
    \(specs(shell.options)) \\
        '1: :_dsshell_first' '*:file:_files'
    }
    if [[ $funcstack[1] == _dsshell ]]; then
      _dsshell "$@"
    else
      compdef _dsshell dsshell
    fi

    """
  }

  private static func specs(_ options: [CommandLineOption]) -> String {
    options.flatMap { option in
      [option.shortName, option.longName].compactMap { $0 }.map { name in
        let summary = option.summary.replacing("[", with: "\\[").replacing("]", with: "\\]")
        let values = option.values.isEmpty ? "" : "(\(option.values.joined(separator: " ")))"
        let value: String
        switch option.valueName {
        case nil: value = ""
        case let placeholder? where option.hasOptionalValue:
          value = "::\(placeholder.dropFirst()):"
        case let placeholder?:
          let shown = placeholder.replacing("[", with: "\\[").replacing("]", with: "\\]")
          value = ":\(shown):\(values)"
        }
        return "      "
          + shellQuoted("*\(name)\(option.hasOptionalValue ? "=-" : "")[\(summary)]\(value)")
      }
    }.joined(separator: " \\\n")
  }
}
