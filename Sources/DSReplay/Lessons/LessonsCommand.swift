package import DSInterpreter
import DataSources
import DataTables

/// `lessons`, `lessons site FOLDER`
package struct LessonsCommand: Command {
  private static let site = Parameter("site", .choice(Choices("word", ["site"])), .optional)
  private static let folder = Parameter("FOLDER", .path(.folder), .optional)

  package static let names = ["lessons"]
  package static let parameters = [site, folder]
  package static let synopsis = "lessons; lessons site FOLDER"
  package static let summary =
    "Lists the lessons of the course, with the exercises that are done, or writes them as pages."
  package static let notes = [
    "`lessons site` writes a page for each lesson, and index.html, which lists them. The commands are",
    "run, and the pages show what they print. It creates the folder, and replaces only such pages.",
  ]
  package static let examples = ["lessons", "lessons site pages"]
  package static let seeAlso = ["lesson", "progress", "tour"]

  /// nil to list the lessons.
  private let folder: Argument?

  package init(parsing arguments: inout Arguments) throws {
    guard let word = try arguments.take(Self.site) else {
      folder = nil
      return
    }
    _ = try word.choice()
    folder = try arguments.take(Self.folder)
    if folder == nil {
      throw word.error(.badArgument, "name a folder for the pages: `lessons site pages`")
    }
  }

  package func run(in session: inout Session) async throws -> CommandResult {
    let course = try LessonCourse(of: session)
    guard let folder else { return try Self.list(course, in: session) }
    let site = LessonSite(
      course.lessons.map { ($0.file, $0.script, $0.lesson) }, ReplayEnvironment(of: session))
    return try await write(site, to: folder, in: &session)
  }

  // MARK: Pages

  private func write(
    _ site: LessonSite, to argument: Argument, in session: inout Session
  ) async throws -> CommandResult {
    let name = try await argument.string(in: &session)
    if name.isEmpty { throw argument.error(.badArgument, "a folder needs a name") }
    do {
      let target = try GeneratedFolder(
        FilePath.resolve(FilePath.expandingHome(name), in: session.options.folder),
        mark: PageFrame.mark)
      try check(target, for: site, name, at: argument)
      // Before the commands of all lessons run, which takes seconds.
      try target.create()
      let (pages, warnings) = try await site.pages(session.progress)
      for page in pages { try target.write(page.text, to: page.name) }
      return Self.result(
        of: site, name, warnings + Self.warning(of: target.ownNames, beside: site, name))
    } catch let error as TableError {
      throw argument.error(Diagnostic(facts: error).kind, error.message)
    }
  }

  /// Refuses a folder of something else, and a file that a page would replace.
  private func check(
    _ target: GeneratedFolder, for site: LessonSite, _ name: String, at argument: Argument
  ) throws {
    let others = target.otherNames
    // In a folder of an earlier run, other files may be beside the pages.
    let isOwn = others.isEmpty || target.ownNames.contains(IndexPage.name)
    guard let other = isOwn ? others.first(where: site.names.contains) : others.first else {
      return
    }
    throw argument.error(
      .conflict,
      "`\(name)` has `\(other)`, which is not a page that `lessons site` wrote; name a new folder: "
        + "`lessons site \(Self.newName(beside: name))`")
  }

  /// `pages/lessons`
  private static func newName(beside name: String) -> String {
    let path = name.hasSuffix("/") ? name + "lessons" : name + "/lessons"
    return path.allSatisfy { $0.isLetter || $0.isNumber || "/._-~".contains($0) }
      ? path : Value.string(path).json
  }

  private static func warning(
    of ownNames: [String], beside site: LessonSite, _ name: String
  ) -> [String] {
    ownNames.filter { !site.names.contains($0) }.map {
      "`\($0)` in `\(name)` is the page of a lesson that is not in the course any more; remove it"
    }
  }

  private static func result(
    of site: LessonSite, _ name: String, _ warnings: [String]
  ) -> CommandResult {
    let start = name.hasSuffix("/") ? name + IndexPage.name : "\(name)/\(IndexPage.name)"
    let data = Record([
      ("folder", .string(name)), ("pages", .array(site.names.map { .string($0) })),
    ])
    let report = Report(
      headline: "\(name): \(counted(site.names.count, "page")), which begin at \(start)", data: data
    )
    return CommandResult(.value(.record(data)), Output(.report(report), warnings: warnings))
  }

  // MARK: List

  private static func list(
    _ course: LessonCourse, in session: Session
  ) throws -> CommandResult {
    let progress = try LessonProgress(of: session)
    let rows: [[Value]] = course.lessons.map { entry in
      let done = entry.lesson.exercises.count { progress[$0, entry.script].state == .solved }
      return [
        .integer(entry.number), .string(entry.name), .string(entry.lesson.title), .integer(done),
        .integer(entry.lesson.exercises.count),
      ]
    }
    let grid = Grid(
      columns: [
        Grid.Column("lesson"), Grid.Column("name"), Grid.Column("title"), Grid.Column("solved"),
        Grid.Column("exercises"),
      ], rows: rows)
    return CommandResult(.value(grid.records), Output(.grid(grid)))
  }
}
