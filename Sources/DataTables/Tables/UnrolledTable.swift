import Synchronization

/// One row for each element of the arrays under a key path of another table. A row has the keys of
/// its parent, except for the array, and the keys of its element.
///
/// Records are made when they are read, and columns from the columns of the other table: keys of
/// the parents repeat the values of their column, keys of the elements are evaluated once for each
/// distinct array.
public final class UnrolledTable: DerivedTable {
  public let base: any Table
  /// The rows of ``base`` that are unrolled, in their order.
  public let order: RowOrder
  public let path: ObjectKeyPath
  /// Whether a row of ``base`` without elements has a row without an element here.
  public let keepsEmpty: Bool
  /// The first row of each position of ``order``, then the number of rows.
  public let starts: [Int]
  /// Rows of ``base`` whose value at ``path`` is null, missing or an empty array.
  public let rowsWithoutElements: Int
  /// Whether a value at ``path`` is an array.
  public let hasArrays: Bool
  let elementKeys: UnrolledKeys
  let hasRecords: Bool
  /// Whether rows of ``base`` are not records.
  let hasOtherParents: Bool
  public let hasUniformRows: Bool
  public let hasOtherRows: Bool
  private let columns = Mutex<[ObjectKeyPath: KeyColumn]>([:])

  /// - Complexity: O(elements), plus decoding the column of `path`.
  /// - Throws: ``TableError/unknownKey(_:known:)`` if no object has the key;
  ///   ``TableError/limit(_:setting:at:)`` for too many rows.
  public init(
    _ base: any Table, _ order: RowOrder, by path: ObjectKeyPath, keepsEmpty: Bool = false,
    cancellation: Cancellation = Cancellation()
  ) throws {
    let elements = try UnrolledElements(
      base.column(path, cancellation: cancellation), order, keepsEmpty: keepsEmpty,
      cancellation: cancellation)
    self.base = base
    self.order = order
    self.path = path
    self.keepsEmpty = keepsEmpty
    starts = elements.starts
    rowsWithoutElements = elements.rowsWithoutElements
    hasArrays = elements.hasArrays
    hasRecords = elements.hasRecords
    hasOtherParents = base.hasOtherRows
    elementKeys = UnrolledKeys(
      parents: base.keys, elements: elements.keys, path: path, hasOthers: elements.hasOthers,
      areParentsRecords: !base.keys.isEmpty || !hasOtherParents)
    let hasEmptyRows = keepsEmpty && elements.rowsWithoutElements > 0
    hasUniformRows =
      base.hasUniformRows
      && (elements.hasRecords
        ? !elements.hasOthers && elements.hasUniformRecords && !hasEmptyRows : true)
    hasOtherRows = hasOtherParents && (elements.hasOthers || hasEmptyRows)
  }

  public var count: Int { starts.last ?? 0 }
  public var keys: [String] { elementKeys.all }

  /// The keys of elements that parents have too, with their names in the rows.
  public var renamedKeys: [(key: String, name: String)] { elementKeys.renamed }

  /// The position in ``order`` of the parent of a row, and the index of the row's element.
  /// - Precondition: `row` is in `0..<count`.
  /// - Complexity: O(log parents).
  public func origin(of row: Int) -> (position: Int, element: Int) {
    var low = 0
    var high = order.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= row { low = middle } else { high = middle }
    }
    return (low, row - starts[low])
  }

  public func baseRow(of row: Int) -> Int { order[origin(of: row).position] }

  /// The path under which an edit of a row stores a value: a key of the parent or of the element.
  package enum Place: Sendable {
    case parent
    case element(key: String)
    /// The element itself.
    case wholeElement
  }

  /// nil for an unknown key.
  package func place(of key: String) -> Place? {
    switch elementKeys.owner(of: key) {
    case .parent: .parent
    case .element(let key): .element(key: key)
    case .others: .wholeElement
    case nil: nil
    }
  }

  public func objects(at rows: [Int]) throws -> [Value] {
    var builder = UnrolledRowBuilder(path: path, keys: elementKeys, hasRecords: hasRecords)
    var objects: [Value] = []
    objects.reserveCapacity(rows.count)
    // The rows of one parent are mostly read together, so each parent is read once for them.
    let origins = rows.map(origin)
    var parents: [Int] = []
    for origin in origins where parents.last != order[origin.position] {
      parents.append(order[origin.position])
    }
    let read = try base.objects(at: parents)
    var next = -1
    for origin in origins {
      let parent = order[origin.position]
      if next < 0 || parents[next] != parent {
        next += 1
        builder.begin(read[next])
      }
      objects.append(builder.object(of: read[next], element: origin.element))
    }
    return objects
  }

  public func line(of row: Int) throws -> Int? { try base.line(of: baseRow(of: row)) }

  public func column(_ path: ObjectKeyPath, cancellation: Cancellation) throws -> KeyColumn {
    if let column = columns.withLock({ $0[path] }) { return column }
    let column = try UnrolledColumn(self, path).column(cancellation: cancellation)
    columns.withLock { $0[path] = column }
    return column
  }

  public func decodedColumn(_ path: ObjectKeyPath) -> KeyColumn? { columns.withLock { $0[path] } }

  public func decode(_ paths: [ObjectKeyPath], cancellation: Cancellation) throws {
    let joined = columns.withLock { $0 }
    let parents = paths.filter { path in
      guard joined[path] == nil, let key = path.steps.first?.recordKey,
        case .parent? = elementKeys.owner(of: key)
      else { return false }
      return true
    }
    if !parents.isEmpty { try base.decode(parents, cancellation: cancellation) }
    for path in paths { _ = try column(path, cancellation: cancellation) }
  }

  public func release(_ paths: [ObjectKeyPath]) {
    columns.withLock { columns in for path in paths { columns[path] = nil } }
  }
}
