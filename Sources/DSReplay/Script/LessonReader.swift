import DSInterpreter

extension Lesson {
  /// Arranges the commands, directives and texts of a script as a lesson.
  ///
  /// - Parameter mistakes: receives the mistakes in its directives.
  init(_ script: ReplayScript, _ mistakes: inout [Diagnostic]) {
    var reader = LessonReader(script)
    reader.read()
    mistakes += reader.mistakes
    self = reader.lesson
  }
}

private struct LessonReader {
  private let script: ReplayScript
  private(set) var lesson = Lesson()
  private(set) var mistakes: [Diagnostic] = []
  /// The part that is read; nil before the `lesson` directive.
  private var part: Lesson.Part?
  /// The text above the fence with the `lesson` directive.
  private var introduction = Lesson.Demonstration(line: 1)
  /// The role of the commands below the last directive of an exercise.
  private var role: Role?

  private enum Role {
    case start, solution, check, hidden, wrong, condition
  }

  init(_ script: ReplayScript) { self.script = script }

  mutating func read() {
    guard ScriptFence.isMarkdown(script.path) else {
      report("a lesson is a Markdown file: give it a name that ends in `.md`", script.marks[0].line)
      return
    }
    var next = 1
    var command = 0
    var mark = 0
    for fence in ScriptFence.all(in: script.source) {
      // The line of the fence itself is not part of the text.
      read(text: next..<max(next, fence.lines.lowerBound - 1))
      while true {
        let hasMark =
          script.marks.indices.contains(mark) && fence.lines.contains(script.marks[mark].line)
        let hasCommand =
          script.commands.indices.contains(command)
          && fence.lines.contains(script.commands[command].lines.lowerBound)
        if hasMark, !hasCommand || script.marks[mark].command <= command {
          read(script.marks[mark])
          mark += 1
        } else if hasCommand {
          read(command: command)
          command += 1
        } else {
          break
        }
      }
      next = fence.lines.upperBound + 1
    }
    // A fence that is not closed has no line below it.
    read(text: min(next, script.source.numberOfLines + 1)..<script.source.numberOfLines + 1)
    endPart()
    checkParts()
  }

  private mutating func report(_ message: String, _ line: Int) {
    mistakes.append(
      Diagnostic(.syntax, message, at: Span(script.source, script.source.line(line))))
  }
}

// Texts.
extension LessonReader {
  private mutating func read(text lines: Range<Int>) {
    // Added together: a part would be copied with each line.
    var text: [String] = []
    for number in lines {
      let line = script.source.string(script.source.line(number))
      if line.hasPrefix(Marker.directive.text + " ") {
        report("this directive is not in a `ds` fence; begin the fence with ```ds", number)
      }
      if ScriptFence.headingText(line) != nil, case .exercise = part, role != nil {
        add(text)
        text = []
        endPart()
        part = .demonstration(Lesson.Demonstration(line: number))
      }
      text.append(line)
    }
    add(text)
  }

  private mutating func add(_ text: [String]) {
    if text.isEmpty { return }
    switch part.take() {
    case .demonstration(var demonstration):
      demonstration.add(text)
      part = .demonstration(demonstration)
    case .exercise(var exercise):
      if role == nil || role == .start {
        exercise.task += text
      } else {
        exercise.explanation += text
      }
      part = .exercise(exercise)
    case nil: introduction.add(text)
    }
  }

  private mutating func endPart() {
    switch part {
    case .demonstration(var demonstration):
      demonstration.trim()
      if !demonstration.blocks.isEmpty { lesson.parts.append(.demonstration(demonstration)) }
    case .exercise(var exercise):
      exercise.task = exercise.task.withoutBlankEnds
      exercise.explanation = exercise.explanation.withoutBlankEnds
      lesson.parts.append(.exercise(exercise))
    case nil: break
    }
    part = nil
    role = nil
  }
}

// Directives.
extension LessonReader {
  private mutating func read(_ mark: ReplayScript.Mark) {
    if case .lesson(let title) = mark.mark {
      if part != nil || !lesson.title.isEmpty {
        report(
          "the file has a `#% lesson` already; begin another file for another lesson", mark.line)
        return
      }
      lesson.title = title
      part = .demonstration(introduction)
      return
    }
    guard let part else {
      // One report is enough; none if the directive of the lesson itself is wrong.
      if lesson.title.isEmpty, mistakes.isEmpty, script.mistakes.isEmpty {
        report("write `#% lesson \"TITLE\"` above this `#% \(mark.mark.name)`", mark.line)
      }
      return
    }
    switch (mark.mark, part) {
    case (.exercise(let title), _): begin(title, at: mark.line)
    case (.predict(let question, let answer), .demonstration(var demonstration)):
      demonstration.predictions.append(
        Lesson.Prediction(
          question: question, answer: answer, line: mark.line, command: mark.command))
      self.part = .demonstration(demonstration)
    case (.predict, .exercise):
      report(
        "`#% predict` asks about a command that the lesson shows; move it above the exercise",
        mark.line)
    case (_, .demonstration):
      report("write `#% exercise \"TITLE\"` above this `#% \(mark.mark.name)`", mark.line)
    case (let kind, .exercise(var exercise)):
      read(kind, of: &exercise, at: mark.line)
      self.part = .exercise(exercise)
    }
  }

  private mutating func begin(_ title: String, at line: Int) {
    var exercise = Lesson.Exercise(title: title, line: line)
    if case .demonstration(var demonstration) = part {
      // A heading directly above belongs to the exercise.
      exercise.task = demonstration.removeLastHeading()
      exercise.start = demonstration.commands
      part = .demonstration(demonstration)
    }
    endPart()
    part = .exercise(exercise)
  }

  private mutating func read(
    _ mark: LessonMark, of exercise: inout Lesson.Exercise, at line: Int
  ) {
    let none = script.commands.count..<script.commands.count
    switch mark {
    case .start:
      if role != nil { report("write `#% start` above the other parts of the exercise", line) }
      exercise.start = none
      role = .start
    case .solution:
      exercise.solutions.append(none)
      role = .solution
    case .check:
      if exercise.hidden.isEmpty {
        exercise.checks.append(none)
      } else {
        exercise.hidden[exercise.hidden.count - 1].checks.append(none)
      }
      role = .check
    case .hidden(let title):
      exercise.hidden.append(Lesson.Hidden(title: title, line: line))
      role = .hidden
    case .wrong(let message):
      exercise.wrong.append(Lesson.Wrong(message: message, line: line))
      role = .wrong
    case .when:
      if role != .wrong { report("write `#% wrong \"MESSAGE\"` above this `#% when`", line) }
      if let last = exercise.wrong.indices.last { exercise.wrong[last].condition = none }
      role = .condition
    case .hint(let text): exercise.hints.append(text)
    case .lesson, .exercise, .predict: break
    }
  }
}

// Commands.
extension LessonReader {
  private mutating func read(command index: Int) {
    // Taken out, so that it is not copied.
    switch part.take() {
    case .demonstration(var demonstration):
      demonstration.add(command: index)
      part = .demonstration(demonstration)
    case .exercise(var exercise):
      if let role {
        add(index, as: role, to: &exercise)
      } else {
        report(
          "the command is in no part of the exercise; write `#% start` above it",
          script.commands[index].lines.lowerBound)
      }
      part = .exercise(exercise)
    case nil: break
    }
  }

  private func add(_ index: Int, as role: Role, to exercise: inout Lesson.Exercise) {
    func extend(_ range: inout Range<Int>) {
      range = (range.isEmpty ? index : range.lowerBound)..<index + 1
    }
    switch role {
    case .start: extend(&exercise.start)
    case .solution: extend(&exercise.solutions[exercise.solutions.count - 1])
    case .check:
      if let last = exercise.hidden.indices.last {
        extend(&exercise.hidden[last].checks[exercise.hidden[last].checks.count - 1])
      } else {
        extend(&exercise.checks[exercise.checks.count - 1])
      }
    case .hidden: extend(&exercise.hidden[exercise.hidden.count - 1].start)
    case .wrong: extend(&exercise.wrong[exercise.wrong.count - 1].example)
    case .condition:
      // A `when` without a wrong answer has been reported.
      guard let last = exercise.wrong.indices.last else { return }
      var condition = exercise.wrong[last].condition ?? index..<index
      extend(&condition)
      exercise.wrong[last].condition = condition
    }
  }

  private mutating func checkParts() {
    var titles: [String: Int] = [:]
    for part in lesson.parts {
      switch part {
      case .demonstration(let demonstration):
        for prediction in demonstration.predictions
        where !demonstration.commands.contains(prediction.command) {
          report("no command is below this `#% predict`", prediction.line)
        }
      case .exercise(let exercise):
        // Progress is kept by the titles.
        if let first = titles[exercise.title] {
          report(
            "the exercise of line \(first) has the same title; give this one another", exercise.line
          )
        }
        titles[exercise.title] = exercise.line
        check(exercise)
      }
    }
  }

  private mutating func check(_ exercise: Lesson.Exercise) {
    if exercise.checks.allSatisfy(\.isEmpty) {
      report(
        "the exercise has no check; write `#% check` and the `expect` lines that a right answer meets",
        exercise.line)
    }
    if exercise.solutions.allSatisfy(\.isEmpty) {
      report("the exercise has no solution; write `#% solution` and its commands", exercise.line)
    }
    for wrong in exercise.wrong where wrong.example.isEmpty {
      report("the wrong answer has no example; write the commands of one below it", wrong.line)
    }
    for wrong in exercise.wrong where wrong.condition?.isEmpty == true {
      report("no command is below the `#% when` of this wrong answer", wrong.line)
    }
    for hidden in exercise.hidden where hidden.start.isEmpty && hidden.checks.allSatisfy(\.isEmpty)
    {
      report("the `#% hidden` has neither commands nor a `#% check` of its own", hidden.line)
    }
  }
}

extension Lesson.Demonstration {
  fileprivate mutating func add(_ text: [String]) {
    if case .text(let lines)? = blocks.last {
      blocks[blocks.count - 1] = .text(lines + text)
    } else {
      blocks.append(.text(text))
    }
  }

  fileprivate mutating func add(command index: Int) {
    if case .commands(let range)? = blocks.last {
      blocks[blocks.count - 1] = .commands(range.lowerBound..<index + 1)
    } else {
      blocks.append(.commands(index..<index + 1))
    }
  }

  /// Removes blank lines around texts, and texts without others.
  fileprivate mutating func trim() {
    blocks = blocks.compactMap { block in
      guard case .text(let lines) = block else { return block }
      let trimmed = lines.withoutBlankEnds
      return trimmed.isEmpty ? nil : .text(trimmed)
    }
  }

  /// - Returns: the heading with which the text ends; empty if it ends otherwise.
  fileprivate mutating func removeLastHeading() -> [String] {
    trim()
    guard case .text(var lines)? = blocks.last, let last = lines.last,
      ScriptFence.headingText(last) != nil
    else { return [] }
    lines.removeLast()
    blocks[blocks.count - 1] = .text(lines)
    return [last, ""]
  }
}

extension [String] {
  /// The lines without blank lines at the ends.
  var withoutBlankEnds: [String] {
    var lines = self[...]
    while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
    while let first = lines.first, first.allSatisfy(\.isWhitespace) { lines.removeFirst() }
    return Array(lines)
  }
}
