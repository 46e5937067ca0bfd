import ArgumentParser
import Glibc

/// The command line.
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
      Without a script it prompts when somebody types, and reads a script from standard input \
      otherwise; `-` is standard input as well.

      The first word is a script, and so are the words right after it that end in `.ds`. What \
      follows them or `--` is `args` in the scripts, which share one session.

      Exit status: 0 done, 1 a command or an expectation failed, 2 bad usage, 3 a script does not \
      parse (nothing of it was run), 130 interrupted.
      """,
    version: Version.text)

  @Option(
    name: .short, parsing: .unconditional,
    help: ArgumentHelp("Run these commands.", valueName: "commands"))
  var c: String?

  @Option(help: ArgumentHelp("How results are shown.", valueName: "style"))
  var output: StyleName?

  @Flag(help: "Go on after a command that fails.")
  var keepGoing = false

  @Flag(help: "Show no colour; so does NO_COLOR in the environment.")
  var noColor = false

  @Argument(help: ArgumentHelp("Scripts, and their arguments.", valueName: "file"))
  var words: [String] = []

  static func main() async {
    StandardStreams.open()
    // What stands after `--` is for the scripts, however it looks.
    let words = CommandLine.arguments.dropFirst()
    let own = words.prefix { $0 != "--" }
    let arguments = Array(words.dropFirst(own.count + 1))
    if own.first == TestCommand.name {
      await TestCommand.main(Array(own.dropFirst()), arguments: arguments)
    }
    do {
      // Parsed without waiting, so that all goes on in the main thread, to which signals come.
      let command = try DSShell(plain: Array(own)) ?? DSShell(parsing: Array(own))
      let status = await Shell(command, arguments: arguments).run()
      Glibc.exit(status)
    } catch {
      error.end(of: Self.self)
    }
  }

  /// The scripts that are named, and their arguments.
  var scripts: (files: [String], arguments: [String]) {
    guard c == nil, let first = words.first else { return ([], words) }
    let others = words.dropFirst().prefix { $0.hasSuffix(".ds") }
    return ([first] + others, Array(words.dropFirst(1 + others.count)))
  }
}
