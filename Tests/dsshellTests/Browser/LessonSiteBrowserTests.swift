import DSInterpreter
import DSReplay
import DataTables
import TestSupport
import Testing

/// The pages of `lessons site` in a real browser, from files.
@Suite(.serialized, .requiresBrowser) struct LessonSiteBrowserTests {
  private let folder: TemporaryFolder
  private let browser: Chromium

  init() async throws {
    folder = try TemporaryFolder()
    browser = try Chromium()
    try folder.write("1-counting.md", Self.lesson)
    try folder.write("2-<b>.md", "```ds\n#% lesson \"<b>Bold</b>\"\nprint 1\n```\n")
    var session = Session()
    session.commands = .replay
    session.options.folder = folder.path
    session.options.lessonsFolder = folder.path
    var interpreter = Interpreter(session: session)
    _ = try await interpreter.run("lessons site pages") { event, _ in
      if case .failure(let diagnostic) = event { Issue.record("\(diagnostic.message)") }
    }
  }

  private static let lesson = """
    # Counting

    Rows are counted from 0.

    | here | in an app |
    |---|---|
    | `count` | `tableView(_:numberOfRowsInSection:)`, which a table view calls for each section |

    ```ds
    #% lesson "Counting"
    let foods = simple [{name: Pie, kind: sweet}, {name: Fig, kind: fruit}, {name: Plum, kind: fruit}]
    let letters = sectioned foods key: name.firstCharacter sort: name | fetch
    tree letters
    plot sections letters
    events letters sequence: true
    object foods [0, 9]
    #! error: row 9 is out of range{*}
    #% predict "How many rows has `foods`?" foods.numberOfObjects
    count foods
    ```

    ## Your turn

    ```ds
    #% exercise "The last row"
    ```

    Bind the last row.

    ```ds
    #% solution
    let last = foods[0, 2]
    #% check
    expect last.name == "Plum"
    #% wrong "This is the second row."
    let last = foods[0, 1]
    #% hint "Rows are counted from 0."
    ```

    It has the number 2.

    """

  private func open(
    _ name: String, width: Int = 1280, isDark: Bool = false
  ) throws -> BrowserPage {
    let page = try BrowserPage(
      "file://\(folder.path)/pages/\(name)", in: browser, width: width, isDark: isDark)
    try page.wait(for: "document.readyState === 'complete' && document.querySelector('h1')")
    return page
  }

  @Test(arguments: [(360, false), (360, true), (1280, true), (2200, false)])
  func everyElementHasANameAndFits(width: Int, isDark: Bool) throws {
    for name in ["index.html", "1-counting.html"] {
      let page = try open(name, width: width, isDark: isDark)
      try page.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true })")
      let elements = try page.accessibleElements()
      for element in elements where element.isFocusable && element.role != "RootWebArea" {
        #expect(!element.name.isEmpty || element.role == "main", "\(element.role) without a name")
        #expect(!["generic", "none", ""].contains(element.role), "\(element.name) has no role")
      }
      let levels = elements.filter { $0.role == "heading" }.compactMap(\.level)
      #expect(levels == (name == "index.html" ? [1] : [1, 2, 3]))
      #expect(elements.count { $0.role == "main" } == 1)
      if name != "index.html" {
        let images = elements.filter { $0.role == "image" || $0.role == "img" }.map(\.name)
        #expect(images == ["tree of letters", "sections of letters", "events of letters"])
        #expect(elements.count { $0.role == "navigation" } == 2)
        #expect(elements.contains { $0.role == "columnheader" && $0.name == "in an app" })
      }
      #expect(try page.evaluate("document.documentElement.scrollWidth <= innerWidth") == true)
      #expect(page.problems == [])
    }
  }

  @Test(arguments: [false, true])
  func textsHaveContrast(isDark: Bool) throws {
    let page = try open("1-counting.html", isDark: isDark)
    try page.evaluate("document.querySelectorAll('details').forEach((e) => { e.open = true })")
    let least = try page.evaluate(Self.leastContrast)
    let ratio = try #require(Double(least.json))
    #expect(ratio >= 4.5, "the least contrast of a text is \(ratio)")
  }

  /// The least ratio (WCAG 2) of the luminances of a text and the nearest ground behind it.
  private static let leastContrast = """
    (() => {
      const parts = (color) => color.match(/[\\d.]+/g).map(Number)
      const luminance = (color) => {
        const [r, g, b] = parts(color).slice(0, 3).map((v) => v / 255)
          .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const ground = (element) => {
        for (let e = element; e; e = e.parentElement) {
          const color = getComputedStyle(e).backgroundColor
          if ((parts(color)[3] ?? 1) > 0) return color
        }
        return 'rgb(255, 255, 255)'
      }
      let least = 21
      for (const e of document.querySelectorAll('p, a, h1, h2, h3, code, kbd, samp, summary, span, th, td')) {
        if (!e.textContent.trim() || e.closest('svg')) continue
        const values = [luminance(getComputedStyle(e).color), luminance(ground(e))].sort((a, b) => b - a)
        least = Math.min(least, (values[0] + 0.05) / (values[1] + 0.05))
      }
      return least
    })()
    """

  /// Opens the address of a link. A click would end a request that waits for its result.
  private func follow(_ link: String, on page: BrowserPage) throws {
    // The browser reads a page in parts.
    try page.wait(for: "document.querySelector('\(link)') !== null")
    let address = try page.evaluate("document.querySelector('\(link)').href")
    try page.send("Page.navigate", ["url": address])
  }

  @Test func linksLeadToTheLessonsAndBack() throws {
    let page = try open("index.html")
    try follow("a.title", on: page)
    try page.wait(for: "document.querySelector('h1')?.textContent === 'Counting'")
    try follow("a[rel=next]", on: page)
    try page.wait(for: "document.querySelector('h1')?.textContent === '<b>Bold</b>'")
    #expect(try page.evaluate("document.querySelectorAll('h1 b').length") == 0)
    try follow("nav.top a", on: page)
    try page.wait(for: "document.querySelector('h1')?.textContent === 'Lessons'")
    #expect(page.problems == [])
    #expect(page.requests.allSatisfy { $0.hasPrefix("file://") || $0 == "data:," })
  }

  @Test func everythingWorksByKeyboard() throws {
    let page = try open("1-counting.html")
    // The first stop leads past the navigation.
    try page.evaluate("document.querySelector('.skip').focus()")
    #expect(
      try page.evaluate("document.querySelector('.skip').getBoundingClientRect().left >= 0") == true
    )
    #expect(try page.evaluate("document.querySelector('.question').open") == false)
    try page.evaluate("document.querySelector('.question summary').click()")
    #expect(try page.text(of: ".question[open]").contains("Answer: 3"))
    #expect(page.problems == [])
  }
}
