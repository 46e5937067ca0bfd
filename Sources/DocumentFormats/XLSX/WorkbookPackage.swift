internal import CXML
import DataCompression
import DataTables

/// The parts of a workbook: XML files in a zip archive, read as streams.
final class WorkbookPackage {
  private let archive: ZipArchive
  private let parts: [String: ZipMember]
  private let limits: ReadLimits
  private let cancellation: Cancellation
  /// The number of bytes that may still be decompressed.
  private var room: Int
  /// The label with which more bytes may be decompressed.
  private let largerSize: String

  init(_ input: FormatInput) throws {
    archive = try ZipArchive(input.bytes, named: input.name.lastPathComponent)
    // Names of parts ignore case (ISO/IEC 29500-2, 6.3.5).
    parts = Dictionary(
      archive.members.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { $1 })
    limits = input.options.limits
    cancellation = input.cancellation
    room = limits.decompressedSize(ofFileOf: input.bytes.count)
    largerSize = limits.decompressedSizeSetting(forFileOf: input.bytes.count)
  }

  func contains(_ part: String) -> Bool { parts[part.lowercased()] != nil }

  /// Parses a part.
  /// - Parameter body: receives the events of each piece, in order.
  /// - Throws: `TableError.format`, naming the part, for missing, corrupt or malformed parts;
  ///   `TableError.limit` when the parts have too many bytes; any error of `body`.
  func parse(_ part: String, _ body: (XMLEvents, XMLParser) throws -> Void) throws {
    guard let member = parts[part.lowercased()] else {
      throw TableError.format("the workbook has no part `\(part)`", at: nil)
    }
    let parser = try XMLParser(limits: limits)
    do {
      try archive.read(member, cancellation: cancellation) { piece in
        guard piece.count <= room else {
          throw TableError.limit(
            "the workbook has too many bytes after decompression", setting: largerSize, at: nil)
        }
        room -= piece.count
        try piece.withUnsafeBytes { bytes in
          try parser.feed(bytes, isLast: false) { try body($0, parser) }
        }
      }
      try parser.feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true) {
        try body($0, parser)
      }
    } catch TableError.format(let message, let position?) {
      // Lines and columns of a part are not places that a user sees.
      throw TableError.format(
        "the part `\(part)` of the workbook is malformed at \(position.phrase): \(message)", at: nil
      )
    }
  }

  /// Calls `body` for each element of a part.
  /// - Parameter body: receives the local names of the open elements, the innermost last, and the
  ///   attributes of the innermost one.
  func forEachElement(
    of part: String, _ body: (_ path: [String], _ attributes: [String: String]) throws -> Void
  ) throws {
    var path: [String] = []
    var attributes: [String: String] = [:]
    var isOpen = false
    func finish() throws {
      if isOpen { try body(path, attributes) }
      isOpen = false
      attributes = [:]
    }
    try parse(part) { events, parser in
      for event in events.events {
        switch event.eventKind {
        case .start:
          try finish()
          path.append(Self.localName(parser.name(Int(event.name))))
          isOpen = true
        case .attribute:
          attributes[parser.name(Int(event.name))] = String(
            decoding: events.text(of: event), as: UTF8.self)
        case .text: break
        case .end:
          try finish()
          _ = path.popLast()
        }
      }
    }
  }

  /// The targets of the relationships of a part, by identifier, and their types without the URL.
  func relationships(of part: String) throws -> [String: (type: String, target: String)] {
    let folder = part.split(separator: "/").dropLast().joined(separator: "/")
    let name = part.split(separator: "/").last ?? ""
    let file = (folder.isEmpty ? "" : folder + "/") + "_rels/\(name).rels"
    guard contains(file) else { return [:] }
    var result: [String: (type: String, target: String)] = [:]
    try forEachElement(of: file) { path, attributes in
      guard path == ["Relationships", "Relationship"], let id = attributes["Id"],
        let target = attributes["Target"], attributes["TargetMode"] != "External"
      else { return }
      let type = attributes["Type"]?.lastPathComponent ?? ""
      result[id] = (type, Self.resolve(target, in: folder))
    }
    return result
  }

  private static func resolve(_ target: String, in folder: String) -> String {
    var steps = target.hasPrefix("/") ? [] : folder.split(separator: "/").map { String($0) }
    for step in target.split(separator: "/") where step != "." {
      if step == ".." { _ = steps.popLast() } else { steps.append(String(step)) }
    }
    return steps.joined(separator: "/")
  }

  /// A name without its prefix.
  static func localName(_ name: String) -> String {
    name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }
}
