import DSInterpreter
import DataSources
import DataTables

/// A script in Markdown whose directives make it a lesson: texts with commands that are shown, and
/// exercises, in order.
struct Lesson: Sendable {
  var title = ""
  var parts: [Part] = []

  enum Part: Sendable {
    case demonstration(Demonstration)
    case exercise(Exercise)

    /// The first line of the part.
    var line: Int {
      switch self {
      case .demonstration(let demonstration): demonstration.line
      case .exercise(let exercise): exercise.line
      }
    }

    /// The title of an exercise.
    var title: String? { if case .exercise(let exercise) = self { exercise.title } else { nil } }
  }

  /// A text and the commands that are run while it is read. It begins without names.
  struct Demonstration: Sendable {
    let line: Int
    var blocks: [Block] = []
    /// The questions before commands.
    var predictions: [Prediction] = []

    enum Block: Sendable {
      /// Lines of Markdown.
      case text([String])
      /// Indices in ``ReplayScript/commands``.
      case commands(Range<Int>)
    }

    /// Its commands, which have adjacent indices.
    var commands: Range<Int> {
      var all: Range<Int>?
      for case .commands(let range) in blocks {
        all = (all?.lowerBound ?? range.lowerBound)..<range.upperBound
      }
      return all ?? 0..<0
    }
  }

  struct Prediction: Sendable {
    let question: String
    /// An expression, whose value after the command is the answer.
    let answer: String
    let line: Int
    /// The index of the command that the question is about.
    let command: Int
  }

  struct Exercise: Sendable {
    let title: String
    let line: Int
    /// Lines of Markdown: the task.
    var task: [String] = []
    /// Lines of Markdown for a learner who has solved it.
    var explanation: [String] = []
    /// The commands that run when it begins: its own, or those of the demonstration above it.
    var start = 0..<0
    var solutions: [Range<Int>] = []
    /// The commands that succeed after a right answer, over the start and over all hidden commands.
    var checks: [Range<Int>] = []
    var hidden: [Hidden] = []
    var wrong: [Wrong] = []
    var hints: [String] = []
  }

  /// Other commands for the start, unknown to the learner.
  struct Hidden: Sendable {
    /// The difference from the start: `more kinds of food`.
    let title: String
    let line: Int
    /// Without commands, the start of the exercise is used.
    var start = 0..<0
    /// Further checks, for these commands only.
    var checks: [Range<Int>] = []
  }

  /// A misconception.
  struct Wrong: Sendable {
    let message: String
    let line: Int
    /// Commands of a learner who has it.
    var example = 0..<0
    /// The commands that recognize it; nil if it is recognized by what its example binds.
    var condition: Range<Int>?
  }

  var exercises: [Exercise] {
    parts.compactMap { if case .exercise(let exercise) = $0 { exercise } else { nil } }
  }
}

extension Lesson {
  /// Whether a file is Markdown with a `lesson` directive.
  static func isLesson(_ path: String) -> Bool {
    guard ScriptFence.isMarkdown(path),
      let text = try? TextFile.read(path, cancellation: Cancellation())
    else { return false }
    return text.utf8.split(separator: UInt8(ascii: "\n")).contains {
      $0.starts(with: "#% lesson ".utf8)
    }
  }
}
