/// Finds where the values of some key paths stand in a JSON text, in one pass and without making
/// anything of the others; an array at the first path can be read on the way.
///
/// What is passed over is held to its brackets and quotes only; what is found is for others to
/// check. Of keys that come twice the last counts.
/// - Complexity: O(bytes); memory for one window and the keys on the way.
struct JSONLocator: ~Copyable {
  /// Reads the array that begins at an offset, so many levels deep, and tells the offset behind it.
  typealias ArrayReader = (_ start: Int, _ depth: Int) throws -> Int

  /// Bytes that are read at a time: mostly little stands around the rows.
  static let window = 16 << 10

  /// One a path, nil for a path that leads nowhere.
  private(set) var ranges: [Range<Int>?]
  private let paths: [[ObjectKeyPath.Step]]
  private var window: JSONWindow
  private let depthLimit: Int
  private let readArray: ArrayReader?

  /// - Parameters:
  ///   - paths: of keys and places; those with operators lead nowhere.
  ///   - readArray: called for an array at the first path that no other path leads into; again when
  ///     the key comes again.
  init(
    _ store: any ByteStore, paths: [ObjectKeyPath], limits: ReadLimits,
    cancellation: Cancellation, window: Int = JSONLocator.window, readArray: ArrayReader? = nil
  ) {
    self.paths = paths.map(\.steps)
    self.readArray = readArray
    ranges = paths.map { _ in nil }
    depthLimit = max(0, min(limits.depth, JSONScanner.deepest))
    self.window = JSONWindow(store, window: window, cancellation: cancellation)
  }

  /// - Throws: ``TableError/format(_:at:)`` with the place where the text goes wrong,
  ///   ``TableError/limit(_:setting:at:)``.
  mutating func locate() throws {
    try walk(Array(paths.indices), depth: 0)
    if try window.nextToken() != nil { throw try failure(.end) }
  }

  /// Passes over a value that the first `depth` steps of some paths lead to.
  private mutating func walk(_ alive: [Int], depth: Int) throws {
    let first = try window.nextToken()
    let start = window.offset
    let members = alive.filter { paths[$0].count > depth && paths[$0][depth].isKey }
    let elements = alive.filter { paths[$0].count > depth && !paths[$0][depth].isKey }
    switch first {
    case UInt8(ascii: "{")? where !members.isEmpty:
      try walkMembers(members, depth: depth)
    case UInt8(ascii: "[")? where !elements.isEmpty:
      try walkElements(elements, depth: depth)
    case UInt8(ascii: "[")?:
      if let readArray, alive.first == 0, paths[0].count == depth {
        window.move(to: try readArray(start, depth))
      } else {
        try skipValue(depth: depth)
      }
    default: try skipValue(depth: depth)
    }
    for path in alive where paths[path].count == depth { ranges[path] = start..<window.offset }
  }

  private mutating func walkMembers(_ alive: [Int], depth: Int) throws {
    try open(depth)
    if try window.nextToken() == UInt8(ascii: "}") { return window.skip() }
    while true {
      guard try window.nextToken() == UInt8(ascii: "\"") else { throw try failure(.key) }
      let key = try string()
      guard try window.nextToken() == UInt8(ascii: ":") else { throw try failure(.colon) }
      window.skip()
      try walk(taking(.key(key), from: alive, at: depth), depth: depth + 1)
      if try closes(with: "}", orFails: .commaOrBrace) { return }
    }
  }

  private mutating func walkElements(_ alive: [Int], depth: Int) throws {
    try open(depth)
    if try window.nextToken() == UInt8(ascii: "]") { return window.skip() }
    var index = 0
    while true {
      try walk(taking(.index(index), from: alive, at: depth), depth: depth + 1)
      index += 1
      if try closes(with: "]", orFails: .commaOrBracket) { return }
    }
  }

  private mutating func open(_ depth: Int) throws {
    if depth >= depthLimit { throw try failure(.depth) }
    window.skip()
  }

  /// Whether a record or an array ends here; else it goes on behind a comma.
  private mutating func closes(with end: Unicode.Scalar, orFails: JSONFailure) throws -> Bool {
    let byte = try window.nextToken()
    guard byte == UInt8(ascii: end) || byte == UInt8(ascii: ",") else { throw try failure(orFails) }
    window.skip()
    return byte != UInt8(ascii: ",")
  }

  /// The paths that go on with a step. What they led to before was under the same key.
  private mutating func taking(
    _ step: ObjectKeyPath.Step, from alive: [Int], at depth: Int
  ) -> [Int] {
    let taken = alive.filter { paths[$0][depth] == step }
    for path in taken { ranges[path] = nil }
    return taken
  }
}

extension JSONLocator {
  private mutating func skipValue(depth: Int) throws {
    var closers: [UInt8] = []
    repeat {
      switch try window.nextToken() {
      case UInt8(ascii: "\"")?: _ = try string(isKept: false)
      case UInt8(ascii: "{")?, UInt8(ascii: "[")?:
        let isRecord = try window.next() == UInt8(ascii: "{")
        closers.append(UInt8(ascii: isRecord ? "}" : "]"))
        if depth + closers.count > depthLimit { throw try failure(.depth) }
        window.skip()
      case let byte? where byte == closers.last:
        closers.removeLast()
        window.skip()
      case UInt8(ascii: "}")?, UInt8(ascii: "]")?:
        let isRecord = closers.last == UInt8(ascii: "}")
        throw try failure(closers.isEmpty ? .value : isRecord ? .commaOrBrace : .commaOrBracket)
      default:
        if closers.isEmpty { return try skipScalar() }
      }
      guard let closer = closers.last else { return }
      if try !window.skipToBracketOrQuote() {
        throw try failure(closer == UInt8(ascii: "}") ? .commaOrBrace : .commaOrBracket)
      }
    } while true
  }

  /// Passes over a number or a word.
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

  /// The string that begins here, and goes behind it; "" unless `isKept`.
  private mutating func string(isKept: Bool = true) throws -> String {
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

  /// The error of a text that has something else at this place than it should.
  private mutating func failure(_ reason: JSONFailure) throws -> TableError {
    let offset = window.offset
    let place = try TextPosition(of: offset, in: window.store)
    if reason == .depth {
      return .limit(
        "a value is nested deeper than \(depthLimit.grouped) levels", setting: "maxDepth",
        at: place)
    }
    // From the store, as the window may end inside of the character.
    var found = try window.store
      .bytes(offset..<max(offset, min(offset + 4, window.store.count))).makeIterator()
    var decoder = UTF8()
    switch decoder.decode(&found) {
    case .scalarValue(let scalar): return .format(reason.message(found: scalar), at: place)
    case .emptyInput: return .format(reason.message(found: nil), at: place)
    case .error: return .encoding(expected: "UTF-8", offset: offset, fitting: "latin1")
    }
  }
}

extension ObjectKeyPath.Step {
  fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}
