internal import CYaml
import DataTables

/// Reads the documents of a YAML text, one after another.
struct YAMLReader {
  /// libyaml's own limit.
  static let maxDepth = 1_000
  /// Values that aliases may add to those written in the text: a few lines of aliases to aliases
  /// would otherwise fill the memory of whatever copies the result.
  static let maxExpansion = 1_000_000

  let depthLimit: DepthLimit
  let events: YAMLEvents
  private(set) var findings = YAMLFindings()
  private var shapes = RecordShapes()
  private var anchors: [String: Anchored] = [:]
  /// The values written in the text so far, and those that aliases added.
  private var written = 0
  private var expanded = 0
  private var lines = DocumentLines()

  /// A value with an anchor; nil while it is being read.
  private struct Anchored {
    var node: Node?
  }

  /// A value, and the number of values that it consists of.
  private struct Node {
    var value: Value
    var weight: Int
    /// The text of a scalar, which is its spelling as a key.
    var text: String?
  }

  init(_ store: any ByteStore, limits: ReadLimits, cancellation: Cancellation) throws {
    depthLimit = DepthLimit(limits, supported: Self.maxDepth)
    events = try YAMLEvents(store, depthLimit: depthLimit, cancellation: cancellation)
  }

  /// The next document that is not empty; nil at the end of the text.
  /// - Throws: ``TableError``.
  mutating func next() throws -> LocatedDocument? {
    while true {
      try events.next()
      switch events.type {
      case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return nil
      case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT, YAML_DOCUMENT_END_EVENT: continue
      default: break
      }
      anchors = [:]
      lines = DocumentLines()
      let line = events.line
      let node = try node(depth: 0, path: [])
      if node.text == "" {
        findings.emptyDocuments += 1
        continue
      }
      return LocatedDocument(node.value, line: line, lines: lines)
    }
  }

  /// The value of the current event and of those that belong to it.
  /// - Parameter path: the keys that lead to the value; nil within an array.
  private mutating func node(depth: Int, path: [String]?) throws -> Node {
    switch events.type {
    case YAML_ALIAS_EVENT: return try alias()
    case YAML_SCALAR_EVENT: return try scalar()
    case YAML_SEQUENCE_START_EVENT:
      let start = events.event.data.sequence_start
      return try container(start.anchor, start.tag, depth) { reader in
        try reader.sequence(depth: depth + 1, path: path)
      }
    default:
      let start = events.event.data.mapping_start
      return try container(start.anchor, start.tag, depth) { reader in
        try reader.mapping(depth: depth + 1, path: path)
      }
    }
  }

  private mutating func container(
    _ anchor: UnsafePointer<UInt8>?, _ tag: UnsafePointer<UInt8>?, _ depth: Int,
    _ read: (inout YAMLReader) throws -> Node
  ) throws -> Node {
    guard depth < depthLimit.levels else { throw depthLimit.error(at: events.position) }
    // The pointers are valid until the next event.
    let name = anchor.map { String(cString: $0) }
    if let tag { findings.note(tag: String(cString: tag), line: events.line) }
    if let name { anchors[name] = Anchored(node: nil) }
    let node = try read(&self)
    if let name { anchors[name] = Anchored(node: node) }
    return node
  }

  private mutating func sequence(depth: Int, path: [String]?) throws -> Node {
    var elements: [Value] = []
    var weight = 1
    var starts: [Int] = []
    written += 1
    try events.next()
    while events.type != YAML_SEQUENCE_END_EVENT {
      if path != nil { starts.append(events.line) }
      let node = try node(depth: depth, path: nil)
      elements.append(node.value)
      weight += node.weight
      try events.next()
    }
    if let path { lines.note(starts, at: path) }
    return Node(value: .array(elements), weight: weight)
  }

  private mutating func mapping(depth: Int, path: [String]?) throws -> Node {
    var members = YAMLMembers()
    var weight = 1
    var starts: [Int] = []
    let line = events.line
    written += 1
    try events.next()
    while events.type != YAML_MAPPING_END_EVENT {
      let keyLine = events.line
      let isMerge = isMergeKey
      let position = events.position
      let key = try key(depth: depth)
      try events.next()
      let node = try node(depth: depth, path: isMerge ? nil : path.map { $0 + [key] })
      weight += node.weight
      if isMerge {
        guard members.merge(node.value) else {
          throw TableError.format(
            "the merge key `<<` expects a mapping or a list of mappings; quote the key to mean "
              + "the text", at: position)
        }
      } else {
        members.set(key, node.value)
        if path != nil { starts.append(keyLine) }
      }
      try events.next()
    }
    if members.hasDuplicate { findings.duplicates.note(line: line) }
    // With duplicate or merged keys, positions and lines do not correspond.
    if let path, members.isPlain { lines.note(starts, at: path) }
    return Node(value: .record(shapes.record(members.keys, members.values)), weight: weight)
  }

  /// Whether the current event is the key `<<` without quotes or tag.
  private var isMergeKey: Bool {
    guard events.type == YAML_SCALAR_EVENT else { return false }
    let scalar = events.event.data.scalar
    return scalar.length == 2 && scalar.style == YAML_PLAIN_SCALAR_STYLE && scalar.tag == nil
      && scalar.value[0] == UInt8(ascii: "<") && scalar.value[1] == UInt8(ascii: "<")
  }

  /// The key that the current event starts: the text of a scalar as it is written, another value as
  /// JSON.
  private mutating func key(depth: Int) throws -> String {
    let line = events.line
    if events.type == YAML_SCALAR_EVENT, events.event.data.scalar.anchor == nil {
      let scalar = events.event.data.scalar
      return String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
    }
    let node = try node(depth: depth, path: nil)
    if let text = node.text { return text }
    findings.noteComplexKey(line: line)
    return node.value.json
  }

  private mutating func scalar() throws -> Node {
    let scalar = events.event.data.scalar
    let bytes = UnsafeRawBufferPointer(start: scalar.value, count: scalar.length)
    var value: Value
    let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
    if let tag = scalar.tag {
      value = try tagged(bytes, String(cString: tag), isPlain: isPlain)
    } else {
      value = isPlain ? YAMLScalar.plain(bytes) : YAMLScalar.string(bytes)
    }
    written += 1
    // A long string counts as several values.
    var node = Node(value: value, weight: 1 + bytes.count / 64)
    if bytes.isEmpty, isPlain, scalar.tag == nil { node.text = "" }
    if let anchor = scalar.anchor {
      node.text = String(decoding: bytes, as: UTF8.self)
      anchors[String(cString: anchor)] = Anchored(node: node)
    }
    return node
  }

  private mutating func tagged(
    _ bytes: UnsafeRawBufferPointer, _ tag: String, isPlain: Bool
  ) throws -> Value {
    if tag == "!" { return YAMLScalar.string(bytes) }
    guard let known = YAMLTag(tag) else {
      findings.note(tag: tag, line: events.line)
      return isPlain ? YAMLScalar.plain(bytes) : YAMLScalar.string(bytes)
    }
    guard let value = known.value(bytes) else {
      let text = Value.string(String(decoding: bytes.prefix(200), as: UTF8.self)).excerpt
      throw TableError.format(
        "\(text) does not fit its tag `!!\(known.rawValue)`", at: events.position)
    }
    return value
  }

  private mutating func alias() throws -> Node {
    let name = events.event.data.alias.anchor.map { String(cString: $0) } ?? ""
    guard let anchored = anchors[name] else {
      throw TableError.format(
        "the alias `*\(name)` has no anchor `&\(name)` before it in its document",
        at: events.position)
    }
    guard let node = anchored.node else {
      throw TableError.format(
        "the alias `*\(name)` is within the value it refers to", at: events.position)
    }
    expanded += node.weight
    guard expanded <= max(Self.maxExpansion, written) else {
      throw TableError.limit(
        "aliases expand to more than \(Self.maxExpansion.grouped) values", setting: "",
        at: events.position)
    }
    return node
  }
}
