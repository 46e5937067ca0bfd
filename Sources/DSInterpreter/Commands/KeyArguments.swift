import DataSources
import DataTables

// Key paths and sort descriptors among the arguments.
extension Argument {
  /// A key path; a quoted string is one key, however odd. A command in parentheses gives its text.
  func keyPath(in session: inout Session) async throws -> PlacedKeyPath {
    if case .atom(let atom) = form, case .quoted(let key) = atom.kind {
      return PlacedKeyPath(path: ObjectKeyPath(key: key), span: span)
    }
    let text = try await string(in: &session)
    do {
      return PlacedKeyPath(path: try ObjectKeyPath(parsing: text), span: span)
    } catch {
      throw self.error(.badArgument, error.message)
    }
  }

  /// `null`, which clears what `set` had set.
  var isNull: Bool { word == "null" }
}

/// A key path and where it is written.
struct PlacedKeyPath {
  let path: ObjectKeyPath
  let span: Span

  /// The place of one key of the path, where it can be told.
  func place(of key: String) -> Span {
    guard let range = span.text.firstRange(of: key) else { return span }
    let before = span.text[..<range.lowerBound].utf8.count
    let start = span.start + before
    return Span(span.script, start..<start + key.utf8.count)
  }
}

/// `city, age desc, name`.
struct SortArgument {
  private let groups: [[Argument]]
  private let nulls: Argument?

  init?(parsing arguments: Arguments, label: String = "sort") throws {
    nulls = try arguments.label("nulls")
    guard let groups = arguments.groups(label) else {
      if let nulls, arguments.groups("sort") == nil {
        throw nulls.error(.badArgument, "`nulls:` belongs to `sort:`")
      }
      return nil
    }
    self.groups = groups
  }

  /// Whether it is `null`, which clears the order.
  var clears: Bool { groups.count == 1 && groups[0].count == 1 && groups[0][0].isNull }

  func descriptors(
    in session: inout Session
  ) async throws -> (descriptors: [SortDescriptor], keys: [PlacedKeyPath]) {
    var keys: [PlacedKeyPath] = []
    var descriptors: [SortDescriptor] = []
    let nulls = try nulls.flatMap {
      SortDescriptor.Nulls(
        rawValue: try $0.choice(
          of: SortDescriptor.Nulls.allCases.map(\.rawValue), for: "place of nulls"))
    }
    for group in groups {
      guard let first = group.first else { continue }
      let key = try await first.keyPath(in: &session)
      var descriptor = SortDescriptor(key.path, nulls: nulls)
      for word in group.dropFirst() { try descriptor.apply(word) }
      keys.append(key)
      descriptors.append(descriptor)
    }
    return (descriptors, keys)
  }
}

extension SortDescriptor {
  fileprivate static let words =
    Direction.allCases.map(\.rawValue) + Comparison.allCases.map(\.rawValue)

  mutating func apply(_ argument: Argument) throws {
    let text = argument.text ?? ""
    if let direction = Direction(rawValue: text) {
      self.direction = direction
    } else if let comparison = Comparison(rawValue: text) {
      self.comparison = comparison
    } else {
      let near = Suggestion.nearest(to: text, among: Self.words)
      throw argument.error(
        .badArgument,
        "`\(argument.span.text)` is no direction or comparison"
          + (near == nil ? "; a comma stands between the keys of `sort:`" : ""), suggestion: near)
    }
  }
}
