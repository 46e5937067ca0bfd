import DataSources
import Testing

@Suite struct ProgressTests {
  private let progress = Progress()

  @Test func nothingIsToldWhereNothingIsUnderWay() {
    #expect(progress.current == nil)
    progress.begin("a").end()
    #expect(progress.current == nil)
  }

  @Test func aStageIsCountedUntilItEnds() throws {
    let stage = progress.begin("people.csv", unit: .bytes)
    stage.advance(by: 10)
    stage.advance(by: 5)
    var report = try #require(progress.current)
    #expect(report.name == "people.csv")
    #expect(report.unit == .bytes)
    #expect(report.completed == 15)
    #expect(report.total == nil)
    stage.setTotal(100)
    report = try #require(progress.current)
    #expect(report.total == 100)
    stage.setTotal(nil)
    #expect(progress.current?.total == nil)
    stage.end()
    stage.end()
    #expect(progress.current == nil)
  }

  @Test func whatBeganLastIsToldAndTheWaitIsThatOfTheFirst() throws {
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

  @Test func numbersThatCannotBeDoNoHarm() {
    let stage = progress.begin("a", unit: .rows, total: -3)
    stage.advance(by: -10)
    #expect(progress.current?.completed == 0)
    #expect(progress.current?.total == nil)
    stage.advance(by: .max)
    stage.advance(by: .max)
    #expect((progress.current?.completed ?? -1) >= 0)
  }

  @Test func aResetForgetsWhatDidNotEnd() {
    let stage = progress.begin("a")
    progress.reset()
    #expect(progress.current == nil)
    let next = progress.begin("b")
    stage.end()
    #expect(progress.current?.name == "b")
    next.end()
  }

  @Test func aRestartLeavesOneStage() {
    let stage = progress.begin("a")
    progress.restart("b")
    stage.end()
    #expect(progress.current?.name == "b")
    #expect(progress.current?.completed == 0)
    progress.reset()
    #expect(progress.current == nil)
  }

  @Test func aCommandIsToldOfWhileNoStageIsUnderWay() {
    progress.restart("fetch foods")
    #expect(progress.current?.name == "fetch foods")
    let stage = progress.begin("reading", unit: .rows)
    #expect(progress.current?.name == "reading")
    stage.end()
    #expect(progress.current?.name == "fetch foods")
    #expect(progress.current?.unit == nil)
  }

  @Test func countsFromAllThreadsAddUp() async {
    let stage = progress.begin("a", unit: .rows)
    await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<1_000 { stage.advance(by: 3) } } }
    }
    #expect(progress.current?.completed == 24_000)
  }
}
