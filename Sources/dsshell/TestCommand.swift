import ArgumentParser
import DSInterpreter
import DSReplay
import DataSources
import DataTables
import Glibc
import HTTPTransport

/// `dsshell test`.
///
/// It is not a subcommand for the argument parser, which would accept the word anywhere: in
/// `dsshell a.ds test`, `test` is an argument of the script.
struct TestCommand: ParsableCommand {
  static let name = "test"
  static let configuration = CommandConfiguration(
    commandName: "dsshell \(name)",
    abstract: "Runs scripts as tests.",
    usage: "dsshell test [<options>] <path> ... [-- <args> ...]",
    discussion: """
      A path is a script, a Markdown file with ```ds fences, a script with a line (foods.ds:9 checks \
      only the command or section at line 9), or a folder, which means all .ds files in it. The \
      arguments after `--` are `args` in the scripts.

      Each script has its own virtual clock, which advances only when a command waits (waiting takes \
      no real time), and a temporary folder for the files it writes. \
      `#% clock 2024-01-31T12:00:00Z` sets the clock, `#% clock real` selects the clock of the \
      machine, `#% seed 42` sets the seed of random numbers and of the order in which \
      fetches in the background take turns.

      The comments with expected output are described by `help markers` and `help directives` at the \
      prompt: dsshell -c 'help markers'.

      Exit status: 0 passed, 1 failures or a report that cannot be written, 2 bad usage, 3 a script or \
      a cassette does not parse, or --check-only found a mistake, 4 nothing matched, 6 a crash or an \
      exceeded time limit, 130 interrupted, 128 plus the number of any other signal that ended the run.
      """)

  @Option(help: ArgumentHelp("Number of worker processes.", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Run only scripts and sections with this text in their names; can be repeated.",
      valueName: "text"))
  var filter: [String] = []

  @Option(
    help: ArgumentHelp(
      "Run only sections with this tag; can be repeated.", valueName: "tag"))
  var tag: [String] = []

  @Option(
    help: ArgumentHelp(
      "Leave out sections with this tag, or with this text in their names; can be repeated.",
      valueName: "text"))
  var exclude: [String] = []

  @Option(
    help: ArgumentHelp(
      "Bind a name in all scripts to a constant; can be repeated.", valueName: "name=value"))
  var set: [String] = []

  @Flag(
    help: """
      Require commands without expected output to print nothing, in all scripts; parts of the suite \
      that no test uses are errors.
      """)
  var strict = false

  @Flag(
    help:
      "Report which sections, rows and keys of sources the expectations assert, and which do not.")
  var coverage = false

  @Flag(help: "List the sections that would run; run nothing.")
  var list = false

  @Flag(help: "Run again the scripts whose files change, until interrupted.")
  var watch = false

  @Option(help: ArgumentHelp("List the n slowest sections.", valueName: "n"))
  var slowest: Int?

  @Flag(help: "Run only the tests that failed in their last run from this folder.")
  var failed = false

  @Option(help: ArgumentHelp("Run only every nth script, starting with the kth.", valueName: "k/n"))
  var shard: Shard?

  @Option(help: ArgumentHelp("Random order; =seed repeats it.", valueName: "=seed"))
  var shuffle: UInt64?

  @Option(
    help: ArgumentHelp(
      "Seed of random numbers and of the order of concurrent fetches.", valueName: "n"))
  var seed: UInt64?

  @Option(
    help: ArgumentHelp(
      "Run each script under the seeds 1 to n, and report the smallest that fails.",
      valueName: "n"))
  var explore: UInt64?

  @Flag(help: "Stop at the first failed script.")
  var failFast = false

  @Option(help: ArgumentHelp("Number of times a failed script is run again.", valueName: "n"))
  var retries = 0

  @Flag(help: "Write the actual output into the scripts as expectations.")
  var update = false

  @Flag(help: "Ask at the terminal about each change that --update would make.")
  var review = false

  @Flag(help: "With --update or --review: also write expectations under commands that have none.")
  var fill = false

  @Flag(help: "With --update: print the changes as a patch, and write nothing.")
  var dryRun = false

  @Flag(
    help: """
      Report syntax errors, wrong arguments, unknown names and probable mistakes without running \
      anything.
      """)
  var checkOnly = false

  @Flag(
    help: """
      Allow scripts no writes, no network, no environment, and only files in their folders.
      """)
  var safe = false

  @Option(
    help: ArgumentHelp(
      "Report format: \(TestReports.names.joined(separator: ", ")); =file writes it to a file.",
      valueName: "name[=file]"), completion: .list(TestReports.names))
  var report: [String] = []

  @Option(help: ArgumentHelp("Time limit of a command.", valueName: "seconds"))
  var timeout: Double?

  @ArgumentParser.Argument(help: ArgumentHelp("Scripts and folders.", valueName: "path"))
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
    if let explore, !(1...1_000_000).contains(explore) {
      throw ValidationError("--explore must be a number from 1 to 1000000.")
    }
    if seed != nil && explore != nil {
      throw ValidationError("--seed runs one of the seeds of --explore; choose one of the options.")
    }
    if (update || review) && (seed != nil || explore != nil) {
      throw ValidationError(
        "--update and --review write the output under the seeds of the scripts; omit --seed and "
          + "--explore.")
    }
    if (update || review) && !set.isEmpty {
      throw ValidationError(
        "--update and --review write the output of the usual values; omit --set.")
    }
    if let timeout, !(0.001...86_400).contains(timeout) {
      throw ValidationError("--timeout must be more than 0 and at most 86400 seconds.")
    }
    if safe, update || review {
      throw ValidationError("--safe allows no writes; omit \(update ? "--update" : "--review").")
    }
    if fill, !update, !review {
      throw ValidationError("--fill needs --update or --review.")
    }
    if dryRun, !update {
      throw ValidationError("--dry-run needs --update: it prints what an update would change.")
    }
    if checkOnly, !report.isEmpty {
      throw ValidationError("--check-only writes no report; omit --report.")
    }
    if checkOnly, !(filter + tag + exclude).isEmpty {
      throw ValidationError(
        "--check-only checks whole scripts; omit --filter, --tag and --exclude.")
    }
    if review, update {
      throw ValidationError("--review asks about each change, --update makes all; choose one.")
    }
    if let unknown = report.first(where: { ReportTarget($0) == nil }) {
      let names = TestReports.names.joined(separator: ", ")
      throw ValidationError(
        "Unknown report `\(unknown)`; expected \(names), each optionally with =FILE.")
    }
    if let slowest, !(1...10_000).contains(slowest) {
      throw ValidationError("--slowest must be a number from 1 to 10000.")
    }
    if filter.contains("") || exclude.contains("") {
      throw ValidationError("--filter and --exclude need a text of at least one character.")
    }
    if let tag = tag.first(where: { !TestList.isTag($0) }) {
      throw ValidationError(
        "`\(tag)` is not a tag; a tag consists of letters, digits, `_` and `-`.")
    }
    if list, let other = report.first(where: { $0 != "human" && $0 != "jsonl" }) {
      throw ValidationError("--list writes human or jsonl to standard output, not `\(other)`.")
    }
    if watch && failed { throw ValidationError("--watch and --failed exclude each other.") }
    let modes = [
      (list, "--list"), (watch, "--watch"), (checkOnly, "--check-only"), (update, "--update"),
      (review, "--review"),
    ].filter(\.0).map(\.1)
    if modes.count > 1 {
      throw ValidationError("\(modes[0]) and \(modes[1]) exclude each other.")
    }
    if report.count(where: { ReportTarget($0)?.file == nil }) > 1 {
      throw ValidationError(
        "Two reports are written to standard output; write one to a file, as in "
          + "`--report \(report.last ?? "")=FILE`.")
    }
    let files = report.compactMap { ReportTarget($0)?.identity }
    if Set(files).count < files.count {
      throw ValidationError("Two reports are written to one file; name a file for each.")
    }
  }
}

extension TestCommand {
  /// The command with which `record off` starts a process that runs the recorded script.
  static let recordedRunCommand = ["/proc/self/exe", name, rerun]
  private static let rerun = "--rerun"

  /// - Parameters:
  ///   - words: the arguments after `test`.
  ///   - arguments: the arguments after `--`.
  static func main(_ words: [String], arguments: [String]) async -> Never {
    if words.first == "--worker", words.count == 2 { await work(words[1]) }
    if words == [rerun] {
      await RecordedRun.serve(commands: .program)
      Glibc.exit(ExitStatus.done)
    }
    do {
      let command = try parse(words.map(addingSeed))
      Glibc.exit(TestProgram(command, arguments: arguments).run())
    } catch {
      error.end(of: Self.self)
    }
  }

  /// Adds a random seed to `--shuffle`: the parser does not support optional values of options.
  private static func addingSeed(_ word: String) -> String {
    word == "--shuffle" ? "--shuffle=\(UInt32.random(in: 0...UInt32.max))" : word
  }

  /// Runs a worker of a pool.
  private static func work(_ settings: String) async -> Never {
    let network = HTTPTransport(userAgent: "dsshell/\(Version.number)")
    guard let worker = TestWorker(settings: settings, commands: .program, network: network) else {
      OutputStream.writeError("--worker is reserved for dsshell itself")
      Glibc.exit(ExitStatus.badUsage)
    }
    await worker.run()
    Glibc.exit(ExitStatus.done)
  }
}
