import Testing

@testable import DSReplay

/// What crosses from process to process comes out as it went in.
@Suite struct MessageTests {
  @Test(arguments: ["a.ds", "a b/c\nd.ds", "é 1 2.ds", " "])
  func aJobIsRead(path: String) throws {
    for line in [nil, 12] {
      let job = TestJob(path: path, line: line)
      let message = job.message(7)
      #expect(message.last == 0 && message.count(where: { $0 == 0 }) == 1)
      let read = try #require(TestJob.read(message.dropLast()))
      #expect(read.number == 7 && read.job == job)
    }
  }

  @Test func anOutcomeIsOneLine() throws {
    var failure = CommandOutcome(line: 3, kind: .mismatch, message: "a\nb \u{1} \u{2028}")
    failure.picture = ["FAIL x", "", "\u{1B}[1m"]
    var section = SectionOutcome(title: "a\nb", line: 2)
    section.failures = [failure]
    section.status = .failed
    var file = FileOutcome(path: "x y.ds")
    file.sections = [section]
    for message in [WorkerMessage.failure(failure), .section(section), .file(file)] {
      let line = message.line(of: 4)
      #expect(line.last == 10 && line.count(where: { $0 == 10 }) == 1)
      let read = try #require(WorkerMessage.read(line.dropLast()))
      #expect(read.job == 4)
      switch read.message {
      case .failure(let other): #expect(other == failure)
      case .section(let other): #expect(other == section)
      case .file(let other): #expect(other == file)
      }
    }
  }

  @Test(arguments: ["", "f", "f 1", "f x {}", "f 1 {}", "x 1 {}", "f 1 {\"path\": 3}", "f 1 ["])
  func whatIsNoMessageIsNone(line: String) {
    #expect(WorkerMessage.read(Array(line.utf8)[...]) == nil)
  }

  @Test func settingsAreRead() throws {
    var settings = WorkerSettings()
    #expect(WorkerSettings(json: settings.json) == settings)
    settings.commandTime = 17
    settings.filter = "\"a\" b"
    settings.arguments = ["", "--x", "é"]
    #expect(WorkerSettings(json: settings.json) == settings)
    for text in ["", "{}", "[]", "{\"command\": 0, \"file\": 1}"] {
      #expect(WorkerSettings(json: text) == nil)
    }
  }
}
