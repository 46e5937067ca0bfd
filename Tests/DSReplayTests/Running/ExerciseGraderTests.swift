import DSInterpreter
import DataSources
import Testing

@testable import DSReplay

/// Grades of a small lesson.
@Suite struct ExerciseGraderTests {
  private static let script = ReplayScript(
    """
    ```ds
    #% lesson "Names"
    let foods = simple [{name: Pie}, {name: Fig}]
    ```

    ```ds
    #% exercise "Count"
    #% solution
    let n = count foods
    #% check
    expect n == foods.numberOfObjects
    #% hidden "more foods"
    let foods = simple [{name: Pie}, {name: Fig}, {name: Jam}]
    #% wrong "One too many."
    let n = 3
    #% when
    let right = count foods
    expect n == $right + 1
    count foods
    print foods.numberOfSections
    #% wrong "Only these foods."
    let n = 2
    #% wrong "A fetch in the background."
    let late = slow foods by: 1min
    fetch late async: true
    let n = late.events
    #% when
    expect n == ["will", "partial"]
    ```
    """, path: "lesson.md")

  @MainActor private static func grade(_ answer: String) async throws -> ExerciseGrader.Grade {
    let exercise = try #require(script.lesson?.exercises.first)
    let grader = ExerciseGrader(exercise, of: script, ReplayEnvironment())
    return await grader.grade(ReplayScript(answer, path: "answer.ds").commands)
  }

  @Test(arguments: [
    "let n = count foods", "let n = foods.numberOfObjects", "let n = foods.allObjects.@count",
  ])
  @MainActor func everyFormOfARightAnswerIsRight(answer: String) async throws {
    guard case .right = try await Self.grade(answer) else {
      Issue.record("graded wrong: \(answer)")
      return
    }
  }

  @Test @MainActor func anAnswerForTheVisibleObjectsFailsOverTheHiddenOnes() async throws {
    guard case .wrong(let failed, let misconception) = try await Self.grade("let n = 1 + 1") else {
      Issue.record("graded right")
      return
    }
    #expect(failed.hidden == "more foods")
    #expect(misconception?.index == 1)
  }

  @Test @MainActor func theOutputBelowTheLastCheckFollowsTheMessage() async throws {
    guard case .wrong(_, let misconception) = try await Self.grade("let n = 1 + 2") else {
      Issue.record("graded right")
      return
    }
    #expect(misconception?.index == 0)
    #expect(misconception?.lines == ["2", "1"])
  }

  /// It has an hour to go, so it ends only if the grader waits for it.
  @Test @MainActor func aFetchInTheBackgroundOfAnAnswerGoesOn() async throws {
    let answer = "let late = slow foods by: 1h\nfetch late async: true\nlet n = late.events"
    guard case .wrong(_, let misconception) = try await Self.grade(answer) else {
      Issue.record("graded right")
      return
    }
    #expect(misconception?.index == 2)
  }
}
