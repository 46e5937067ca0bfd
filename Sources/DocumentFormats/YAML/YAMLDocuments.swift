import DataTables

/// The documents of a YAML text.
struct YAMLDocuments {
  /// The only document, or several as one array.
  let joined: LocatedDocument

  /// Several lists are joined to one; otherwise each of several documents is an element.
  init(_ documents: [LocatedDocument]) {
    if let first = documents.first, documents.count == 1 {
      joined = first
      return
    }
    let lists = documents.compactMap { document -> [Value]? in
      if case .array(let elements) = document.value { elements } else { nil }
    }
    var lines = DocumentLines()
    var elements = documents.map(\.value)
    var starts = documents.map(\.line)
    if !lists.isEmpty, lists.count == documents.count {
      elements = lists.flatMap { $0 }
      starts = documents.flatMap { $0.lines[[]] ?? [] }
    }
    if starts.count == elements.count { lines.note(starts, at: []) }
    joined = LocatedDocument(.array(elements), line: documents.first?.line ?? 1, lines: lines)
  }
}
