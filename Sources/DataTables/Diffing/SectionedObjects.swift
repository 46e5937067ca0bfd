/// A content with all its values, to which changes can be applied.
package struct SectionedObjects: Equatable, Sendable {
  package struct Section: Equatable, Sendable {
    package var title: Value
    package var objects: [Value]
    package init(title: Value, objects: [Value]) {
      self.title = title
      self.objects = objects
    }
  }
  package var sections: [Section]

  package init(_ sections: [Section]) { self.sections = sections }

  func object(at path: IndexPath) throws(ChangeError) -> Value {
    guard sections.indices.contains(path.section),
      sections[path.section].objects.indices.contains(path.row)
    else { throw ChangeError("[\(path.section), \(path.row)] is out of range") }
    return sections[path.section].objects[path.row]
  }
}

/// Why changes cannot be those between two contents.
package struct ChangeError: Error, Equatable, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}
