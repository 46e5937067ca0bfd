import Foundation
import Glibc
import TestServer
import Testing

/// Makes system calls of commands fail, one at a time, or all from one on. The file that a command
/// writes has its old content or the new one, a status of 0 means the new one, and nothing hangs or
/// crashes.
///
/// `DSSHELL_FAULTS=all` injects all faults; otherwise those in the calls that write, and in some
/// allocations.
@Suite struct FailingCallTests {
  private static let old = "id,name\n1,old\n"
  private static let new = "id,name\n1,new\n"

  /// A command and the file that it writes.
  struct Work: Sendable, CustomTestStringConvertible {
    let name: String
    /// `SERVER` is the address of a server.
    let arguments: [String]
    /// The file, and what it has before, nil for no file, and after.
    let file: String
    let old: String?
    let new: String
    var testDescription: String { name }
  }

  static let works = [
    Work(
      name: "overwrite",
      arguments: ["-c", "let s = simple [{id: 1, name: new}]; save s data.csv overwrite: true"],
      file: "data.csv", old: old, new: new),
    Work(
      name: "edit",
      arguments: ["-c", "let s = load data.csv; update s [0, 0] name: \"new\"; save s"],
      file: "data.csv", old: old, new: new),
    Work(
      name: "create",
      arguments: ["-c", "let s = simple [{id: 1, name: new}]; save s new.csv"],
      file: "new.csv", old: nil, new: new),
    Work(
      name: "update", arguments: ["test", "--update", "test.ds"], file: "test.ds",
      old: "print 1\n#| 2\n", new: "print 1\n#| 1\n"),
    Work(
      name: "draw",
      arguments: ["-c", "let s = simple [{id: 1}]; tree s as: text tree.txt"],
      file: "tree.txt", old: nil, new: "tree of s\ns  simple  1 section, 1 object\n"),
    Work(
      name: "download",
      arguments: ["-c", "let s = remote SERVER/raw?json retries: 0 | fetch; save s new.csv"],
      file: "new.csv", old: nil, new: "id\n1\n2\n"),
  ]

  private struct Failure {
    let call: String
    let error: Int32
    /// Whether all calls from the first that fails on fail.
    var lasts = false
    /// The distance of the calls that fail: there are many allocations.
    var step = 1
  }

  private static let failsAll = ProcessInfo.processInfo.environment["DSSHELL_FAULTS"] == "all"

  private static let failures: [Failure] = {
    let writing = [
      Failure(call: "open", error: EMFILE), Failure(call: "write", error: ENOSPC),
      Failure(call: "write", error: EINTR), Failure(call: "fsync", error: EIO),
      Failure(call: "rename", error: EXDEV), Failure(call: "linkat", error: EPERM),
      Failure(call: "close", error: EIO),
    ]
    guard failsAll else { return writing + [Failure(call: "malloc", error: ENOMEM, step: 5_003)] }
    let others: [(String, Int32)] = [
      ("read", EIO), ("read", EINTR), ("pread", EIO), ("link", EPERM), ("unlink", EPERM),
      ("mkdir", ENOSPC), ("flock", EINTR), ("stat", EACCES), ("fstat", EIO), ("access", EACCES),
      ("realpath", EACCES), ("ftruncate", EIO), ("fchmod", EPERM), ("pipe", EMFILE),
      ("mmap", ENOMEM), ("pthread_create", EAGAIN), ("socket", EMFILE), ("connect", ENETUNREACH),
      ("send", EPIPE), ("recv", ECONNRESET), ("poll", EINTR),
    ]
    let all = writing + others.map { Failure(call: $0, error: $1) }
    // Without any output, or any thread, nothing can be reported.
    let lasting = all.filter {
      !["write", "pthread_create"].contains($0.call) && $0.error != EINTR
    }
    return all + lasting.map { Failure(call: $0.call, error: $0.error, lasts: true) }
      + [Failure(call: "malloc", error: ENOMEM, step: 211)]
  }()

  /// The library that makes calls fail.
  private static let library: Result<String, any Error> = Result {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
    let folder = FileManager.default.temporaryDirectory.path
    let path = "\(folder)/dsshell-failing-calls-\(getpid()).so"
    let compiler = try ShellProcess(
      program: "/usr/bin/env",
      ["cc", "-shared", "-fPIC", "-o", path, source + "/Faults/failing-calls.c", "-ldl"],
      environment: [:], streams: [.closed, .descriptor(1), .descriptor(2)])
    try #require(compiler.wait() == 0)
    atexit {
      unlink("\(FileManager.default.temporaryDirectory.path)/dsshell-failing-calls-\(getpid()).so")
    }
    return path
  }

  @Test(arguments: works) func theFileIsOldOrNewAndASuccessMeansNew(work: Work) async throws {
    try await FaultServer.run { server in
      var failed: Set<String> = []
      for failure in Self.failures {
        var number = 1
        while try run(work, failure, at: number, server.url) {
          number += failure.step
          failed.insert(failure.call)
        }
      }
      // The library was loaded, and its calls failed.
      #expect(failed.isSuperset(of: ["open", "write", "close", "malloc"]), "\(failed.sorted())")
    }
  }

  /// The program that makes a call fail and starts the shell, which follows.
  private func preload(
    _ failure: Failure, at number: Int, state: TemporaryFolder
  ) throws -> [String] {
    // With a limit, a reserve serves an allocation that fails; without one, Swift ends the process.
    let limit = failure.call == "malloc" ? "4000000" : "unlimited"
    return [
      "timeout", "--foreground", "-s", "KILL", "60", "sh", "-c",
      "ulimit -v \(limit); exec \"$@\"", "sh", "env", "LD_PRELOAD=\(try Self.library.get())",
      "FAIL_CALL=\(failure.call)", "FAIL_AT=\(number)", "FAIL_COUNT=\(failure.lasts ? 0 : 1)",
      "FAIL_ERROR=\(failure.error)", "FAIL_MARK=\(state.path)/failed",
      "SYNC_MARK=\(state.path)/unsynced", try ShellProcess.binary,
    ]
  }

  /// - Returns: whether a call failed; false if there were fewer calls.
  private func run(
    _ work: Work, _ failure: Failure, at number: Int, _ server: String
  ) throws -> Bool {
    let folder = try TemporaryFolder()
    if let old = work.old { try folder.write(work.file, old) }
    let state = try TemporaryFolder()
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    let process = try ShellProcess(
      program: "/usr/bin/env",
      ["-C", folder.path] + preload(failure, at: number, state: state)
        + work.arguments.map { $0.replacingOccurrences(of: "SERVER", with: server) },
      environment: [
        "XDG_CACHE_HOME": state.path, "XDG_STATE_HOME": state.path,
        "SWIFT_BACKTRACE": "enable=no",
      ],
      streams: [
        .file("/dev/null", flags: O_RDONLY), .file(state.path + "/output", flags: flags),
        .file(state.path + "/errors", flags: flags),
      ])
    let status = process.wait()
    let output = try state.read("output") + state.read("errors")
    let place = Comment(
      rawValue: "\(failure.call) \(number)\(failure.lasts ? " and later" : ""): \(status) \(output)"
    )
    #expect((0...6).contains(status), place)
    #expect(!output.contains("Fatal error"), place)
    let found = try? folder.read(work.file)
    #expect(found == work.old || found == work.new, place)
    // An update also passes as a test with failures.
    if status == 0 { #expect(found == work.new, place) } else { #expect(!output.isEmpty, place) }
    #expect(access(state.path + "/unsynced", F_OK) != 0, place)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    // A file that cannot be removed stays.
    if failure.call != "unlink" { #expect(names.allSatisfy { $0 == work.file }, place) }
    return access(state.path + "/failed", F_OK) == 0
  }

  /// The prompt ends as it was asked to or with an error, and never writes a part of an entry or of a
  /// file.
  @Test func thePromptGoesOnOrEndsWithAnError() throws {
    let calls: [(String, Int32)] = [
      ("read", EIO), ("read", EINTR), ("write", EIO), ("open", EMFILE), ("poll", EINTR),
      ("tcgetattr", EIO), ("tcsetattr", EIO), ("fstat", EIO), ("mkdir", ENOSPC), ("pipe", EMFILE),
      ("flock", EINTR), ("fsync", EIO), ("rename", EXDEV),
    ]
    for (call, error) in calls {
      let step = Self.failsAll ? 1 : 29
      var number = 1
      while try runPrompt(Failure(call: call, error: error), at: number) { number += step }
      #expect(number > 1, "no call of \(call)")
    }
  }

  private static let entries = [
    "let s = load data.csv", "update s [0, 0] name: \"new\"", "save s", "print \"end\"", "quit",
    "quit",
  ]

  /// - Returns: whether a call failed; false if there were fewer calls.
  private func runPrompt(_ failure: Failure, at number: Int) throws -> Bool {
    let folder = try TemporaryFolder()
    try folder.write("data.csv", Self.old)
    let state = try TemporaryFolder()
    let session = try TerminalSession(
      program: "/usr/bin/env",
      ["-C", folder.path] + preload(failure, at: number, state: state),
      environment: [
        "DSSHELL_HISTORY": state.path + "/history", "HOME": state.path, "NO_COLOR": "1",
        "SWIFT_BACKTRACE": "enable=no",
      ])
    // If the prompt could not be shown, the shell waits for a line all the same.
    session.shows("ds> ")
    for entry in Self.entries { session.type(entry + "\r") }
    let (status, output) = try session.end()
    let place = Comment(rawValue: "\(failure.call) \(number): \(status) \(output)")
    #expect((0...6).contains(status), place)
    #expect(!output.contains("Fatal error"), place)
    let found = try folder.read("data.csv")
    #expect(found == Self.old || found == Self.new, place)
    let lines = ((try? state.read("history")) ?? "").split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy(Self.entries.contains), "\(place) \(lines)")
    #expect(access(state.path + "/unsynced", F_OK) != 0, place)
    return access(state.path + "/failed", F_OK) == 0
  }
}
