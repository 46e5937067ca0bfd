import Glibc
import Testing

/// Limits of the system that are too low to start.
@Suite struct SystemLimitTests {
  /// Root has no limit of processes, so another user runs the program.
  private static let other =
    getuid() == 0 ? ["setpriv", "--reuid=65534", "--clear-groups", "bash"] : ["bash"]

  /// Whether the user may read the program.
  private static var canRun: Bool {
    let result = try? run("exec \"$0\" --version", by: other)
    return result?.status == 0
  }

  private static func run(_ script: String, by shell: [String] = ["bash"]) throws -> ShellResult {
    try finish(program: "/usr/bin/env", shell + ["-c", script, ShellProcess.binary])
  }

  /// Otherwise, the program would wait for a thread for ever.
  @Test(.enabled(if: canRun, "no user without a right to many processes can run the program"))
  func aLowLimitOfThreadsIsReported() throws {
    let result = try Self.run("ulimit -u 1; exec \"$0\" -c 'print 1'", by: Self.other)
    #expect(result.status == 1 && result.output == "")
    #expect(
      result.errors == """
        error: dsshell needs 4 threads, but the system allows 0 (Resource temporarily \
        unavailable); raise the limit of 1 processes with `ulimit -u`

        """)
  }

  /// Otherwise, the runtime would end the process without a message.
  @Test(
    arguments: [
      ("-S -n 6", 0, "1\n", ""),
      (
        "-n 6", 1, "",
        "error: dsshell needs 32 open files, but the limit is 6; raise it with `ulimit -n 32`, "
          + "as root if that is refused\n"
      ),
    ] as [(String, Int32, String, String)])
  func aLowLimitOfOpenFilesIsRaisedOrReported(
    limit: String, status: Int32, output: String, errors: String
  ) throws {
    let result = try Self.run("ulimit \(limit); exec \"$0\" -c 'print 1'")
    #expect(result.status == status && result.output == output && result.errors == errors)
  }
}
