import DataSources
import DataTables

/// An index path with the locations of its section and its row.
struct LocatedIndexPath {
  let path: IndexPath
  let sectionSpan: Span
  let rowSpan: Span
}

/// An index path, or a section in brackets.
enum LocatedPlace {
  case path(LocatedIndexPath)
  case section(Int, at: Span)
}

/// A place, or a list of index paths.
enum LocatedPlaces {
  case place(LocatedPlace)
  case list([LocatedIndexPath])
}

/// An index path or a section: `[5, 1]`, `[5]`, `5`, `_`, `$name`, or a command in parentheses.
struct IndexPathArgument {
  private let argument: Argument

  init(_ argument: Argument) { self.argument = argument }

  /// An index path: `[5, 1]`.
  func path(in session: inout Session) async throws -> LocatedIndexPath {
    if let path = try literalPath() { return path }
    return try path(of: try await integers(in: &session))
  }

  /// An index path `[5, 1]`, a section `[5]`, or a list of index paths `[[0, 1], [0, 3]]`.
  func places(in session: inout Session) async throws -> LocatedPlaces {
    if let elements {
      var paths: [LocatedIndexPath] = []
      for element in elements { paths.append(try await element.path(in: &session)) }
      return .list(paths)
    }
    if let place = try literalPlace() { return .place(place) }
    guard case .array(let values) = try await argument.value(in: &session) else {
      throw mismatch()
    }
    guard case .array? = values.first else { return .place(try place(of: try integers(values))) }
    return .list(
      try values.map { value in
        guard case .array(let elements) = value else { throw mismatch() }
        return try path(of: try integers(elements))
      })
  }

  /// The elements of a list of index paths as typed; nil for another form.
  private var elements: [IndexPathArgument]? {
    guard let elements = argument.elements, elements.first?.elements != nil else { return nil }
    return elements.map { IndexPathArgument($0) }
  }

  /// Checks what is typed; see ``places(in:)``.
  func checkPlaces() throws {
    guard let elements else {
      _ = try literalPlace()
      return
    }
    for element in elements { _ = try element.literalPath() }
  }

  /// A section: `5` or `[5]`.
  func section(in session: inout Session) async throws -> (section: Int, at: Span) {
    if let section = try literalSection() { return section }
    if case .integer(let section) = try await argument.value(in: &session) {
      return (section, argument.span)
    }
    return try section(of: try await integers(in: &session))
  }

  /// An index path `[5, 1]`, or a section `[5]`.
  func place(in session: inout Session) async throws -> LocatedPlace {
    if let place = try literalPlace() { return place }
    return try place(of: try await integers(in: &session))
  }

  /// An index path as typed; nil for `_`, a variable or a command in parentheses.
  func literalPath() throws -> LocatedIndexPath? { try literals().map(path) }

  /// A section as typed; nil for `_`, a variable or a command in parentheses.
  func literalSection() throws -> (section: Int, at: Span)? {
    if let integer = try argument.anyInteger() { return (integer, argument.span) }
    return try literals().map(section)
  }

  /// An index path or a section as typed; nil for `_`, a variable or a command in parentheses.
  func literalPlace() throws -> LocatedPlace? { try literals().map(place) }

  private func literals() throws -> [(Int, Span)]? {
    if let elements = argument.elements {
      // A name or a command can return any integer.
      if elements.contains(where: { $0.variable != nil || $0.isCommand }) { return nil }
      return try integers(elements)
    }
    let isValue = argument.text != nil || argument.entries != nil
    if isValue, argument.word != "_", argument.variable == nil { throw mismatch() }
    return nil
  }

  private func place(of integers: [(Int, Span)]) throws -> LocatedPlace {
    guard integers.count == 1 else { return .path(try path(of: integers)) }
    return .section(integers[0].0, at: integers[0].1)
  }

  private func path(of integers: [(Int, Span)]) throws -> LocatedIndexPath {
    guard integers.count == 2 else {
      throw argument.error(
        .badArgument, "an index path has a section and a row: `[section, row]`")
    }
    return LocatedIndexPath(
      path: IndexPath(section: integers[0].0, row: integers[1].0), sectionSpan: integers[0].1,
      rowSpan: integers[1].1)
  }

  private func section(of integers: [(Int, Span)]) throws -> (section: Int, at: Span) {
    guard integers.count == 1 else {
      throw argument.error(.badArgument, "expected one section: `[section]`")
    }
    return integers[0]
  }

  private func integers(_ elements: [Argument]) throws -> [(Int, Span)] {
    try elements.map { element in
      guard let integer = try element.anyInteger() else {
        throw element.error(.badArgument, "`\(element.span.text)` is not an integer")
      }
      return (integer, element.span)
    }
  }

  private func integers(in session: inout Session) async throws -> [(Int, Span)] {
    guard case .array(let values) = try await argument.value(in: &session) else {
      throw mismatch()
    }
    return try integers(values)
  }

  private func integers(_ values: [Value]) throws -> [(Int, Span)] {
    try values.map { value in
      guard case .integer(let integer) = value else {
        throw argument.error(.badArgument, "\(value.excerpt) is not an integer")
      }
      return (integer, argument.span)
    }
  }

  private func mismatch() -> Diagnostic {
    let isSection = if case .section = argument.type { true } else { false }
    let expected = isSection ? "a section such as `5`" : "an index path `[section, row]`"
    // Where a section is accepted too, the integer may be meant as one.
    let isPath = if case .indexPath = argument.type { true } else { false }
    let row = isPath ? argument.text.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } : nil
    let fix = row.map { "; write `[0, \($0)]` for row \($0) of section 0" } ?? ""
    return argument.error(.badArgument, "expected \(expected), not `\(argument.span.text)`\(fix)")
  }
}
