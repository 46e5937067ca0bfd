import DataSources
import Foundation
import Glibc
import Testing

@testable import DSReplay

@Suite struct StatusPageTests {
  private let page: StatusPage

  init() throws {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    try #require(ftruncate(fileno(file), StatusPage.size) == 0)
    page = try #require(StatusPage(fileno(file)))
  }

  @Test func nothingRunsBetweenJobs() throws {
    #expect(page.running == nil && page.last == nil && page.lastOutput == "")
    page.beginFile(3, timeLimit: 1000)
    #expect(page.running == nil)
    #expect(try #require(page.last).job == 3)
    page.beginCommand(line: 7, timeLimit: 10)
    page.endFile()
    #expect(page.running == nil && page.last == nil)
  }

  @Test func theEarlierDeadlineCounts() throws {
    page.beginFile(0, timeLimit: 1_000_000_000_000)
    page.beginCommand(line: 2, timeLimit: 10)
    let command = try #require(page.running)
    #expect(command.job == 0 && command.line == 2 && !command.isFileDeadline)
    #expect(command.deadline == command.startTime + 10)
    page.beginCommand(line: 3, timeLimit: 2_000_000_000_000)
    #expect(try #require(page.running).isFileDeadline)
    // A command with a longer time limit extends that of its file.
    page.beginCommand(line: 4, timeLimit: 2_000_000_000_000, addedFileTime: 2_000_000_000_000)
    #expect(!(try #require(page.running).isFileDeadline))
  }

  @Test func pendingMessagesStayUntilTheyAreCleared() {
    #expect(page.pending.isEmpty && !page.isPendingLate)
    let line = Array("a line\n".utf8)
    #expect(page.addPending(line) && page.addPending(line))
    #expect(page.pending == line + line)
    page.beginFile(1, timeLimit: 1)
    page.beginCommand(line: 1, timeLimit: 1)
    page.appendOutput(String(repeating: "text ", count: 10_000))
    page.endFile()
    #expect(page.pending == line + line)
    let tooLong = [UInt8](repeating: 7, count: 1 << 15)
    let hasRoom = page.addPending(tooLong)
    #expect(!hasRoom && page.pending == line + line)
    page.clearPending()
    #expect(page.pending.isEmpty && !page.isPendingLate)
  }

  @Test(arguments: 0..<20) func theEndOfTheOutputIsKept(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    page.beginFile(0, timeLimit: 1)
    page.beginCommand(line: 1, timeLimit: 1)
    var all = ""
    for _ in 0..<20 {
      let length = Int.random(in: 0...generator.pick([3, 100, 20_000]), using: &generator)
      let chunk = String((0..<length).map { _ in generator.pick(Array("abcé\n")) })
      page.appendOutput(chunk)
      all += chunk
    }
    let kept = Array(all.utf8.suffix(1 << 14))
    let isTruncated = all.utf8.count > kept.count
    let expected = String(
      decoding: isTruncated ? kept.drop { $0 & 0xC0 == 0x80 } : kept[...], as: UTF8.self)
    #expect(page.lastOutput == expected, "seed \(seed)")
    page.beginCommand(line: 2, timeLimit: 1)
    #expect(page.lastOutput == "")
  }
}
