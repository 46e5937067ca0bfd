import ArgumentParser
import CMemory
import DSRendering
import Glibc

/// The command line of dsshell.
@main
struct DSShell: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dsshell",
    abstract: "A shell for data sources.",
    usage: """
      dsshell [<options>] [<data> ...]
      dsshell [<options>] [<data> ...] <file.ds> ... [<args> ...]
      dsshell [<options>] [<data> ...] -c <commands> [<args> ...]
      dsshell test <path> ... (see dsshell test --help)
      """,
    discussion: """
      Data are files, folders, patterns in quotes, URLs and databases; they are loaded first. Without \
      a script, dsshell then opens a prompt if standard input is a terminal, and otherwise reads a \
      script from standard input; `-` names standard input too.

      A word that ends in `.ds`, or names a file that begins with `#!`, is a script, and so are the \
      words directly after it that end in `.ds`. The words after these, after the commands of `-c`, \
      or after `--`, are `args` in the scripts, which share one session.

      Exit status: 0 success, 1 a command or an expectation failed, 2 bad usage, 3 a script has \
      mistakes (no part of it was run), 130 interrupted.
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

  @Flag(help: "Show no colors and no hints in the line that is typed.")
  var plain = false

  @Flag(
    help: """
      Allow no writes, no network, no environment, and only files in the folder of the script and on \
      the command line.
      """)
  var safe = false

  @Option(help: ArgumentHelp("Print completions for a shell.", valueName: "shell"))
  var completions: CompletionShellName?

  @Flag(help: "Print the manual page.")
  var manual = false

  @Argument(help: ArgumentHelp("Data, scripts and their arguments.", valueName: "file"))
  var words: [String] = []

  static func main() async {
    StandardStreams.open()
    // A write beyond the limit of file sizes fails with EFBIG instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    // Each thread would otherwise keep its own freed memory: a session of many questions would occupy
    // half as much again.
    ds_share_freed_memory()
    SystemLimits.reserveMemory()
    if let message = SystemLimits.raise() {
      OutputStream.writeError(message)
      Glibc.exit(ExitStatus.failed)
    }
    let words = CommandLine.arguments.dropFirst()
    if words.first == TestCommand.name {
      let own = words.prefix { $0 != "--" }
      await TestCommand.main(
        Array(own.dropFirst()), arguments: Array(words.dropFirst(own.count + 1)))
    }
    do {
      // Parse without suspending: everything must run on the main thread, which receives the
      // signals.
      let invocation = try Invocation(words)
      if let text = invocation.options.printedText {
        try? OutputStream(STDOUT_FILENO).writeAll(text)
        Glibc.exit(ExitStatus.done)
      }
      let status = await Shell(invocation).run()
      Glibc.exit(status)
    } catch {
      error.end(of: Self.self)
    }
  }
}

extension CommandLineOptions {
  /// The text that an option prints in place of a run; nil without such an option.
  fileprivate var printedText: String? {
    guard completions != nil || printsManual else { return nil }
    let shell = CommandLineDescription(DSShell.self)
    let tests = CommandLineDescription(TestCommand.self)
    if let completions { return completions.script.text(shell, tests: tests) }
    return ManualPage.text(shell, tests: tests, version: Version.text)
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
