import DataSources
import DataTables

/// `indexTitles: firstCharacter | initials | KEYPATH | [list]`.
struct IndexTitlesArgument {
  static let label = Label(
    "indexTitles", "firstCharacter, initials, key path or list", example: "initials",
    completion: .words(["firstCharacter", "initials"]))

  private let argument: Argument

  init?(parsing arguments: Arguments) throws {
    guard let argument = try arguments.label("indexTitles") else { return nil }
    self.argument = argument
  }

  func indexTitles(in session: inout Session) async throws -> IndexTitles {
    switch argument.word {
    case "firstCharacter", "null": return .firstCharacter
    case "initials": return .initials
    default: break
    }
    guard argument.elements != nil else {
      return .keyPath(try await argument.keyPath(in: &session).path)
    }
    guard case .array(let values) = try await argument.value(in: &session) else {
      throw argument.error(.badArgument, "a list of index titles is wanted here")
    }
    return .list(
      values.map { value in if case .string(let string) = value { string } else { value.json } })
  }
}
