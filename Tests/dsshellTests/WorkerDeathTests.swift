import Foundation
import Glibc
import Testing

/// Workers and pools that die or hang.
@Suite struct WorkerDeathTests {
  private let folder: TemporaryFolder
  private let hanging = """
    #% section "before"
    print 1
    #| 1
    #% section "hangs"
    print 2
    #| 3
    print "output"; load fifo format: csv
    print 4
    #| 4
    #% section "after"
    print 5
    #| 5

    """
  /// - Parameter options: those of the run, which its suggestions repeat.
  private func picture(_ options: String = "") -> String {
    """
    FAIL hang.ds:5 › hangs
       5 │ print 2
       6 │ - 3      expected
         │ + 2      actual
         │   ^
         rerun dsshell test \(options)hang.ds:5     accept dsshell test \(options)hang.ds --update

    FAIL hang.ds:7 › hangs
       7 │ print "output"; load fifo format: csv
         │ + output      actual
    """
  }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("hang.ds", hanging)
    try folder.write("good.ds", "print 1\n#| 1\n")
    try folder.write("other.ds", "print 2\n#| 2\n")
    try #require(mkfifo(folder.path + "/fifo", 0o600) == 0)
  }

  @Test func aKilledWorkerFailsItsLineAndTheRestIsReported() throws {
    let run = try TestProcess(folder, "hang.ds", "good.ds", "other.ds", "--jobs", "1")
    let writer = try run.waitForReader(of: "fifo")
    defer { close(writer) }
    let worker = try #require(run.workers.first)
    kill(worker, SIGKILL)
    let result = try run.finish()
    #expect(
      result.output == picture() + """

             │ the command did not end: the process was ended by signal 9 (Killed)
             rerun dsshell test hang.ds:7

        3 files, 5 sections: 3 passed, 1 failed, 1 not run in T

        """)
    #expect(result.status == 6 && result.errors == "")
  }

  @Test(arguments: ["--seed", "--explore"])
  func failuresBeforeACrashUnderASeedAreReported(option: String) throws {
    try folder.write(
      "seed.ds",
      "#% section \"fails\"\nprint 1\n#| 2\n#% section \"hangs\"\nprint 3\n#| 4\nload fifo format: csv\n"
    )
    let run = try TestProcess(folder, "seed.ds", "--jobs", "1", option, "7")
    let writer = try run.waitForReader(of: "fifo")
    defer { close(writer) }
    kill(try #require(run.workers.first), SIGKILL)
    let result = try run.finish()
    let seed = option == "--seed" ? 7 : 1
    for line in [2, 5, 7] {
      #expect(result.output.contains("     rerun dsshell test --seed \(seed) seed.ds:\(line)\n"))
    }
    #expect(result.output.contains("SEED ") == (option == "--explore"))
    #expect(result.output.contains("1 file, 2 sections: 0 passed, 2 failed in T"))
    #expect(result.status == 6)
  }

  @Test func theTimeOfASectionBeforeACrashIsReported() throws {
    try folder.write(
      "slow.ds",
      "#% section \"slow\"\nload fifo format: csv\n#% section \"hangs\"\nload next format: csv\n")
    try #require(mkfifo(folder.path + "/next", 0o600) == 0)
    let run = try TestProcess(
      folder, "slow.ds", "--jobs", "1", "--report",
      "junit=\(folder.path)/report.xml")
    let writer = try run.waitForReader(of: "fifo")
    usleep(20_000)
    try #require(write(writer, "a\n1\n", 4) == 4)
    close(writer)
    let next = try run.waitForReader(of: "next")
    defer { close(next) }
    kill(try #require(run.workers.first), SIGKILL)
    #expect(try run.finish().status == 6)
    let report = try String(contentsOfFile: folder.path + "/report.xml", encoding: .utf8)
    let slow = try #require(report.split(separator: "\n").first { $0.contains("name=\"slow\"") })
    #expect(slow.contains("time=\"") && !slow.contains("time=\"0.000\""))
  }

  @Test func aHangIsReportedWithItsOutputAndTheFileContinues() throws {
    let result = try dsshellTest(folder, "hang.ds", "good.ds", "--timeout", "2")
    #expect(
      result.output == picture("--timeout 2 ") + """

             │ the command exceeded its time limit of 2 s and was ended; write `#% timeout 4s` below it, or use `--timeout`
             rerun dsshell test --timeout 2 hang.ds:7

        2 files, 4 sections: 3 passed, 1 failed in T

        """)
    #expect(result.status == 6)
  }

  @Test func aHangThatIgnoresCancellationIsEndedByThePool() throws {
    let run = try TestProcess(folder, "hang.ds", "good.ds", "--jobs", "1", "--timeout", "3")
    let writer = try run.waitForReader(of: "fifo")
    defer { close(writer) }
    let worker = try #require(run.workers.first)
    // This stops its watchdog too. After the deadline the command would already be canceled.
    kill(worker, SIGSTOP)
    let result = try run.finish()
    #expect(
      result.output == picture("--timeout 3 ") + """

             │ the command exceeded its time limit of 3 s, ignored the cancellation, and was ended; write `#% timeout 6s` below it, or use `--timeout`
             rerun dsshell test --timeout 3 hang.ds:7

        2 files, 4 sections: 2 passed, 1 failed, 1 not run in T

        """)
    #expect(result.status == 6)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalReportsTheResultsAndLeavesNoFiles(number: Int32) throws {
    let run = try TestProcess(
      folder, "good.ds", "hang.ds", "other.ds", "--jobs", "1", "--report",
      "junit=\(folder.path)/report.xml", "--report", "human")
    let writer = try run.waitForReader(of: "fifo")
    defer { close(writer) }
    let workers = run.workers
    let worker = try #require(workers.first)
    let home = try String(contentsOfFile: "/proc/\(worker)/environ", encoding: .utf8)
      .split(separator: "\0").first { $0.hasPrefix("HOME=") }?.dropFirst(5)
    run.process.send(number)
    let result = try run.finish()
    #expect(!FileManager.default.fileExists(atPath: String(try #require(home))))
    #expect(
      result.output == "1 file, 1 section: 1 passed in T; 2 files not run, interrupted\n")
    #expect(result.status == 128 + number)
    let report = try folder.read("report.xml")
    #expect(report.contains(" tests=\"2\" failures=\"0\" errors=\"1\""))
    #expect(report.contains("the run was interrupted; 2 files did not run to the end"))
    for worker in workers { #expect(kill(worker, 0) != 0) }
  }

  @Test func theNextRunRemovesTheFoldersOfKilledOnes() throws {
    try folder.write("pass.ds", "print 1\n#| 1\n")
    let temporary = try TemporaryFolder()
    let hourAgo = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -3700)]
    for name in ["dsshell-test-left", "dsshell-test-used", "dsshell-test-new", "other"] {
      try FileManager.default.createDirectory(
        atPath: "\(temporary.path)/\(name)/1/tmp", withIntermediateDirectories: true)
      _ = try temporary.write("\(name)/1/tmp/file", "1")
      if name == "dsshell-test-new" { continue }
      try FileManager.default.setAttributes(hourAgo, ofItemAtPath: "\(temporary.path)/\(name)")
    }
    let used = open(temporary.path + "/dsshell-test-used", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(used) }
    #expect(flock(used, LOCK_EX) == 0)
    let run = try TestProcess(
      folder, arguments: ["pass.ds"], environment: ["TMPDIR": temporary.path])
    #expect(try run.finish().status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted()
    #expect(names == ["dsshell-test-new", "dsshell-test-used", "other"])
  }

  @Test func workersEndWithTheirPool() throws {
    let run = try TestProcess(
      folder, arguments: ["hang.ds", "--jobs", "1"], environment: ["TMPDIR": folder.path])
    let writer = try run.waitForReader(of: "fifo")
    defer { close(writer) }
    let worker = try #require(run.workers.first)
    run.process.send(SIGKILL)
    #expect(run.process.wait() == -SIGKILL)
    // The worker may stay in the process table as a zombie if no process waits for it.
    let isGone = (0..<20_000).contains { _ in
      usleep(1000)
      return kill(worker, 0) != 0 || (try? folder.state(of: worker)) == "Z"
    }
    #expect(isGone)
  }

  @Test func aWorkerHasAFixedEnvironment() throws {
    let run = try TestProcess(folder, "hang.ds", "--jobs", "1")
    let writer = try run.waitForReader(of: "fifo")
    defer { close(writer) }
    let worker = try #require(run.workers.first)
    let text = try String(contentsOfFile: "/proc/\(worker)/environ", encoding: .utf8)
    let variables = text.split(separator: "\0").map(String.init).filter { !$0.hasPrefix("LD_") }
    let home = try #require(variables.first { $0.hasPrefix("HOME=") }).dropFirst(5)
    #expect(try FileManager.default.contentsOfDirectory(atPath: String(home)) == [])
    let fixed = variables.filter { !$0.hasPrefix("HOME=") && !$0.hasPrefix("TMPDIR=") }
    #expect(
      fixed == [
        "COLUMNS=80", "NO_COLOR=1", "SWIFT_BACKTRACE=enable=no", "TERM=dumb",
        "GLIBC_TUNABLES=glibc.malloc.tcache_count=1000", "LC_ALL=C.UTF-8",
        "SWIFT_DETERMINISTIC_HASHING=1", "TZ=UTC", "PATH=/usr/bin:/bin",
      ])
    run.process.send(SIGINT)
    #expect(try run.finish().status == 130)
    #expect(!FileManager.default.fileExists(atPath: String(home)))
  }

  @Test func aLongLineOfOutputIsTruncated() throws {
    let text = String(repeating: "é", count: 5000)
    try folder.write("long.ds", "print \"\(text)\"; load fifo format: csv\n")
    let run = try TestProcess(folder, "long.ds", "--jobs", "1")
    let writer = try run.waitForReader(of: "fifo")
    defer { close(writer) }
    kill(try #require(run.workers.first), SIGKILL)
    let line = try #require(
      try run.finish().output.split(separator: "\n").first { $0.contains("+ ") })
    #expect(line.hasPrefix("     │ + ééé") && line.contains("é… "))
    #expect(line.count < 400)
  }

  @Test func aFlakyScriptIsReportedAsFlaky() throws {
    let run = try TestProcess(
      folder, "hang.ds", "--jobs", "1", "--retries", "1", "--filter", "afte")
    let writer = try run.waitForReader(of: "fifo")
    defer { close(writer) }
    let worker = try #require(run.workers.first)
    // The next attempt, which may begin as soon as this one ends, reads a regular file.
    unlink(folder.path + "/fifo")
    try folder.write("fifo", "a\n1\n")
    kill(worker, SIGKILL)
    let result = try run.finish()
    #expect(result.output.contains("FLAKY hang.ds: passed after 1 failed attempt\n"))
    #expect(result.output.hasSuffix("1 file, 1 section: 1 passed in T\n"))
    #expect(result.status == 0)
  }
}

extension TemporaryFolder {
  fileprivate func state(of process: pid_t) throws -> String {
    let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return text.split(separator: " ").dropFirst(2).first.map(String.init) ?? ""
  }
}
