import DataSources
import DataTables
import Pictures

/// `as: svg FILE`: the way in which a command draws its picture, and a new file for it.
struct PictureArgument {
  static let label = Label(
    "as", .phrase(.choice(Choices("drawing", Drawings.all.map { $0.name })), then: .path(.newFile)),
    "a way of drawing, and a new file; `-` or none for standard output",
    example: "svg letters.svg")
  /// A line of help on the ways of drawing: `svg`, an image …
  static let notes = Drawings.all.map { "  " + padded($0.name, to: 9) + $0.summary }

  private let drawing: Argument
  private let file: Argument?

  /// nil without `as:`.
  init?(parsing arguments: Arguments) throws {
    guard let groups = arguments.groups(Self.label), let first = groups.first?.first else {
      return nil
    }
    let words = groups[0]
    if let extra = words.count > 2 ? words[2] : groups.count > 1 ? groups[1].first : nil {
      throw extra.error(
        .syntax, "`as:` accepts one drawing and one file: `as: \(first.span.text) FILE`")
    }
    drawing = first
    file = words.count > 1 ? words[1].typed(.path(.newFile)) : nil
  }

  /// Writes a picture to the file, or returns it as text for standard output.
  func result(of picture: Picture, in session: inout Session) async throws -> CommandResult {
    guard let type = Drawings.named(try drawing.choice()) else { throw drawing.mismatch() }
    let document = type.init().document(picture)
    guard let file, try await file.string(in: &session) != "-" else {
      let lines = document.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      var output = Output(.text(lines.map(String.init), data: .string(document)))
      output.keepsLines = true
      return CommandResult(.value(.string(document)), output)
    }
    let name = try await file.string(in: &session)
    try file.write(document, toNewFile: name, at: session.resolve(name, at: file))
    let report = Report(
      headline: "\(name): \(picture.title), drawn as \(type.name)",
      data: Record([("file", .string(name)), ("drawing", .string(type.name))]))
    return CommandResult(.none, Output(.report(report)))
  }
}
