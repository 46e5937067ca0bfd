import DSInterpreter
import DataSources
import DataTables
import Foundation
import Testing

@testable import DSReplay

/// The exercises of the bundled course, each graded with its own answers.
///
/// `dsshell test Lessons` verifies that they are graded as the lessons promise; these tests verify that
/// they accept more than one form of answer, and reject one that fits only the visible objects.
@Suite struct LessonCourseTests {
  struct Entry: Sendable, CustomTestStringConvertible {
    let script: ReplayScript
    let exercise: Lesson.Exercise

    var testDescription: String {
      "\(script.path.split(separator: "/").last ?? "") › \(exercise.title)"
    }

    var grader: ExerciseGrader { ExerciseGrader(exercise, of: script, ReplayEnvironment()) }

    func commands(_ range: Range<Int>) -> [ReplayCommand] { Array(script.commands[range]) }

    func text(_ range: Range<Int>) -> String {
      commands(range).map(\.text).joined(separator: "\n")
    }
  }

  /// The folder of the bundled lessons.
  private static let folder =
    #filePath.split(separator: "/").dropLast(4).reduce(into: "") { $0 += "/" + $1 } + "/Lessons/"

  private static let scripts: [ReplayScript] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().compactMap { name in
      let text = try? TextFile.read(folder + name, cancellation: Cancellation())
      return text.map { ReplayScript($0, path: folder + name) }
    }
  }()

  static let entries = scripts.flatMap { script in
    (script.lesson?.exercises ?? []).map { Entry(script: script, exercise: $0) }
  }

  @Test func tenLessonsHaveExercises() {
    #expect(Self.scripts.map { $0.mistakes.map(\.message) } == Array(repeating: [], count: 10))
    #expect(Self.scripts.allSatisfy { ($0.lesson?.exercises.count ?? 0) >= 3 })
  }

  @Test(arguments: entries) @MainActor
  func twoFormsOfAnAnswerAreRight(_ entry: Entry) async {
    #expect(Set(entry.exercise.solutions.map(entry.text)).count >= 2)
    for solution in entry.exercise.solutions.prefix(2) {
      guard case .right = await entry.grader.grade(entry.commands(solution)) else {
        Issue.record("graded wrong: \(entry.text(solution))")
        continue
      }
    }
  }

  @Test(arguments: entries) @MainActor
  func anAnswerThatFitsOnlyTheVisibleObjectsIsWrong(_ entry: Entry) async {
    // The examples of this kind are the last ones, because their conditions are the widest.
    for wrong in entry.exercise.wrong.reversed() {
      let grade = await entry.grader.grade(entry.commands(wrong.example))
      // Only an answer that passes the visible checks is checked over hidden objects.
      if case .wrong(let failed, _) = grade, failed.hidden != nil { return }
    }
    Issue.record("every wrong answer fails over the visible objects already")
  }
}
