import DataSources
import Testing

@Suite struct ProgressTests {
  private let progress = Progress()

  @Test func nothingIsReportedWhileNoWorkIsUnderWay() {
    #expect(progress.current == nil)
    progress.begin("a").end()
    #expect(progress.current == nil)
  }

  @Test func aPhaseIsReportedUntilItEnds() throws {
    let phase = progress.begin("people.csv", unit: .bytes)
    phase.advance(by: 10)
    phase.advance(by: 5)
    var report = try #require(progress.current)
    #expect(report.name == "people.csv")
    #expect(report.unit == .bytes)
    #expect(report.completed == 15)
    #expect(report.total == nil)
    phase.setTotal(100)
    report = try #require(progress.current)
    #expect(report.total == 100)
    phase.setTotal(nil)
    #expect(progress.current?.total == nil)
    phase.end()
    phase.end()
    #expect(progress.current == nil)
  }

  @Test func theLastPhaseIsReportedWithTheAgeOfTheFirst() throws {
    let command = progress.begin("fetch posts")
    let pages = progress.begin("posts", unit: .pages, total: 3)
    let request = progress.begin("GET example.test/posts", unit: .bytes)
    let report = try #require(progress.current)
    #expect(report.name == "GET example.test/posts")
    #expect(report.age >= report.elapsed)
    pages.end()
    #expect(progress.current?.name == "GET example.test/posts")
    request.end()
    #expect(progress.current?.name == "fetch posts")
    command.end()
    #expect(progress.current == nil)
  }

  @Test func negativeCountsAreIgnoredAndOverflowIsHarmless() {
    let phase = progress.begin("a", unit: .rows, total: -3)
    phase.advance(by: -10)
    #expect(progress.current?.completed == 0)
    #expect(progress.current?.total == nil)
    phase.advance(by: .max)
    phase.advance(by: .max)
    #expect((progress.current?.completed ?? -1) >= 0)
  }

  @Test func aResetRemovesUnfinishedPhases() {
    let phase = progress.begin("a")
    progress.reset()
    #expect(progress.current == nil)
    let next = progress.begin("b")
    phase.end()
    #expect(progress.current?.name == "b")
    next.end()
  }

  @Test func aRestartReplacesThePhasesByACommand() {
    let phase = progress.begin("a")
    progress.restart("b")
    phase.end()
    #expect(progress.current?.name == "b")
    #expect(progress.current?.completed == 0)
    progress.reset()
    #expect(progress.current == nil)
  }

  @Test func aCommandIsReportedWhileNoPhaseIsUnderWay() {
    progress.restart("fetch foods")
    #expect(progress.current?.name == "fetch foods")
    let phase = progress.begin("reading", unit: .rows)
    #expect(progress.current?.name == "reading")
    phase.end()
    #expect(progress.current?.name == "fetch foods")
    #expect(progress.current?.unit == nil)
  }

  @Test func countsFromAllThreadsAddUp() async {
    let phase = progress.begin("a", unit: .rows)
    await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<1_000 { phase.advance(by: 3) } } }
    }
    #expect(progress.current?.completed == 24_000)
  }
}
