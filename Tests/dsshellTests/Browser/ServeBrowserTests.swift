import DataTables
import Foundation
import TestSupport
import Testing

/// The page of a real prompt in a real browser.
@Suite(.serialized, .requiresBrowser) struct ServeBrowserTests {
  private let folder: TemporaryFolder
  private let browser: Chromium

  init() throws {
    folder = try TemporaryFolder()
    browser = try Chromium()
  }

  private static let foods = "name,kind\nPie,sweet\nPapaya,fruit\nApple,fruit\nCarrot,vegetable\n"

  /// A prompt with `letters`, sections of foods.
  private func prompt(_ arguments: [String] = []) throws -> TerminalSession {
    let path = try folder.write("foods.csv", Self.foods)
    let session = try TerminalSession.prompt(in: folder, arguments, width: 200)
    try session.run("let foods = load \(path)", shows: "4 objects")
    try session.run(
      "let letters = sectioned foods key: name.firstCharacter sort: name | fetch",
      shows: "3 sections, 4 objects")
    return session
  }

  /// Enters `serve` and opens the page.
  private func page(
    _ sources: String, of session: TerminalSession, width: Int = 1280, height: Int = 800,
    isDark: Bool = false
  ) throws -> BrowserPage {
    session.type("serve \(sources)\r")
    try session.expect(": http://")
    let address = "http://" + (try session.expect("/\r\n")) + "/"
    try session.expect("ds> ")
    let page = try BrowserPage(
      address, in: browser, width: width, height: height, isDark: isDark)
    try page.wait(for: "document.querySelector('#connection')?.textContent === 'connected'")
    return page
  }

  private static let row = "[...document.querySelectorAll('#grid .row')]"

  /// - Parameter losesEdits: whether the first `quit` only warns about them.
  private func quit(_ session: TerminalSession, losesEdits: Bool = false) throws {
    session.type(losesEdits ? "quit\rquit\r" : "quit\r")
    let (status, _) = try session.end()
    #expect(status == 0)
  }

  @Test func aClickedRowIsExplainedWhileThePromptWaits() throws {
    let session = try prompt()
    let page = try page("letters foods", of: session)
    try page.wait(for: "\(Self.row).some((row) => row.textContent.includes('Papaya'))")
    try page.evaluate("\(Self.row).find((row) => row.textContent.includes('Papaya')).click()")
    try page.wait(for: "document.querySelector('#chosen').textContent.includes('section 2')")
    let text = try page.text(of: "#chosen")
    #expect(text.contains("letters [2, 0] is Papaya"))
    #expect(text.contains("line 3 of"))
    #expect(page.problems == [])
    try quit(session)
  }

  @Test func anEditAppearsAsABatchUpdate() throws {
    let session = try prompt()
    let page = try page("letters", of: session)
    try page.wait(for: "\(Self.row).some((row) => row.textContent.includes('Pie'))")
    session.type("insert foods {name: Peach, kind: fruit}\r")
    try page.wait(for: "\(Self.row).some((row) => row.textContent.includes('Peach'))")
    try page.wait(for: "document.querySelector('#changes').textContent.includes('insert [2, 1]')")
    let names = try page.evaluate(
      "[...document.querySelectorAll('#grid .row:not(.ghost) .cell[aria-colindex=\"2\"][role=gridcell]')].map((cell) => cell.textContent)"
    )
    #expect(names == .array(["Apple", "Carrot", "Papaya", "Peach", "Pie"]))
    session.type("remove foods where: kind = \"fruit\"\r")
    try page.wait(
      for: "\(Self.row).filter((row) => !row.matches('.keys, .stays, .ghost')).length === 4")
    #expect(try page.text(of: "#events").contains("finished"))
    #expect(try page.text(of: "#commands").contains("remove foods where: kind = \"fruit\""))
    #expect(page.problems == [])
    try quit(session, losesEdits: true)
  }

  @Test func manySectionsAreScrolledToTheLast() throws {
    let rows = (0..<60_000).map { "\($0),s\($0 / 3)\n" }.joined()
    let path = try folder.write("many.csv", "number,section\n" + rows)
    let session = try TerminalSession.prompt(in: folder, width: 200)
    try session.run("let rows = load \(path)", shows: "60,000 objects")
    try session.run(
      "let many = sectioned rows key: section mode: runs | fetch", shows: "20,000 sections")
    let page = try page("many", of: session)
    try page.wait(for: "\(Self.row).some((row) => row.textContent.startsWith('[0, 2]'))")
    // Only the rows in view are elements.
    #expect(try page.evaluate("\(Self.row).length < 100") == true)
    let count = try page.evaluate("document.querySelector('#grid').getAttribute('aria-rowcount')")
    #expect(count == "80001")
    try page.evaluate("document.querySelector('#grid').scrollTop = 1e9")
    try page.wait(for: "\(Self.row).some((row) => row.textContent.startsWith('[19999, 2]'))")
    try page.wait(for: "document.querySelector('.stays').textContent.startsWith('s1999')")
    try page.evaluate("\(Self.row).find((row) => row.textContent.startsWith('[19999, 2]')).click()")
    try page.wait(for: "document.querySelector('#chosen').textContent.includes('line 60001')")
    #expect(page.problems == [])
    try quit(session)
  }

  @Test func moreRowsThanABrowserCanStackAreScrolledByPixels() throws {
    let rows = (0..<400_000).map { "\($0)\n" }.joined()
    let path = try folder.write("tall.csv", "number\n" + rows)
    let session = try TerminalSession.prompt(in: folder, width: 200)
    try session.run("let tall = load \(path)", shows: "400,000 objects")
    let page = try page("tall", of: session)
    try page.wait(for: "\(Self.row).some((row) => row.textContent.startsWith('[0, 3]'))")
    #expect(try page.evaluate("document.querySelector('.space').offsetHeight < 10000000") == true)
    try page.evaluate("document.querySelector('#grid').scrollTop = 1e9")
    try page.wait(for: "\(Self.row).some((row) => row.textContent.startsWith('[0, 399999]'))")
    // Near the place, rows move by the pixels that are scrolled.
    try page.evaluate("document.querySelector('#grid').scrollTop -= 1600")
    try page.wait(for: "\(Self.row).some((row) => row.textContent.startsWith('[0, 399949]'))")
    #expect(page.problems == [])
    try quit(session)
  }

  @Test func everythingWorksByKeyboard() throws {
    let session = try prompt()
    let page = try page("letters foods", of: session)
    try page.wait(for: "\(Self.row).some((row) => row.textContent.includes('Apple'))")
    try page.evaluate("document.querySelector('#grid').focus()")
    try page.press("ArrowDown", "ArrowDown", "Enter")
    try page.wait(for: "document.querySelector('#chosen').textContent.includes('is Apple')")
    try page.press("End", "Enter")
    try page.wait(for: "document.querySelector('#chosen').textContent.includes('is Pie')")
    try page.evaluate("document.querySelector('#index button').focus()")
    try page.press("ArrowDown")
    #expect(try page.evaluate("document.activeElement.textContent") == "C")
    try page.evaluate("document.querySelector('[role=tab]').focus()")
    try page.press("ArrowRight")
    try page.wait(for: "document.querySelector('#status').textContent.startsWith('foods:')")
    try page.evaluate("document.querySelector('#tree').focus()")
    try page.press("End")
    #expect(page.problems == [])
    try quit(session)
  }

  @Test(arguments: [(360, false), (1280, true), (2200, false)])
  func everyElementHasANameAndARole(width: Int, isDark: Bool) throws {
    let session = try prompt()
    let page = try page("letters foods", of: session, width: width, isDark: isDark)
    try page.wait(for: "\(Self.row).some((row) => row.textContent.includes('Papaya'))")
    try page.evaluate("\(Self.row).find((row) => row.textContent.includes('Papaya')).click()")
    try page.wait(for: "document.querySelector('#chosen').textContent.includes('section 2')")
    let elements = try page.accessibleElements()
    let roles = Set(elements.map(\.role))
    for element in elements where element.isFocusable && element.role != "RootWebArea" {
      #expect(!element.name.isEmpty, "\(element.role) without a name")
      #expect(!["generic", "none", ""].contains(element.role), "\(element.name) has no role")
    }
    for role in [
      "grid", "row", "gridcell", "columnheader", "rowheader", "treegrid", "tab", "toolbar",
    ] { #expect(roles.contains(role), "\(role)") }
    // Nothing is wider than the window.
    #expect(try page.evaluate("document.documentElement.scrollWidth <= innerWidth") == true)
    #expect(page.problems == [])
    try quit(session)
  }

  /// The page as the README shows it. `Scripts/pictures` names the folder that receives the picture.
  @Test func thePictureOfThePageShowsAMoonAndItsExplanation() throws {
    let script = try folder.write(
      "moons.ds",
      """
      let moons = simple [
        {name: Moon, planet: Earth, order: 3, radius: 1737.4, discovered: null},
        {name: Phobos, planet: Mars, order: 4, radius: 11.1, discovered: 1877},
        {name: Deimos, planet: Mars, order: 4, radius: 6.2, discovered: 1877},
        {name: Io, planet: Jupiter, order: 5, radius: 1821.6, discovered: 1610},
        {name: Europa, planet: Jupiter, order: 5, radius: 1560.8, discovered: 1610},
        {name: Ganymede, planet: Jupiter, order: 5, radius: 2634.1, discovered: 1610},
        {name: Callisto, planet: Jupiter, order: 5, radius: 2410.3, discovered: 1610},
        {name: Amalthea, planet: Jupiter, order: 5, radius: 83.5, discovered: 1892},
        {name: Titan, planet: Saturn, order: 6, radius: 2574.7, discovered: 1655},
        {name: Rhea, planet: Saturn, order: 6, radius: 763.8, discovered: 1672},
        {name: Iapetus, planet: Saturn, order: 6, radius: 734.5, discovered: 1671},
        {name: Dione, planet: Saturn, order: 6, radius: 561.4, discovered: 1684},
        {name: Enceladus, planet: Saturn, order: 6, radius: 252.1, discovered: 1789},
        {name: Titania, planet: Uranus, order: 7, radius: 788.4, discovered: 1787},
        {name: Oberon, planet: Uranus, order: 7, radius: 761.4, discovered: 1787},
        {name: Triton, planet: Neptune, order: 8, radius: 1353.4, discovered: 1846}
      ]
      let planets = sectioned moons key: planet sort: order, radius desc | fetch

      """)
    let session = try TerminalSession.prompt(in: folder, width: 200)
    try session.run("source \(script)", shows: "6 sections, 16 objects")
    let page = try page("planets", of: session, width: 1100, height: 720)
    try page.wait(for: "\(Self.row).some((row) => row.textContent.includes('Callisto'))")
    try page.evaluate("\(Self.row).find((row) => row.textContent.includes('Callisto')).click()")
    try page.wait(for: "document.querySelector('#chosen').textContent.includes('section 2')")
    let picture = try page.picture()
    #expect(picture.starts(with: [0x89] + "PNG".utf8))
    if let folder = getenv("DSSHELL_PICTURES") {
      try picture.write(to: URL(fileURLWithPath: String(cString: folder) + "/page.png"))
    }
    try quit(session)
  }

  @Test func textsAreNeverMarkup() throws {
    let path = try folder.write(
      "texts.ndjson",
      #"{"<b>key</b>": "<img src=x onerror='document.title=1'>", "rtl": "a\u202eb"}"# + "\n")
    let session = try TerminalSession.prompt(in: folder, width: 200)
    try session.run("let texts = load \(path)", shows: "1 object")
    let page = try page("texts", of: session)
    try page.wait(for: "\(Self.row).some((row) => row.textContent.includes('onerror'))")
    try page.evaluate("\(Self.row).find((row) => row.textContent.includes('onerror')).click()")
    try page.wait(for: "document.querySelector('#chosen dd')")
    #expect(try page.evaluate("document.querySelectorAll('#grid img, #chosen img, b').length") == 0)
    #expect(try page.text(of: "#grid").contains(#"a\u{202e}b"#))
    #expect(page.problems == [])
    try quit(session)
  }

  @Test func nothingIsRequestedFromOtherHosts() throws {
    let session = try prompt()
    let page = try page("letters", of: session)
    try page.wait(for: "\(Self.row).some((row) => row.textContent.includes('Papaya'))")
    let address = try page.evaluate("location.href").text ?? ""
    #expect(page.requests.count > 4)
    #expect(page.requests.allSatisfy { $0.hasPrefix(address) })
    // The policy blocks what a script would try.
    try page.evaluate("fetch('http://127.0.0.1:1/').catch(() => {})")
    try page.evaluate(
      "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = 1'}))"
    )
    #expect(try page.evaluate("window.ran === undefined") == true)
    try quit(session)
  }

  @Test func severalWindowsFollowTheSession() throws {
    let session = try prompt()
    let first = try page("letters", of: session)
    let others = try (0..<2).map { _ in try page("letters", of: session) }
    try session.run("insert foods {name: Tea, kind: drink}", shows: "5 objects")
    for page in [first] + others {
      // A window that is hidden receives nothing, and catches up.
      try page.send("Page.bringToFront")
      try page.wait(for: "\(Self.row).some((row) => row.textContent.includes('Tea'))")
    }
    session.type("serve off\r")
    for page in [first] + others {
      try page.send("Page.bringToFront")
      try page.wait(for: "document.querySelector('#connection').matches('.lost')")
    }
    try quit(session, losesEdits: true)
  }

  @Test func aFetchInTheBackgroundAppearsWhileThePromptWaits() throws {
    let session = try prompt()
    let page = try page("letters", of: session)
    try page.wait(for: "\(Self.row).some((row) => row.textContent.includes('Papaya'))")
    try folder.write("foods.csv", Self.foods + "Zucchini,vegetable\n")
    session.type("fetch letters async: true\r")
    try page.wait(for: "\(Self.row).some((row) => row.textContent.includes('Zucchini'))")
    #expect(page.problems == [])
    try quit(session)
  }
}
