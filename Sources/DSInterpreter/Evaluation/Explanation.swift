package import DataSources
package import DataTables
import Pictures

// Why an object is where it is, explained by each source that contains it.
extension Session {
  /// - Throws: ``SourceError``; of kind `outOfRange` for an index path without an object.
  package func explanation(
    of path: IndexPath, in source: any DataSource
  ) async throws -> Report {
    let snapshot = try source.content
    let object = try await snapshot.object(at: path)
    let name = displayName(of: source)
    let own = try await source.explanation(of: path, in: snapshot)
    var notes = own.map { Report.Note(subject: $0.subject, text: $0.text) }
    let below = try await levels(below: source, path)
    notes += below.flatMap(\.notes)
    if source.children.isEmpty, let place = try FilePlace(of: path, in: source) {
      notes.append(Report.Note(subject: "line \(place.line)", text: "of \(place.file)"))
    }
    return Report(
      headline: "\(name) \(path) is \(object.caption)", notes: notes,
      data: Record([
        ("source", .string(name)), ("path", path.value), ("object", object),
        ("lines", .array(own.map(\.value))), ("below", .array(below.map(\.value))),
      ]))
  }

  /// The path of an object through the chain of sources: a box for each, with the reasons for its index
  /// path there.
  func pathPicture(of path: IndexPath, in source: any DataSource) async throws -> Picture {
    let object = try await source.content.object(at: path)
    let levels =
      [try await level(of: source, path)] + (try await self.levels(below: source, path))
    let boxes = levels.map { level in
      var lines = [level.name, level.placeText]
      for line in level.lines {
        // Clauses on lines of their own, because boxes shorten long lines.
        let clauses = line.text.split(separator: "; ").map(String.init)
        let first = [line.subject, clauses.first ?? ""].filter { !$0.isEmpty }
        lines += [first.joined(separator: ": ")] + clauses.dropFirst()
      }
      return Picture.Box(lines)
    }
    return Picture(
      "path of \(object.caption) to \(displayName(of: source)) \(path)",
      .boxes(
        boxes, arrows: boxes.indices.dropFirst().map { Picture.Arrow(from: $0 - 1, to: $0) }))
  }

  /// The index paths of an object in the sources below, down to the source that loaded it.
  func levels(below source: any DataSource, _ path: IndexPath) async throws -> [ExplainedLevel] {
    var levels: [ExplainedLevel] = []
    var source = source
    var path = path
    while !source.children.isEmpty, let snapshot = source.state.snapshot {
      guard let origin = try await source.origin(of: path, in: snapshot),
        source.children.indices.contains(origin.child)
      else {
        let names = source.children.map { displayName(of: $0) }.joined(separator: ", ")
        levels.append(ExplainedLevel(name: names))
        break
      }
      source = source.children[origin.child]
      path = origin.path
      levels.append(try await level(of: source, path))
    }
    return levels
  }

  func level(of source: any DataSource, _ path: IndexPath) async throws -> ExplainedLevel {
    var level = ExplainedLevel(name: displayName(of: source))
    level.path = path
    level.file = try FilePlace(of: path, in: source)
    if let snapshot = source.state.snapshot {
      level.lines = try await source.explanation(of: path, in: snapshot)
    }
    return level
  }
}

/// The index path of an object in a source below the explained one.
struct ExplainedLevel {
  let name: String
  /// nil when it is unknown.
  var path: IndexPath?
  var file: FilePlace?
  var lines: [ExplanationLine] = []

  /// `[0, 1], line 3 of foods.csv`
  fileprivate var placeText: String {
    var text = path.map(\.description) ?? "has changed since, so the index path there is unknown"
    if let file { text += ", line \(file.line) of \(file.file)" }
    return text
  }

  var notes: [Report.Note] {
    [Report.Note(subject: name, text: placeText)]
      + lines.map { Report.Note(subject: "  " + $0.subject, text: $0.text) }
  }

  var value: Value {
    .record(
      Record([
        ("source", .string(name)), ("path", path?.value ?? .null),
        ("line", file.map { .integer($0.line) } ?? .null),
        ("file", file.map { .string($0.file) } ?? .null), ("lines", .array(lines.map(\.value))),
      ]))
  }
}

/// The line of a file where an object begins.
struct FilePlace {
  let line: Int
  let file: String

  /// nil for objects that were not loaded from text.
  init?(of path: IndexPath, in source: any DataSource) throws {
    guard let file = (source as? SimpleSource)?.path,
      let store = source.state.snapshot?.store.local,
      let line = try store.table.line(of: try store.row(at: path))
    else { return nil }
    self.line = line
    var shown: String?
    if let key = (source as? SimpleSource)?.fileKey,
      case .record(let record) = try store.object(at: path), case .string(let name)? = record[key]
    {
      shown = name
    }
    self.file = shown ?? file
  }
}

extension IndexPath {
  var value: Value { .array([.integer(section), .integer(row)]) }
}

extension ExplanationLine {
  var value: Value {
    .record(Record([("subject", .string(subject)), ("text", .string(text))]))
  }
}

extension Value {
  /// A short text for an object: the first string of a record, else its first value, cut after 200
  /// characters.
  var caption: String {
    switch self {
    case .string(let text): text.cut(to: 200)
    case .record(let record):
      (record.values.first { $0.type == .string && $0 != "" } ?? record.values.first)?.caption
        ?? "{}"
    default: excerpt
    }
  }
}
