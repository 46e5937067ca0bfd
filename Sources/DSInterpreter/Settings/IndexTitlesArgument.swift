import DataSources
import DataTables

/// `indexTitles: firstCharacter | initials | KEYPATH | [list]`.
struct IndexTitlesArgument {
  static let label = Label(
    "indexTitles", "firstCharacter, initials, key path or list", example: "initials",
    completion: .words(words))

  private let argument: Argument

  init?(parsing arguments: Arguments) throws {
    guard let argument = try arguments.label("indexTitles") else { return nil }
    self.argument = argument
  }

  private static let words = ["firstCharacter", "initials"]

  /// - Parameter source: the source whose objects key paths are of.
  /// - Throws: ``Diagnostic`` of kind `unknownKey` as ``Session/check(_:of:)``.
  func indexTitles(
    over source: any DataSource, in session: inout Session
  ) async throws -> IndexTitles {
    switch argument.word {
    case "firstCharacter", "null": return .firstCharacter
    case "initials": return .initials
    default: break
    }
    guard argument.elements != nil else {
      let key = try await argument.keyPath(in: &session)
      if !key.path.isDerived { try check(key, of: source, in: session) }
      return .keyPath(key.path)
    }
    guard case .array(let values) = try await argument.value(in: &session) else {
      throw argument.error(.badArgument, "a list of index titles is wanted here")
    }
    return .list(
      values.map { value in if case .string(let string) = value { string } else { value.json } })
  }

  private func check(
    _ key: PlacedKeyPath, of source: any DataSource, in session: Session
  ) throws {
    do {
      try session.check(key, of: source)
    } catch var mistake as Diagnostic where key.path.steps.count == 1 {
      // One word may as well be a way to make titles, or a key of them.
      let near = Self.words + DerivedKey.all.map(\.name)
      mistake.suggestion = mistake.suggestion ?? Suggestion.nearest(to: key.span.text, among: near)
      throw mistake
    }
  }
}
