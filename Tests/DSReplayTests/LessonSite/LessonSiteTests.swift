import DSInterpreter
import DSReplay
import DataSources
import Foundation
import Testing

/// A course in a temporary folder, and the pages that `lessons site` makes of it.
private final class Course {
  let folder: String

  init(_ lessons: [String: String]) throws {
    folder = FileManager.default.temporaryDirectory.path + "/lessons-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder + "/Lessons", withIntermediateDirectories: true)
    for (name, text) in lessons { try write(text, to: "Lessons/" + name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
  }

  /// Writes the pages.
  /// - Returns: the warnings, and the error if there is one.
  func makePages(in target: String = "out") async throws -> (warnings: [String], error: Diagnostic?)
  {
    var session = Session()
    session.commands = .replay
    session.options.folder = folder
    session.options.lessonsFolder = folder + "/Lessons"
    var interpreter = Interpreter(session: session)
    var warnings: [String] = []
    var failure: Diagnostic?
    _ = try await interpreter.run("lessons site \(target)") { event, _ in
      switch event {
      case .output(let output): warnings += output.warnings
      case .failure(let diagnostic): failure = diagnostic
      }
    }
    return (warnings, failure)
  }

  func names(in target: String = "out") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/" + target).sorted()
  }

  func page(_ name: String, in target: String = "out") throws -> String {
    try String(contentsOfFile: "\(folder)/\(target)/\(name)", encoding: .utf8)
  }

  /// The page of a course of one lesson.
  static func page(of lesson: String) async throws -> String {
    let course = try Course(["01-one.md": lesson])
    let (warnings, error) = try await course.makePages()
    #expect(warnings == [] && error == nil, "\(warnings)")
    return try course.page("01-one.html")
  }
}

private let lesson = """
  # Counting

  Rows are *counted* from 0.

  ```ds
  #% lesson "Counting"
  let foods = simple [{name: Pie}, {name: Fig}]
  #| foods: 1 section, 2 objects
  #% predict "How many rows has `foods`?" foods.numberOfObjects
  count foods
  #| 2
  ```

  #### Your turn

  ```ds
  #% exercise "The last row"
  ```

  Bind the last row of `foods`.

  ```ds
  #% solution
  let last = object foods [0, 1]
  #% solution
  let last = foods[0, 1]
  #% check
  expect last.name == "Fig"
  #% wrong "Rows are counted from 0, so row 2 would be the third."
  let last = object foods [0, 2]
  #! error: row 2 is out of range{*}
  #% when
  expect throws unknownName: print last
  count foods
  #| 2
  #% hint "Look at `show foods`."
  ```

  The last row has the number *count minus one*.

  """

@Suite struct LessonSiteTests {
  @Test func aPageHasEachPartOfItsLesson() async throws {
    let page = try await Course.page(of: lesson)
    for part in [
      "<h1>Counting</h1>", "<p>Rows are <em>counted</em> from 0.</p>",
      "<kbd>let foods = simple [{name: Pie}, {name: Fig}]</kbd>",
      "<samp>foods: 1 section, 2 objects\n",
      "<details class=\"question\"><summary><b>Question</b> <span>How many rows has <code>foods</code>?",
      "<p>Answer: <code>2</code></p>", "<h2>Your turn</h2>",
      "<h3 id=\"exercise-1-title\">Exercise: The last row</h3>",
      "<summary>Hint 1 of 1</summary>\n<p>Look at <code>show foods</code>.</p>",
      "<summary>2 solutions</summary>", "<summary>Where students go wrong</summary>",
      "<pre class=\"error\"><samp>error: row 2 is out of range",
      "<p>Rows are counted from 0, so row 2 would be the third.</p>", "<em>count minus one</em>",
    ] { #expect(page.contains(part), "\(part)") }
    // The title is the heading of the page, and not repeated.
    #expect(page.components(separatedBy: "<h1>").count == 2)
    #expect(!page.contains("#|") && !page.contains("#%"))
  }

  @Test func theSameLessonsMakeTheSamePages() async throws {
    let courses = [try Course(["1.md": lesson]), try Course(["1.md": lesson])]
    for course in courses { #expect(try await course.makePages().error == nil) }
    for name in ["1.html", "index.html"] {
      #expect(try courses[0].page(name) == courses[1].page(name))
      let page = try courses[0].page(name)
      #expect(!page.contains(courses[0].folder))
    }
  }

  @Test func shippedLessonsWithFilesServersAndPicturesNameNoFolder() async throws {
    let root = Fixtures.folder + "../../../"
    let names = ["04-sort-and-sections", "09-remote-pages-and-failures", "10-fetched-results"]
    let course = try Course([:])
    // Three lessons, and the files that they read.
    for file in try FileManager.default.contentsOfDirectory(atPath: root + "Lessons") {
      guard !file.hasSuffix(".md") || names.contains(String(file.dropLast(3))) else { continue }
      try FileManager.default.copyItem(
        atPath: root + "Lessons/" + file, toPath: course.folder + "/Lessons/" + file)
    }
    try FileManager.default.createSymbolicLink(
      atPath: course.folder + "/Scripts", withDestinationPath: root + "Scripts")
    let (warnings, error) = try await course.makePages()
    #expect(warnings == [] && error == nil, "\(warnings)")
    for name in names {
      let page = try course.page(name + ".html")
      #expect(!page.contains(course.folder) && !page.contains("/tmp/"))
      #expect(page.contains("<section class=\"exercise\""))
    }
    #expect(try course.page(names[2] + ".html").contains("<th scope=\"col\">Core Data</th>"))
  }

  @Test func theRealOutputIsShownWithAWarningAboutAnExpectedOther() async throws {
    let course = try Course(["a.md": lesson.replacingOccurrences(of: "#| 2\n", with: "#| 3\n")])
    let (warnings, error) = try await course.makePages()
    #expect(error == nil)
    #expect(warnings.count == 1 && warnings.allSatisfy { $0.hasPrefix("a.md:10: ") })
    let page = try course.page("a.html")
    #expect(page.contains("<samp>2\n</samp>") && !page.contains("<samp>3\n</samp>"))
  }

  @Test func markupAndControlCharactersAreText() async throws {
    let attack = "<script>alert(1)</script>"
    let page = try await Course.page(
      of: """
        # \(attack)

        A \(attack) <b onclick="x()">b</b> &#8238; &lt;i&gt; [link](javascript:alert(1)) \u{202E}\u{7}
        ![image](http://example.test/x.png) [web](https://example.test/?a=1&b=%22)

        ```ds
        #% lesson "\(attack) \u{202E}"
        let texts = simple [{name: "\(attack)", "<b>": "a\\u{202e}b\\u{7}"}]
        show texts
        tree texts
        #% predict "\(attack) `<i>` `" texts[0, 0].name
        count texts
        ```

        ```ds
        #% exercise "\(attack)"
        ```

        ```ds
        #% solution
        let x = "\(attack)"
        #% check
        expect x != ""
        #% wrong "\(attack)"
        let x = ""
        #% hint "\(attack)"
        ```

        """)
    for forbidden in [
      "<script", "<b o", "<b>b", "<i>", "<img", "javascript:alert(1)\"", "\u{202E}", "\u{7}",
    ] {
      #expect(!page.contains(forbidden), "\(forbidden)")
    }
    #expect(
      page.contains("<title>&lt;script&gt;alert(1)&lt;/script&gt; \\u{202e} – Lessons</title>"))
    #expect(page.contains("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"))
    #expect(page.contains("<a href=\"https://example.test/?a=1&amp;b=%22\">web</a>"))
    #expect(page.contains("image") && page.contains("&lt;i&gt; link"))
    #expect(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; "))
    // The only address that a browser loads is empty.
    #expect(!page.contains("src=") && !page.contains("@import") && !page.contains("url("))
  }

  @Test(arguments: [
    ("tree letters", "tree of letters"),
    ("explain letters [1, 0]", "path of Pie to letters [1, 0]"),
    ("plot sections letters", "sections of letters"), ("preview letters", "preview of letters"),
    ("events letters sequence: true", "events of letters"),
    ("compare foods key: kind modes: runs, groups", "modes of foods by kind"),
  ])
  func picturesAreImagesWithATitle(command: String, title: String) async throws {
    let page = try await Course.page(
      of: """
        ```ds
        #% lesson "Pictures"
        let foods = simple [{name: Pie, kind: sweet}, {name: Fig, kind: fruit}]
        let letters = sectioned foods key: name.firstCharacter sort: name | fetch
        \(command)
        ```
        """)
    #expect(page.contains("<svg role=\"img\" viewBox="))
    #expect(page.contains("<title>\(title)"))
    #expect(page.contains("<summary>As the prompt prints it</summary>"))
    // The rules for images are among the styles of the page, once.
    #expect(page.components(separatedBy: "<style>").count == 2)
  }

  @Test func levelsOfHeadingsAreNotLeftOut() async throws {
    let page = try await Course.page(
      of: "# Other\n\n" + lesson.replacingOccurrences(of: "# Counting\n", with: "### Deep\n")
        + "\n# One\n\n###### Six\n\n## Two\n")
    let levels = page.matches(of: /<h([1-6])/).compactMap { Int($0.output.1) }
    #expect(levels == [1, 2, 3, 4, 3, 2, 3, 2])
    for (level, next) in zip(levels, levels.dropFirst()) { #expect(next <= level + 1) }
  }

  @Test func commandsThatNeedAServerAreNotRun() async throws {
    let page = try await Course.page(
      of: """
        ```ds
        #% lesson "Servers"
        #% require http
        let posts = remote http://127.0.0.1:1/ | fetch
        ```
        """)
    #expect(page.contains("<kbd>let posts = remote http://127.0.0.1:1/ | fetch</kbd>"))
    #expect(page.contains("Not run here: "))
  }

  @Test func pagesLeadToEachOther() async throws {
    let text = "See [the other](2 b.md#x), [no page](notes.md) and [the other](<2 b.md>).\n\n"
    let course = try Course([
      "1-a.md": "```ds\n#% lesson \"A\"\n```\n\n" + text,
      "2 b.md": "```ds\n#% lesson \"B <\"\n```\n",
      "index.md": "```ds\n#% lesson \"C\"\n```\n", "notes.md": "No lesson.\n",
    ])
    #expect(try await course.makePages().error == nil)
    #expect(try course.names() == ["1-a.html", "2-b.html", "index-2.html", "index.html"])
    let page = try course.page("1-a.html")
    #expect(page.contains("no page and <a href=\"./2-b.html\">the other</a>"))
    #expect(page.contains("<a rel=\"next\" href=\"./2-b.html\"><span>Next</span> B &lt;</a>"))
    #expect(!page.contains("rel=\"prev\""))
    #expect(try course.page("2-b.html").contains("rel=\"prev\" href=\"./1-a.html\""))
    #expect(try course.page("index-2.html").contains("rel=\"next\" href=\"./index.html\""))
    let list = try course.page("index.html")
    for address in ["./1-a.html", "./2-b.html", "./index-2.html"] {
      #expect(list.contains("<a class=\"title\" href=\"\(address)\">"))
    }
  }

  // MARK: Folders

  @Test func aFolderOfSomethingElseIsRefused() async throws {
    let course = try Course(["1.md": lesson])
    try FileManager.default.createDirectory(
      atPath: course.folder + "/out", withIntermediateDirectories: true)
    try course.write("my notes", to: "out/notes.txt")
    let error = try #require(try await course.makePages().error)
    #expect(error.kind == .conflict)
    #expect(
      error.message
        == "`out` has `notes.txt`, which is not a page that `lessons site` wrote; name a new folder: "
        + "`lessons site out/lessons`")
    #expect(try course.names() == ["notes.txt"])
    // The suggested command works.
    #expect(try await course.makePages(in: "out/lessons").error == nil)
    #expect(try course.names(in: "out/lessons") == ["1.html", "index.html"])
  }

  @Test(arguments: ["index.html", "1.html"])
  func aPageOfAnotherAuthorIsNeverReplaced(name: String) async throws {
    let course = try Course(["1.md": lesson])
    #expect(try await course.makePages().error == nil)
    try course.write("<h1>mine</h1>", to: "out/" + name)
    #expect(try await course.makePages().error?.kind == .conflict)
    #expect(try course.page(name) == "<h1>mine</h1>")
  }

  @Test func pagesAreReplacedBesideOtherFiles() async throws {
    let course = try Course(["1.md": lesson, "2.md": "```ds\n#% lesson \"B\"\n```\n"])
    #expect(try await course.makePages().error == nil)
    try course.write("example.test", to: "out/CNAME")
    try FileManager.default.removeItem(atPath: course.folder + "/Lessons/2.md")
    try course.write(
      lesson.replacingOccurrences(of: "Counting", with: "Numbers"), to: "Lessons/1.md")
    let (warnings, error) = try await course.makePages()
    #expect(error == nil)
    #expect(
      warnings == [
        "`2.html` in `out` is the page of a lesson that is not in the course any more; remove it"
      ])
    #expect(try course.names() == ["1.html", "2.html", "CNAME", "index.html"])
    #expect(try course.page("1.html").contains("<h1>Numbers</h1>"))
  }

  @Test func aFileIsNotAFolder() async throws {
    let course = try Course(["1.md": lesson])
    try course.write("text", to: "out")
    let error = try await course.makePages().error
    #expect(
      error?.kind == .io && error?.message == "`\(course.folder)/out` is a file, not a folder")
    #expect(try await course.makePages(in: "\"\"").error?.kind == .badArgument)
  }

  @Test func theFolderIsNeeded() async throws {
    let course = try Course(["1.md": lesson])
    #expect(
      try await course.makePages(in: "").error?.message
        == "name a folder for the pages: `lessons site pages`")
  }

  @Test func allLinesOfAnErrorAreMarked() async throws {
    let page = try await Course.page(
      of: """
        ```ds
        #% lesson "Errors"
        expect 1 == 2
        #! {*}
        #! {*}
        #! {*}
        ```
        """)
    #expect(page.components(separatedBy: "<pre class=\"error\">").count > 2)
    #expect(!page.contains("<pre class=\"quiet\">"))
  }

  @Test func aTestWritesPagesToItsOverlay() async throws {
    let course = try Course(["1.md": lesson])
    let overlay = try Course([:])
    let place = overlay.folder
    try FileManager.default.createDirectory(
      atPath: place + "/inner", withIntermediateDirectories: false)
    try await FileOverlay.$current.withValue(FileOverlay { place }) {
      for _ in 1...2 {
        let error = try await course.makePages(in: "deep/out").error
        #expect(error == nil)
      }
      try await FileOverlay.$current.withValue(FileOverlay { place + "/inner" }) {
        let error = try await course.makePages(in: "deep/out").error
        #expect(error == nil)
      }
    }
    #expect(!FileManager.default.fileExists(atPath: course.folder + "/deep"))
    #expect(FileManager.default.fileExists(atPath: place + course.folder + "/deep/out/1.html"))
  }
}
