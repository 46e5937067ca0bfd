/// Finds the positions of the values at some key paths in a JSON text, in one pass and without
/// building other values; an array at the first path can be read during the pass.
///
/// Skipped values are checked only for their brackets and quotes; found values are not checked. If
/// a key repeats, the last one counts.
/// - Complexity: O(bytes); memory for one window and the keys along the paths.
struct JSONLocator: ~Copyable {
  /// Reads the array that starts at an offset and a nesting depth; returns the offset after it.
  typealias ArrayReader = (_ start: Int, _ depth: Int) throws -> Int

  /// The number of bytes read at a time. It is small, because little text usually surrounds the
  /// rows.
  static let window = 16 << 10

  /// The range of the value at each path; nil for a path without a value.
  private(set) var ranges: [Range<Int>?]
  private let paths: [[ObjectKeyPath.Step]]
  var window: JSONWindow
  private let depthLimit: DepthLimit
  private let readArray: ArrayReader?

  /// - Parameters:
  ///   - paths: consist of keys and indexes; paths with operators match nothing.
  ///   - readArray: called for an array at the first path, unless another path leads into the
  ///     array; called again if a key on the path repeats.
  init(
    _ store: any ByteStore, paths: [ObjectKeyPath], limits: ReadLimits,
    cancellation: Cancellation, window: Int = JSONLocator.window, readArray: ArrayReader? = nil
  ) {
    self.paths = paths.map(\.steps)
    self.readArray = readArray
    ranges = paths.map { _ in nil }
    depthLimit = DepthLimit(limits, supported: JSONScanner.maxDepth)
    self.window = JSONWindow(store, window: window, cancellation: cancellation)
  }

  /// - Throws: ``TableError/format(_:at:)`` with the position of the error,
  ///   ``TableError/limit(_:setting:at:)``.
  mutating func locate() throws {
    try walk(Array(paths.indices), depth: 0)
    if try window.nextToken() != nil { throw try failure(.end) }
  }

  /// Scans a value at the first `depth` steps of the `active` paths.
  private mutating func walk(_ active: [Int], depth: Int) throws {
    let first = try window.nextToken()
    let start = window.offset
    let members = active.filter { paths[$0].count > depth && paths[$0][depth].isKey }
    let elements = active.filter { paths[$0].count > depth && !paths[$0][depth].isKey }
    switch first {
    case UInt8(ascii: "{")? where !members.isEmpty:
      try walkMembers(members, depth: depth)
    case UInt8(ascii: "[")? where !elements.isEmpty:
      try walkElements(elements, depth: depth)
    case UInt8(ascii: "[")?:
      if let readArray, active.first == 0, paths[0].count == depth {
        window.move(to: try readArray(start, depth))
      } else {
        try skipValue(depth: depth)
      }
    default: try skipValue(depth: depth)
    }
    for path in active where paths[path].count == depth { ranges[path] = start..<window.offset }
  }

  private mutating func walkMembers(_ active: [Int], depth: Int) throws {
    try open(depth)
    if try window.nextToken() == UInt8(ascii: "}") { return window.skip() }
    while true {
      guard try window.nextToken() == UInt8(ascii: "\"") else { throw try failure(.key) }
      let key = try string()
      guard try window.nextToken() == UInt8(ascii: ":") else { throw try failure(.colon) }
      window.skip()
      try walk(paths(continuingWith: .key(key), from: active, at: depth), depth: depth + 1)
      if try closes(with: "}", orFails: .commaOrBrace) { return }
    }
  }

  private mutating func walkElements(_ active: [Int], depth: Int) throws {
    try open(depth)
    if try window.nextToken() == UInt8(ascii: "]") { return window.skip() }
    var index = 0
    while true {
      try walk(paths(continuingWith: .index(index), from: active, at: depth), depth: depth + 1)
      index += 1
      if try closes(with: "]", orFails: .commaOrBracket) { return }
    }
  }

  mutating func open(_ depth: Int) throws {
    if depth >= depthLimit.levels { throw try failure(.depth) }
    window.skip()
  }

  /// Skips a comma or the closing bracket of an object or array; returns whether it was the
  /// bracket.
  mutating func closes(with end: Unicode.Scalar, orFails: JSONFailure) throws -> Bool {
    let byte = try window.nextToken()
    guard byte == UInt8(ascii: end) || byte == UInt8(ascii: ",") else { throw try failure(orFails) }
    window.skip()
    return byte != UInt8(ascii: ",")
  }

  /// The active paths that continue with a step. Discards the matches of these paths under an
  /// earlier duplicate of a key.
  private mutating func paths(
    continuingWith step: ObjectKeyPath.Step, from active: [Int], at depth: Int
  ) -> [Int] {
    let continuing = active.filter { paths[$0][depth] == step }
    for path in continuing { ranges[path] = nil }
    return continuing
  }
}

extension JSONLocator {
  /// - Parameter closer: the closing bracket of an array or object around the position, to skip
  ///   the rest of it; nil to skip a value.
  mutating func skipValue(depth: Int, upTo closer: UInt8? = nil) throws {
    var closers = closer.map { [$0] } ?? []
    if closer != nil, try !window.skipToBracketOrQuote() {
      throw try failure(closer == UInt8(ascii: "}") ? .commaOrBrace : .commaOrBracket)
    }
    repeat {
      switch try window.nextToken() {
      case UInt8(ascii: "\"")?: _ = try string(isKept: false)
      case UInt8(ascii: "{")?, UInt8(ascii: "[")?:
        let isObject = try window.next() == UInt8(ascii: "{")
        closers.append(UInt8(ascii: isObject ? "}" : "]"))
        if depth + closers.count > depthLimit.levels { throw try failure(.depth) }
        window.skip()
      case let byte? where byte == closers.last:
        closers.removeLast()
        window.skip()
      case UInt8(ascii: "}")?, UInt8(ascii: "]")?:
        let isObject = closers.last == UInt8(ascii: "}")
        throw try failure(closers.isEmpty ? .value : isObject ? .commaOrBrace : .commaOrBracket)
      default:
        if closers.isEmpty { return try skipScalar() }
      }
      guard let closer = closers.last else { return }
      if try !window.skipToBracketOrQuote() {
        throw try failure(closer == UInt8(ascii: "}") ? .commaOrBrace : .commaOrBracket)
      }
    } while true
  }

  /// Skips a number or a word.
  private mutating func skipScalar() throws {
    let start = window.offset
    while let byte = try window.next() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        window.skip()
      default:
        if window.offset == start { throw try failure(.value) }
        return
      }
    }
    if window.offset == start { throw try failure(.value) }
  }

  /// Scans and returns the string that starts here; returns "" unless `isKept`.
  mutating func string(isKept: Bool = true) throws -> String {
    var text: [UInt8]? = isKept ? [UInt8(ascii: "\"")] : nil
    window.skip()
    while true {
      window.skipPlain(appendingTo: &text)
      guard let byte = try window.next() else { throw try failure(.control) }
      if byte < 0x20 { throw try failure(.control) }
      text?.append(byte)
      window.skip()
      if byte == UInt8(ascii: "\"") { break }
      guard byte == UInt8(ascii: "\\") else { continue }
      guard let escaped = try window.next() else { throw try failure(.escape) }
      text?.append(escaped)
      window.skip()
    }
    return text?.withUnsafeBytes { JSONBuilder.string($0) } ?? ""
  }

  /// The error for a malformed text at the current position.
  mutating func failure(_ reason: JSONFailure) throws -> TableError {
    let offset = window.offset
    let position = try TextPosition(of: offset, in: window.store)
    if reason == .depth { return depthLimit.error(at: position) }
    let (actual, found) = try reason.withCharacter(at: offset, in: window.store)
    if actual == .encoding {
      return .encoding(expected: "UTF-8", offset: offset, fitting: "latin1")
    }
    return .format(actual.message(found: found), at: position)
  }
}

extension ObjectKeyPath.Step {
  fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}
