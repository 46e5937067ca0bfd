/// The labels of commands that list changes: `staged: true sections: move`.
struct ChangeArguments {
  private static let staged = Label(
    "staged", .boolean, "true for batches that table and collection views accept", example: "true")
  private static let sections = Label(
    "sections", .choice(Choices("treatment of reordered sections", SectionReordering.self)),
    "replace (default) or move reordered sections", example: "move")
  static let labels = [staged, sections]

  private enum SectionReordering: String, CaseIterable { case replace, move }
  private let staged: Argument?
  private let sections: Argument?

  init(parsing arguments: Arguments) throws {
    staged = try arguments[Self.staged]
    sections = try arguments[Self.sections]
  }

  /// - Throws: ``Diagnostic`` at a value that is not accepted.
  func options() throws -> ChangeOptions {
    ChangeOptions(
      isStaged: try staged?.boolean() ?? false,
      movesSections: try sections?.choice(as: SectionReordering.self) == .move)
  }
}
