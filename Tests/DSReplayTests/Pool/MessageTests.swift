import DataTables
import Testing

@testable import DSReplay

/// Messages between processes arrive as they were sent.
@Suite struct MessageTests {
  @Test(arguments: ["a.ds", "a b/c\nd.ds", "é 1 2.ds", " "])
  func aJobIsRead(path: String) throws {
    for (line, seeds) in [(nil, nil), (12, nil), (nil, 1...UInt64.max)] {
      var job = TestJob(path: path, line: line)
      job.seeds = seeds
      let message = job.message(7)
      #expect(message.last == 0 && message.count(where: { $0 == 0 }) == 1)
      let read = try #require(TestJob.read(message.dropLast()))
      #expect(read.number == 7 && read.job == job)
    }
  }

  @Test func anOutcomeIsOneLine() throws {
    var failure = CommandFailure(line: 3, kind: .mismatch, message: "a\nb \u{1} \u{2028}")
    failure.picture = ["FAIL x", "", "\u{1B}[1m"]
    var section = SectionOutcome(title: "a\nb", line: 2)
    section.failures = [failure]
    section.status = .failed
    var file = FileOutcome(path: "x y.ds")
    file.sections = [section]
    file.reads = ["a.csv", "b\tc"]
    file.isPartial = true
    for message in [
      WorkerMessage.failure(failure), .section(section), .file(file), .variantBegan("a, b\n"),
      .variantEnded(file), .seedBegan(.max),
    ] {
      let line = message.line(of: 4)
      #expect(line.last == 10 && line.count(where: { $0 == 10 }) == 1)
      let read = try #require(WorkerMessage.read(line.dropLast()))
      #expect(read.job == 4)
      switch read.message {
      case .failure(let other): #expect(other == failure)
      case .section(let other): #expect(other == section)
      case .file(let other), .variantEnded(let other): #expect(other == file)
      case .seedBegan(let seed): #expect(seed == .max)
      case .variantBegan(let name): #expect(name == "a, b\n")
      }
    }
  }

  @Test(arguments: [
    "", "3", "3\t", "1\t3\t", "1\tx\t", "x\t3\ta.ds\t0\t1\t2\t0\t", "1\t3\ta.ds\t-1\t",
  ])
  func aMalformedMessageIsRejected(line: String) {
    #expect(WorkerMessage.read(Array(line.utf8)[...]) == nil)
  }

  @Test func aTruncatedMessageIsRejected() {
    var section = SectionOutcome(title: "a\\b", line: 2)
    section.failures = [ReportFixture.failure(.mismatch, ReportFixture.awkward)]
    let line = WorkerMessage.section(section).line(of: 4).dropLast()
    for end in 0..<line.count { #expect(WorkerMessage.read(line.prefix(end)) == nil) }
    #expect(WorkerMessage.read(line) != nil)
    #expect(WorkerMessage.read(line + line) == nil)
  }

  @Test(arguments: [0, 7, 10, 99_999_999, 100_000_000, -1, Int.max, Int.min])
  func aNumberIsRead(number: Int) throws {
    var line = FieldLine()
    line.append(number)
    var fields = FieldReader(line.bytes[...])
    #expect(try fields.int() == number)
  }

  @Test(arguments: ["", "\\", "\\N", "\\t", "\t\n\\n", "é\r", nil])
  func aTextIsRead(text: String?) throws {
    var line = FieldLine()
    line.append(text)
    var fields = FieldReader(line.bytes[...])
    #expect(try fields.optionalText() == text)
    #expect(fields.isAtEnd)
  }

  @Test func settingsAreRead() throws {
    var settings = WorkerSettings()
    #expect(WorkerSettings(json: settings.json) == settings)
    settings.commandTime = 17
    settings.filter.texts = ["\"a\" b", "c"]
    settings.filter.tags = ["slow", "é"]
    settings.filter.excluded = ["x y"]
    settings.values = ["rows": 5, "name": "5", "day": .constant("2024-01-31") ?? .null]
    settings.isStrict = true
    settings.recordsReads = true
    (settings.fillsExpectations, settings.drawsPictures) = (true, true)
    settings.measuresCoverage = true
    settings.arguments = ["", "--x", "é"]
    #expect(WorkerSettings(json: settings.json) == settings)
    for text in ["", "{}", "[]", "{\"command\": 0, \"file\": 1}"] {
      #expect(WorkerSettings(json: text) == nil)
    }
  }
}
