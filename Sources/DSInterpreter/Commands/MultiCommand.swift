import DataSources
import DataTables

/// `multi SOURCE …`
struct MultiCommand: Command {
  static let names = ["multi"]
  static let synopsis = "multi SOURCE … [preserve: true] [name: TEXT]"
  static let summary = "Makes one source of several: a section each, titled with the source's name."
  static let labels = [
    Label(
      "preserve", "true keeps the sections and titles of the sources", example: "true",
      completion: .words(["true", "false"])),
    Label("name", "the name of the source", example: "Menu"),
  ]
  static let notes = [
    "The names are those that `name:` gave. A source that fails shows its old content."
  ]
  static let examples = [
    "let menu = multi foods (simple [{name: Tea}] name: Drinks) | fetch",
    "let both = multi letters (sectioned foods key: kind sort: kind) preserve: true | fetch",
    "multi letters foods | sectioned key: kind sort: kind | fetch",
  ]
  static let seeAlso = ["sectioned", "simple", "events", "tree"]
  static let gives = Gift.newSource

  let sources: [SourceArgument]
  let preserve: Argument?
  let name: Argument?

  init(parsing arguments: inout Arguments) throws {
    sources = try SourceArgument.all(parsing: &arguments)
    preserve = try arguments.label("preserve")
    name = try arguments.label("name")
  }

  func run(in session: inout Session) async throws -> Answer {
    var children: [any DataSource] = []
    for source in sources { children.append(try await source.source(in: &session)) }
    let source = MultiSource(
      children, preservesSections: try preserve?.bool() ?? false,
      name: try await name?.string(in: &session) ?? "")
    return Answer(.source(source), Output(.report(session.status(of: source))))
  }
}
