import DSInterpreter
import DataSources
import DataTables

/// Lessons as static pages: one for each lesson, and one that lists them.
///
/// The commands are run, and the pages show what they print. The same lessons always make the same
/// pages.
struct LessonSite: Sendable {
  /// A lesson with its page.
  struct Entry: Sendable {
    /// Counted from 1.
    let number: Int
    /// The name of its file: `02-index-paths.md`.
    let file: String
    let script: ReplayScript
    let lesson: Lesson
    /// The name of its page: `02-index-paths.html`.
    let page: String

    /// The page as an address on another page.
    var address: String { "./" + page.percentEncoded }
  }

  struct Page: Sendable {
    let name: String
    let text: String
  }

  let entries: [Entry]
  private let environment: ReplayEnvironment

  /// - Parameter lessons: in the order of the course.
  init(
    _ lessons: [(file: String, script: ReplayScript, lesson: Lesson)],
    _ environment: ReplayEnvironment
  ) {
    self.environment = environment
    var taken: Set = [IndexPage.name]
    entries = lessons.enumerated().map { index, lesson in
      Entry(
        number: index + 1, file: lesson.file, script: lesson.script, lesson: lesson.lesson,
        page: Self.pageName(of: lesson.file, &taken))
    }
  }

  /// - Parameter taken: the names of other pages, in lower case.
  private static func pageName(of file: String, _ taken: inout Set<String>) -> String {
    let stem = file.lastIndex(of: ".").map { file[..<$0] } ?? file[...]
    let name = String(stem.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "-" })
    var page = name + ".html"
    var copy = 2
    // Some file systems do not distinguish case.
    while !taken.insert(page.lowercased()).inserted {
      page = "\(name)-\(copy).html"
      copy += 1
    }
    return page
  }

  /// The names of all pages.
  var names: [String] { entries.map(\.page) + [IndexPage.name] }

  /// The address of the page of a file that a link in a lesson names, with its fragment; nil if it has
  /// none.
  private func address(of link: String) -> String? {
    let file = link.prefix { $0 != "#" }
    return entries.first { $0.file == file || "./" + $0.file == file }?.address
  }

  /// Runs all commands.
  ///
  /// - Returns: the pages, the list last so that it never leads to a page that is missing, and warnings
  ///   about commands that do not print what their lesson expects.
  /// - Throws: `TableError.io` if libmd4c is not installed; `TableError.cancelled`.
  func pages(
    _ progress: Progress
  ) async throws -> (pages: [Page], warnings: [String]) {
    try await Isolation().run(self, progress)
  }

  /// Isolates the sources of lessons, without which a fetch in the background would end before the next
  /// command.
  private actor Isolation {
    func run(
      _ site: LessonSite, _ progress: Progress
    ) async throws -> (pages: [Page], warnings: [String]) {
      try await site.makePages(progress)
    }
  }

  private func makePages(
    _ progress: Progress
  ) async throws -> (pages: [Page], warnings: [String]) {
    let markdown = try Markdown { address(of: $0) }
    var pages: [Page] = []
    var warnings: [String] = []
    let phase = progress.begin("running lessons", unit: .pages, total: entries.count)
    defer { phase.end() }
    for index in entries.indices {
      var page = LessonPage(index, of: self, markdown, environment)
      pages.append(Page(name: entries[index].page, text: await page.document()))
      try environment.cancellation.check()
      phase.advance(by: 1)
      warnings += page.failures.prefix(1).map { failure in
        "\(entries[index].file):\(failure.line): \(failure.message); "
          + "`dsshell test` with the file shows more"
      }
    }
    pages.append(Page(name: IndexPage.name, text: IndexPage(entries: entries).document))
    return (pages, warnings)
  }
}

extension String {
  /// The text as a part of an address.
  fileprivate var percentEncoded: String {
    utf8.reduce(into: "") { text, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
  }
}
