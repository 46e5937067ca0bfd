extension CommandTable {
  /// The commands of the language.
  package static let standard = CommandTable([
    ExpectCommand.self,
    RequireCommand.self,
  ])
}
