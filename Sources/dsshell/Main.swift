import ArgumentParser
import DSRendering
import Glibc

/// The command line of dsshell.
@main
struct DSShell: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dsshell",
    abstract: "A shell for data sources.",
    usage: """
      dsshell [<options>]
      dsshell [<options>] <file.ds> ... [-- <args> ...]
      dsshell [<options>] -c <commands> [<args> ...]
      dsshell test <path> ... (see dsshell test --help)
      """,
    discussion: """
      Without a script, dsshell opens a prompt if standard input is a terminal, and otherwise reads a \
      script from standard input; `-` names standard input too.

      The first word is a script, and so are the words directly after it that end in `.ds`. The words \
      after these, or after `--`, are `args` in the scripts, which share one session.

      Exit status: 0 success, 1 a command or an expectation failed, 2 bad usage, 3 a script does not \
      parse (no part of it was run), 130 interrupted.
      """,
    version: Version.text)

  @Option(
    name: .short, parsing: .unconditional,
    help: ArgumentHelp("Run these commands.", valueName: "commands"))
  var c: String?

  @Option(help: ArgumentHelp("The style of results.", valueName: "style"))
  var output: StyleName?

  @Flag(help: "Continue after a command that fails.")
  var keepGoing = false

  @Flag(help: "Use no color, as with NO_COLOR in the environment.")
  var noColor = false

  @Argument(help: ArgumentHelp("Scripts and their arguments.", valueName: "file"))
  var words: [String] = []

  static func main() async {
    StandardStreams.open()
    // Words after `--` belong to the scripts, even those that look like options.
    let words = CommandLine.arguments.dropFirst()
    let shellWords = words.prefix { $0 != "--" }
    let arguments = Array(words.dropFirst(shellWords.count + 1))
    if shellWords.first == TestCommand.name {
      await TestCommand.main(Array(shellWords.dropFirst()), arguments: arguments)
    }
    do {
      // Parse without suspending: everything must run on the main thread, which receives the
      // signals.
      let command = try DSShell(plain: Array(shellWords)) ?? DSShell(parsing: Array(shellWords))
      let status = await Shell(command, arguments: arguments).run()
      Glibc.exit(status)
    } catch {
      error.end(of: Self.self)
    }
  }

  /// The scripts to run and their arguments.
  var scripts: (files: [String], arguments: [String]) {
    guard c == nil, let first = words.first else { return ([], words) }
    let others = words.dropFirst().prefix { $0.hasSuffix(".ds") }
    return ([first] + others, Array(words.dropFirst(1 + others.count)))
  }
}

/// The value of `--output`: the name of an output style.
struct StyleName: ExpressibleByArgument {
  let text: String

  init?(argument: String) {
    guard Styles.style(named: argument) != nil else { return nil }
    text = argument
  }

  var defaultValueDescription: String { text }
  static var allValueStrings: [String] { Styles.names }
}

enum Version {
  static let number = "0.1.0"
  static let text = "dsshell \(number)"
}
