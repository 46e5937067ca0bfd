import DataSources
import DataTables

/// A place in a source among the arguments: `[5, 1]`, or a command in parentheses that gives one.
struct IndexPathArgument {
  private let argument: Argument

  init(_ argument: Argument) { self.argument = argument }

  /// The numbers with their places; one number is a section.
  private func numbers(in session: inout Session) async throws -> [(Int, Span)] {
    if let elements = argument.elements {
      return try elements.map { element in
        guard let number = try element.wholeNumber() else {
          throw element.error(.badArgument, "`\(element.span.text)` is no whole number")
        }
        return (number, element.span)
      }
    }
    guard case .array(let values) = try await argument.value(in: &session) else {
      throw argument.error(
        .badArgument, "an index path is wanted: `[section, row]`, not `\(argument.span.text)`")
    }
    return try values.map { value in
      guard case .integer(let number) = value else {
        throw argument.error(.badArgument, "\(value.excerpt) is no whole number")
      }
      return (number, argument.span)
    }
  }

  /// Section and row, each with its place.
  func path(
    in session: inout Session
  ) async throws -> (path: IndexPath, sectionAt: Span, rowAt: Span) {
    let numbers = try await numbers(in: &session)
    guard numbers.count == 2 else {
      throw argument.error(
        .badArgument, "an index path has a section and a row: `[section, row]`")
    }
    return (IndexPath(section: numbers[0].0, row: numbers[1].0), numbers[0].1, numbers[1].1)
  }

  /// A section: `5` or `[5]`.
  func section(in session: inout Session) async throws -> (section: Int, at: Span) {
    if let number = try argument.wholeNumber() { return (number, argument.span) }
    let numbers = try await numbers(in: &session)
    guard numbers.count == 1 else {
      throw argument.error(.badArgument, "one section is wanted: `[section]`")
    }
    return numbers[0]
  }
}
