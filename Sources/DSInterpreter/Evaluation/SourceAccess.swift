package import DataSources
import DataTables

// Checked access to sources and files.
extension Session {
  /// The snapshot of a source.
  /// - Throws: ``Diagnostic`` of kind `notFetched` with the command that fetches it.
  package func content(of source: any DataSource, at span: Span) throws -> Snapshot {
    if let snapshot = source.state.snapshot { return snapshot }
    let name = boundName(of: source)
    throw Diagnostic(
      .notFetched,
      "\(name ?? displayName(of: source)) has not been fetched (fetch \(name ?? "it first"))",
      at: span)
  }

  /// - Throws: ``Diagnostic`` of kind `outOfRange` with the bounds.
  func check(
    section: Int, of source: any DataSource, _ snapshot: Snapshot, at span: Span
  ) throws {
    let count = snapshot.store.numberOfSections
    guard !(0..<count).contains(section) else { return }
    throw Diagnostic(
      .outOfRange,
      "section \(section) is out of range: \(displayName(of: source)) has "
        + Self.bounds(count, "section"), at: span)
  }

  /// The object at an index path.
  /// - Throws: ``Diagnostic`` of kind `notFetched`, or `outOfRange` with the bounds.
  func object(
    at located: LocatedIndexPath, of source: any DataSource
  ) async throws -> Value {
    let path = located.path
    let snapshot = try await check(located, of: source)
    contentReads?.add(
      .rows(SectionRows(section: path.section, rows: path.row..<path.row + 1)), of: source)
    return try await snapshot.object(at: path)
  }

  /// - Returns: the content.
  /// - Throws: ``Diagnostic`` of kind `notFetched`, or `outOfRange` with the bounds.
  @discardableResult
  func check(
    _ located: LocatedIndexPath, of source: any DataSource
  ) async throws -> Snapshot {
    let snapshot = try content(of: source, at: located.rowSpan)
    try await check(located, of: source, snapshot)
    return snapshot
  }

  /// - Parameter snapshot: one of the contents of the source.
  /// - Throws: ``Diagnostic`` of kind `outOfRange` with the bounds.
  func check(
    _ located: LocatedIndexPath, of source: any DataSource, _ snapshot: Snapshot
  ) async throws {
    let path = located.path
    try check(section: path.section, of: source, snapshot, at: located.sectionSpan)
    let count = snapshot.store.numberOfObjects(in: path.section)
    guard (0..<count).contains(path.row) else {
      let found = try await snapshot.title(of: path.section)
      let title = found == "" ? "" : " " + found.excerpt
      throw Diagnostic(
        .outOfRange,
        "row \(path.row) is out of range: section \(path.section)\(title) of "
          + "\(displayName(of: source)) has \(Self.bounds(count, "object"))", at: located.rowSpan)
    }
  }

  /// The path of a file that an argument names.
  mutating func resolve(_ path: String, at argument: Argument) -> String {
    let resolved = FilePath.resolve(FilePath.expandingHome(path), in: options.folder)
    // An absolute path needs no replacement in a recorded script.
    if argument.text != nil, !path.hasPrefix("/"), !path.hasPrefix("~") {
      execution.replace(argument.span, by: .path(resolved))
    }
    return resolved
  }

  /// Loads a file, or the files of a folder or a pattern as one source.
  /// - Parameters:
  ///   - path: resolved.
  ///   - anticipatedKeys: the keys that the next lines of the script name.
  func load(
    _ path: String, options: ReadOptions = ReadOptions(), anticipatedKeys: [String] = [],
    name: String = ""
  ) async throws -> SimpleSource {
    if SimpleSource.isSelection(path) {
      return try await SimpleSource.load(
        all: path, relativeTo: self.options.folder, options: options,
        anticipatedKeys: anticipatedKeys, formats: .standard, name: name,
        cancellation: cancellation, progress: progress)
    }
    return try await SimpleSource.load(
      path, options: options, anticipatedKeys: anticipatedKeys, formats: .standard, name: name,
      cancellation: cancellation, progress: progress)
  }

  private static func bounds(_ count: Int, _ noun: String) -> String {
    count == 0 ? "no \(noun)s" : "\(counted(count, noun)) (0..<\(count))"
  }
}

extension Snapshot {
  /// The index path of the first object that has all values of a record, under keys or key paths, or
  /// that equals a value of another type.
  func firstIndexPath(matching value: Value) async throws -> IndexPath? {
    guard case .record(let values) = value else { return try await indexPath(of: value) }
    let paths = values.keys.map(keyPath(of:))
    guard paths.contains(where: { $0.steps.count > 1 }) else {
      return try await indexPath(matching: values)
    }
    let parts = try zip(paths, values.values).map { path, value in
      Predicate.comparison(
        try Predicate.Comparison(.key(path), ComparisonOperator(.equal), .value(value)))
    }
    return try await indexPath(where: .and(parts))
  }

  /// The key path that a key of a record denotes: the key itself if an object has it.
  func keyPath(of key: String) -> ObjectKeyPath {
    let literal = ObjectKeyPath(key: key)
    guard !keys.contains(key), let path = try? ObjectKeyPath(parsing: key), path.steps.count > 1
    else { return literal }
    return path
  }
}
