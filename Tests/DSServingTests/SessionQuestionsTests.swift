import DataTables
import Glibc
import Testing

@testable import DSServing

@Suite struct SessionQuestionsTests {
  private func question(window: Int, row: Int) -> SessionQuestions.Question {
    SessionQuestions.Question(
      window: window, source: 1, content: 1, path: IndexPath(section: 0, row: row))
  }

  private func isReadable(_ questions: SessionQuestions) -> Bool {
    var polled = pollfd(fd: questions.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  @Test func questionsAreTakenOneByOne() async throws {
    let questions = SessionQuestions()
    try await withThrowingTaskGroup(of: Value?.self) { group in
      for window in 1...3 {
        group.addTask {
          await questions.explanation(self.question(window: window, row: window))
        }
      }
      for number in 1...3 {
        while !isReadable(questions) { try await Task.sleep(for: .milliseconds(1)) }
        let waiting = try #require(questions.take())
        questions.answer(waiting.number, .integer(number))
      }
      #expect(questions.take() == nil && !isReadable(questions))
      for try await answer in group { #expect(answer != nil) }
    }
  }

  @Test func theNextQuestionOfAWindowReplacesTheOneThatWaits() async throws {
    let questions = SessionQuestions()
    async let first = questions.explanation(question(window: 7, row: 1))
    while !isReadable(questions) { try await Task.sleep(for: .milliseconds(1)) }
    async let second = questions.explanation(question(window: 7, row: 2))
    #expect(await first == nil)
    let waiting = try #require(questions.take())
    #expect(waiting.question.path.row == 2)
    #expect(questions.take() == nil)
    questions.answer(waiting.number, "answered")
    #expect(await second == "answered")
  }
}
