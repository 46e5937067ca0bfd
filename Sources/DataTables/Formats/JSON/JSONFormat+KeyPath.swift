extension JSONFormat {
  static let supportsKeyPath = true

  /// Reads the rows that stand at a key path, and the values that are wanted beside them.
  static func readLocated(
    _ bytes: any ByteStore, options: ReadOptions, cancellation: Cancellation
  ) throws -> LoadedTable {
    let rows = options.keyPath ?? ObjectKeyPath([])
    guard rows.steps.allSatisfy(\.isPlace) else {
      throw TableError.badArgument("`keyPath:` is keys and places, without operators: `\(rows)`")
    }
    var array: (start: Int, loaded: LoadedTable)?
    var locator = JSONLocator(
      bytes, paths: [rows] + options.extraValues, limits: options.limits, cancellation: cancellation
    ) { start, depth in
      var document = JSONDocument(
        bytes, layout: .elements, range: start..<bytes.count, options: options,
        cancellation: cancellation)
      document.isInner = true
      document.depth = depth
      let (loaded, end) = try document.loadToEnd()
      array = (start, loaded)
      return end + 1
    }
    try locator.locate()
    var loaded: LoadedTable
    if let array, array.start == locator.ranges[0]?.lowerBound {
      loaded = array.loaded
    } else if let range = locator.ranges[0], try !isNull(range, in: bytes) {
      loaded = try read(bytes, range, options: options, cancellation: cancellation)
    } else {
      loaded = LoadedTable(
        table: ValueTable([]), report: LoadReport(format: "JSON", rows: 0))
      loaded.report.notes = ["nothing stands at `\(rows)`"]
    }
    for (path, range) in zip(options.extraValues, locator.ranges.dropFirst()) {
      guard let range, range.count <= largestAside else { continue }
      loaded.extraValues[path] = try value(try bytes.bytes(range), limits: options.limits)
    }
    return loaded
  }

  /// Numbers, cursors, URLs; what is larger is none of them.
  private static let largestAside = 64 << 10

  private static func isNull(_ range: Range<Int>, in bytes: any ByteStore) throws -> Bool {
    try range.count == 4 && bytes.bytes(range) == Array("null".utf8)
  }
}

extension ObjectKeyPath.Step {
  fileprivate var isPlace: Bool { if case .collection = self { false } else { true } }
}
