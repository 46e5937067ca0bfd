package import DSInterpreter

extension CommandTable {
  /// The commands of the language, `record` and those of lessons.
  package static let replay: CommandTable = {
    var table = CommandTable.standard
    table.add(RecordCommand.self, to: "session")
    table.add(
      Group(
        "learn", task: "take the tour, and solve the exercises of lessons", effect: .session,
        [
          TourCommand.self, LessonsCommand.self, LessonCommand.self, AnswerCommand.self,
          CheckCommand.self, HintCommand.self, SolutionCommand.self, SkipCommand.self,
          ResetCommand.self, ProgressCommand.self,
        ]))
    table.setTopics { [.tests, .markers, .directives] }
    return table
  }()
}
