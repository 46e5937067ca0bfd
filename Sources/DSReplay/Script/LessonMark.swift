/// A directive that begins a part of a lesson, or describes one. Its commands are those up to the next
/// one.
enum LessonMark: Sendable, Equatable {
  /// The title of the lesson.
  case lesson(String)
  /// The title of an exercise.
  case exercise(String)
  /// The commands that run when the exercise begins.
  case start
  /// One way to solve the exercise.
  case solution
  /// The commands that succeed, with the expected output, after a right answer.
  case check
  /// Commands that run instead of the start in a further check, and what they change.
  case hidden(String)
  /// An example of a wrong answer, and the message for it.
  case wrong(String)
  /// The expectations that hold for the wrong answer above; the output of commands below them follows
  /// the message.
  case when
  case hint(String)
  /// A question about the next command, and the expression whose value then is the answer.
  case predict(String, answer: String)

  /// The word of the directive.
  var name: String {
    switch self {
    case .lesson: "lesson"
    case .exercise: "exercise"
    case .start: "start"
    case .solution: "solution"
    case .check: "check"
    case .hidden: "hidden"
    case .wrong: "wrong"
    case .when: "when"
    case .hint: "hint"
    case .predict: "predict"
    }
  }
}
