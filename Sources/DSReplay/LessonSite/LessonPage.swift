import DSInterpreter

/// The page of a lesson.
struct LessonPage {
  private let site: LessonSite
  private let index: Int
  private let markdown: Markdown
  private var run: TranscriptRun
  private let grading: ReplayEnvironment
  private var outline = HeadingOutline()
  private var numberOfExercises = 0

  init(
    _ index: Int, of site: LessonSite, _ markdown: Markdown, _ environment: ReplayEnvironment
  ) {
    self.site = site
    self.index = index
    self.markdown = markdown
    run = TranscriptRun(site.entries[index].script, environment)
    grading = environment
  }

  private var entry: LessonSite.Entry { site.entries[index] }
  private var script: ReplayScript { entry.script }

  /// The commands that did not print what the lesson expects.
  var failures: [CommandFailure] { run.failures }

  /// Runs the commands of the lesson.
  mutating func document() async -> String {
    let title = entry.lesson.title
    var content: Markup = """
      <h1>\(title)</h1>
      <p class="quiet">At the prompt of dsshell, <code>lesson \(entry.number)</code> opens this lesson, \
      and <code>check</code> grades your answers.</p>

      """
    for part in entry.lesson.parts {
      switch part {
      case .demonstration(let demonstration): content += await markup(of: demonstration)
      case .exercise(let exercise): content += await markup(of: exercise)
      }
    }
    return PageFrame(title: "\(title) – Lessons", top: top, bottom: bottom).document(content)
  }

  // MARK: Navigation

  private var top: Markup {
    """
    <nav class="top" aria-label="Lessons"><a href="./\(IndexPage.name)">Lessons</a> \
    <span class="quiet">\(entry.number) of \(site.entries.count)</span></nav>

    """
  }

  private var bottom: Markup {
    var links: Markup = ""
    if index > 0 {
      let other = site.entries[index - 1]
      links +=
        "<a rel=\"prev\" href=\"\(other.address)\"><span>Previous</span> \(other.lesson.title)</a>\n"
    }
    if index + 1 < site.entries.count {
      let other = site.entries[index + 1]
      links +=
        "<a rel=\"next\" href=\"\(other.address)\"><span>Next</span> \(other.lesson.title)</a>\n"
    } else {
      links += "<a rel=\"next\" href=\"./\(IndexPage.name)\"><span>The end</span> All lessons</a>\n"
    }
    return """
      <nav class="bottom" aria-label="Previous and next lesson">
      \(links)</nav>

      """
  }

  // MARK: Demonstrations

  private mutating func markup(of demonstration: Lesson.Demonstration) async -> Markup {
    let commands = demonstration.commands
    let steps = await run.steps(
      of: [commands], line: demonstration.line, questions: demonstration.predictions
    ).joined()
    var markup: Markup = ""
    for (number, block) in demonstration.blocks.enumerated() {
      switch block {
      case .text(let lines):
        let isFirst = number == 0 && outline.last == 1
        markup += markdown.markup(isFirst ? withoutTitle(lines) : lines, &outline)
      case .commands(let range):
        let offset = range.lowerBound - commands.lowerBound
        markup += transcript(Array(steps), offset..<offset + range.count, demonstration)
      }
    }
    return markup
  }

  /// The text of a lesson often begins with its title, which the page has as its heading.
  private func withoutTitle(_ lines: [String]) -> [String] {
    guard let first = lines.first, first.hasPrefix("# "),
      ScriptFence.headingText(first) == entry.lesson.title
    else { return lines }
    return Array(lines.dropFirst())
  }

  /// Commands; those with a question are hidden until the reader has thought about it.
  private func transcript(
    _ steps: [TranscriptStep], _ range: Range<Int>, _ demonstration: Lesson.Demonstration
  ) -> Markup {
    var markup: Markup = ""
    var shown: [TranscriptStep] = []
    for position in range {
      let command = demonstration.commands.lowerBound + position
      let questions = demonstration.predictions.filter { $0.command == command }
      if questions.isEmpty {
        shown.append(steps[position])
        continue
      }
      markup += TranscriptMarkup(shown).markup
      shown = []
      markup += Self.question(questions.map(\.question), steps[position])
    }
    return markup + TranscriptMarkup(shown).markup
  }

  private static func question(_ questions: [String], _ step: TranscriptStep) -> Markup {
    let text = questions.map { "<span>\(Markup.message($0))</span>" as Markup }.joined()
    let answers = step.answers.map { "<p>Answer: <code>\($0)</code></p>\n" as Markup }.joined()
    return """
      <details class="question"><summary><b>Question</b> \(text)</summary>
      \(TranscriptMarkup([step]).markup)\(answers)</details>

      """
  }

  // MARK: Exercises

  /// The place of an exercise on its page.
  /// - Parameter number: counted from 0.
  static func anchor(ofExercise number: Int) -> String { "exercise-\(number + 1)" }

  private mutating func markup(of exercise: Lesson.Exercise) async -> Markup {
    var task = exercise.task
    var markup: Markup = ""
    if let first = task.first, ScriptFence.headingText(first) != nil {
      markup += markdown.markup([first], &outline)
      task.removeFirst()
    }
    let anchor = Self.anchor(ofExercise: numberOfExercises)
    numberOfExercises += 1
    let level = outline.next(3)
    outline.minimum = level + 1
    defer { outline.minimum = 2 }
    let heading = Markup(verbatim: "h\(level)")
    markup += """
      <section class="exercise" id="\(anchor)" aria-labelledby="\(anchor)-title">
      <\(heading) id="\(anchor)-title">Exercise: \(exercise.title)</\(heading)>
      \(markdown.markup(task, &outline))
      """
    markup += await start(of: exercise)
    markup += Self.hints(of: exercise)
    markup += await solutions(of: exercise)
    markup += await misconceptions(of: exercise)
    return markup + "</section>\n"
  }

  private mutating func start(of exercise: Lesson.Exercise) async -> Markup {
    guard let last = exercise.start.last else { return "" }
    if script.commands[last].lines.lowerBound < exercise.line {
      return "<p class=\"quiet\">It begins with what the commands above have bound.</p>\n"
    }
    let steps = await run.steps(of: [exercise.start], line: exercise.line).joined()
    return "<p class=\"quiet\">It begins with these commands:</p>\n"
      + TranscriptMarkup(Array(steps)).markup
  }

  private static func hints(of exercise: Lesson.Exercise) -> Markup {
    exercise.hints.enumerated().map { number, hint -> Markup in
      """
      <details><summary>Hint \(number + 1) of \(exercise.hints.count)</summary>
      <p>\(Markup.message(hint))</p>
      </details>

      """
    }.joined()
  }

  private mutating func solutions(of exercise: Lesson.Exercise) async -> Markup {
    var solutions: Markup = ""
    for (number, solution) in exercise.solutions.enumerated() {
      if number > 0 { solutions += "<p>or</p>\n" }
      let steps = await run.steps(of: [exercise.start, solution], line: exercise.line)
      solutions += TranscriptMarkup(steps.last ?? []).markup
    }
    let count = exercise.solutions.count
    return """
      <details><summary>\(count == 1 ? "Solution" : "\(count) solutions")</summary>
      \(solutions)\(markdown.markup(exercise.explanation, &outline))</details>

      """
  }

  /// The examples of wrong answers, with what `check` says about them.
  private mutating func misconceptions(of exercise: Lesson.Exercise) async -> Markup {
    if exercise.wrong.isEmpty { return "" }
    let grader = ExerciseGrader(exercise, of: script, grading)
    var items: Markup = ""
    for wrong in exercise.wrong {
      let steps = await run.steps(of: [exercise.start, wrong.example], line: exercise.line)
      var shown: [String] = []
      if case .wrong(_, let misconception?) = await grader.grade(
        Array(script.commands[wrong.example]))
      {
        shown = run.shown(misconception.lines)
      }
      items += """
        <li>
        \(TranscriptMarkup(steps.last ?? []).markup)\
        <p>\(Markup.message(wrong.message))</p>
        \(TranscriptMarkup.output(shown))</li>

        """
    }
    return """
      <details><summary>Where students go wrong</summary>
      <ul class="wrong">
      \(items)</ul>
      </details>

      """
  }
}
