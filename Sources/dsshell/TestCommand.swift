import ArgumentParser
import DSReplay
import Glibc

/// `dsshell test`.
///
/// Not a subcommand of the parser, which would accept the word anywhere: in `dsshell a.ds test`,
/// `test` is an argument of the script.
struct TestCommand: ParsableCommand {
  static let name = "test"
  static let configuration = CommandConfiguration(
    commandName: "dsshell \(name)",
    abstract: "Runs scripts as tests.",
    usage: "dsshell test [<options>] <path> ... [-- <args> ...]",
    discussion: """
      A path is a script, a Markdown file with ```ds fences, a script with the line that alone is \
      judged (foods.ds:9), or a folder, which stands for all .ds files in it. What follows `--` is \
      `args` in the scripts.

      A script has a clock of its own, which stands still and on which waiting takes no time, and a \
      fresh folder for what it writes. `#% clock 2024-01-31T12:00:00Z` sets that clock, `#% clock \
      real` takes the machine's, `#% seed 42` says what falls by chance.

      Exit status: 0 passed, 1 failures, 2 bad usage, 3 a script does not parse, 4 nothing matched, \
      6 a crash or a command that took too long, 130 interrupted, 128 and the \
      number of the signal after another that ended it.
      """)

  @Option(help: ArgumentHelp("How many worker processes run at a time.", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp("Only scripts and sections with this in their names.", valueName: "text"))
  var filter: String?

  @Flag(help: "Only what failed when it was run last from this folder.")
  var failed = false

  @Option(help: ArgumentHelp("Only every nth script, from the kth on.", valueName: "k/n"))
  var shard: Shard?

  @Option(help: ArgumentHelp("In an order of chance, or that of a seed.", valueName: "=seed"))
  var shuffle: UInt64?

  @Flag(help: "Stop at the first script that fails.")
  var failFast = false

  @Option(help: ArgumentHelp("Run a script that failed again, so often.", valueName: "n"))
  var retries = 0

  @Flag(help: "Write what comes into the scripts as what is expected.")
  var update = false

  @Flag(help: "Run nothing; tell what does not parse or was probably meant otherwise.")
  var checkOnly = false

  @Option(
    help: ArgumentHelp(
      "How it is told: \(TestReports.names.joined(separator: ", ")); =file writes it there.",
      valueName: "name[=file]"))
  var report: [String] = []

  @Option(help: ArgumentHelp("How long a command may take.", valueName: "seconds"))
  var timeout: Double?

  @Argument(help: ArgumentHelp("Scripts and folders.", valueName: "path"))
  var paths: [String] = []

  func validate() throws {
    if paths.isEmpty && !failed {
      throw ValidationError("Name the scripts or folders to test, such as `dsshell test .`")
    }
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs takes a number from 1 to 1024.")
    }
    if !(0...100).contains(retries) {
      throw ValidationError("--retries takes a number from 0 to 100.")
    }
    if let timeout, !(0.001...86_400).contains(timeout) {
      throw ValidationError("--timeout takes seconds, more than none and at most a day.")
    }
    let unknown = report.first { ReportTarget($0) == nil }
    if let unknown {
      let names = TestReports.names.joined(separator: ", ")
      throw ValidationError("No report is `\(unknown)`; there are \(names), each also with =FILE.")
    }
    let files = report.compactMap { ReportTarget($0)?.identity }
    if Set(files).count < files.count {
      throw ValidationError("Two reports go to one file; give each a file of its own.")
    }
  }
}

/// `2/5`
struct Shard: ExpressibleByArgument {
  let index: Int
  let count: Int

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], index > 0, index <= count
    else { return nil }
    self.index = index
    self.count = count
  }
}
