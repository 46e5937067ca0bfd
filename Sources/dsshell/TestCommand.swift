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
      A path is a script, a Markdown file with ```ds fences, a script with a line (foods.ds:9 runs \
      only the command or section at line 9), or a folder, which means all .ds files in it. The \
      arguments after `--` are `args` in the scripts.

      Each script has its own virtual clock, which stands still and on which waiting takes no time, \
      and a temporary folder for the files it writes. `#% clock 2024-01-31T12:00:00Z` sets the \
      clock, `#% clock real` selects the clock of the machine, `#% seed 42` sets the seed of random \
      numbers.

      Exit status: 0 passed, 1 failures or a report that cannot be written, 2 bad usage, 3 a script \
      does not parse, 4 nothing matched, 6 a crash or an exceeded time limit, 130 interrupted, 128 \
      plus the number of any other signal that ended the run.
      """)

  @Option(help: ArgumentHelp("Number of worker processes.", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Run only scripts and sections with this text in their names.", valueName: "text"))
  var filter: String?

  @Flag(help: "Run only the tests that failed in their last run from this folder.")
  var failed = false

  @Option(help: ArgumentHelp("Run only every nth script, starting with the kth.", valueName: "k/n"))
  var shard: Shard?

  @Option(help: ArgumentHelp("Random order; =seed repeats it.", valueName: "=seed"))
  var shuffle: UInt64?

  @Flag(help: "Stop at the first failed script.")
  var failFast = false

  @Option(help: ArgumentHelp("Number of times a failed script is run again.", valueName: "n"))
  var retries = 0

  @Flag(help: "Write the actual output into the scripts as expectations.")
  var update = false

  @Flag(help: "Report syntax errors and probable mistakes without running anything.")
  var checkOnly = false

  @Option(
    help: ArgumentHelp(
      "Report format: \(TestReports.names.joined(separator: ", ")); =file writes it to a file.",
      valueName: "name[=file]"))
  var report: [String] = []

  @Option(help: ArgumentHelp("Time limit of a command.", valueName: "seconds"))
  var timeout: Double?

  @Argument(help: ArgumentHelp("Scripts and folders.", valueName: "path"))
  var paths: [String] = []

  func validate() throws {
    if paths.isEmpty && !failed {
      throw ValidationError("Name the scripts or folders to test, such as `dsshell test .`")
    }
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs must be a number from 1 to 1024.")
    }
    if !(0...100).contains(retries) {
      throw ValidationError("--retries must be a number from 0 to 100.")
    }
    if let timeout, !(0.001...86_400).contains(timeout) {
      throw ValidationError("--timeout must be more than 0 and at most 86400 seconds.")
    }
    let unknown = report.first { ReportTarget($0) == nil }
    if let unknown {
      let names = TestReports.names.joined(separator: ", ")
      throw ValidationError(
        "Unknown report `\(unknown)`; expected \(names), each optionally with =FILE.")
    }
    let files = report.compactMap { ReportTarget($0)?.identity }
    if Set(files).count < files.count {
      throw ValidationError("Two reports go to one file; give each its own file.")
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
