package import DSInterpreter
import DataTables

/// `progress [reset]`
package struct ProgressCommand: Command {
  private static let word = Parameter(
    "reset", .choice(Choices("word", ["reset"])), .optional)

  package static let names = ["progress"]
  package static let parameters = [word]
  package static let summary =
    "Lists the exercises of the course with their progress, or forgets it."
  package static let examples = ["progress", "progress reset"]
  package static let seeAlso = ["lessons", "lesson"]

  private let resets: Bool

  package init(parsing arguments: inout Arguments) throws {
    resets = try arguments.take(Self.word) != nil
  }

  package func run(in session: inout Session) async throws -> CommandResult {
    if resets {
      let warnings = try LessonProgress.removeAll(in: &session)
      let text = "the progress is forgotten"
      return CommandResult(.none, Output(.text([text], data: .string(text)), warnings: warnings))
    }
    let progress = try LessonProgress(of: session)
    var rows: [[Value]] = []
    for entry in try LessonCourse(of: session).lessons {
      for exercise in entry.lesson.exercises {
        let known = progress[exercise, entry.script]
        let state =
          progress.isOutdated(exercise, entry.script)
          ? "changed since" : known.state.rawValue
        rows.append([
          .integer(entry.number), .string(exercise.title), .string(state), .integer(known.tries),
          .integer(known.hints),
        ])
      }
    }
    let grid = Grid(
      columns: [
        Grid.Column("lesson"), Grid.Column("exercise"), Grid.Column("state"),
        Grid.Column("wrong answers", key: "tries"), Grid.Column("hints"),
      ], rows: rows)
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }
}
