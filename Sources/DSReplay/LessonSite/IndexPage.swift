/// The page that lists the lessons.
struct IndexPage {
  static let name = "index.html"

  let entries: [LessonSite.Entry]

  var document: String {
    let items = entries.map { entry -> Markup in
      let count = entry.lesson.exercises.count
      let exercises = entry.lesson.exercises.enumerated().map { number, exercise -> Markup in
        """
        <li><a href="\(entry.address)#\(LessonPage.anchor(ofExercise: number))">\
        \(exercise.title)</a></li>

        """
      }
      let list: Markup =
        exercises.isEmpty
        ? ""
        : """
        <details><summary>\(count) \(count == 1 ? "exercise" : "exercises")\
        <span class="unseen"> of \(entry.lesson.title)</span></summary>
        <ul>
        \(exercises.joined())</ul>
        </details>

        """
      return """
        <li><a class="title" href="\(entry.address)">\(entry.lesson.title)</a>
        \(list)</li>

        """
    }
    return PageFrame(title: "Lessons").document(
      """
      <h1>Lessons</h1>
      <p>A course on data sources, and how a table view talks to them. Each lesson shows commands with \
      what they print, and has exercises with hints and solutions.</p>
      <p>At the prompt of dsshell, <code>lessons</code> lists the same lessons, <code>lesson 1</code> \
      opens the first, and <code>check</code> grades your answers.</p>
      <ol class="lessons">
      \(items.joined())</ol>

      """)
  }
}
