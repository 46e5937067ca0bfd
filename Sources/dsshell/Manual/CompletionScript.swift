import ArgumentParser

/// A script with which a command shell completes the options and files of dsshell.
protocol CompletionScript: SendableMetatype {
  static var shell: String { get }
  /// - Parameters:
  ///   - shell: `dsshell`.
  ///   - tests: `dsshell test`.
  static func text(_ shell: CommandLineDescription, tests: CommandLineDescription) -> String
}

/// The scripts by the names of their shells.
enum CompletionScripts {
  static let all: [any CompletionScript.Type] = [
    BashCompletion.self, ZshCompletion.self, FishCompletion.self,
  ]
}

/// The value of `--completions`: the name of a shell.
struct CompletionShellName: ExpressibleByArgument {
  let script: any CompletionScript.Type

  init?(argument: String) {
    guard let script = CompletionScripts.all.first(where: { $0.shell == argument }) else {
      return nil
    }
    self.script = script
  }

  var defaultValueDescription: String { script.shell }
  static var allValueStrings: [String] { CompletionScripts.all.map { $0.shell } }
}

/// A string in single quotes, as bash, zsh and fish read it.
func shellQuoted(_ text: String) -> String {
  "'" + text.replacing("'", with: #"'\''"#) + "'"
}
