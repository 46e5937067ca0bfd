import DataSources
import DataTables

/// The source that an unfinished command is about: its keys and values, as far as they can be known
/// at once.
struct CompletionSubject {
  /// nil if the command names no source, or one that is not known before it runs.
  let source: (any DataSource)?
  /// The columns of the table of a database that the command names; nil if it names none.
  private let columns: [String]?
  /// The content of ``source``, or of the one below it that has content.
  let content: Snapshot?
  /// Objects instead of those of ``content``: the value of a name.
  private let givenObjects: [Value]?
  private let sample = Sample()

  init(source: (any DataSource)?, columns: [String]? = nil) {
    self.source = source
    self.columns = columns
    content = source?.nearestContent
    givenObjects = nil
  }

  init(content: Snapshot) {
    source = nil
    columns = nil
    self.content = content
    givenObjects = nil
  }

  init(value: Value) { self.init(objects: [value]) }

  private init(objects: [Value]) {
    source = nil
    columns = nil
    content = nil
    givenObjects = objects.map { value in
      if case .array(let elements) = value {
        .array(Array(elements.prefix(Sample.maximum)))
      } else {
        value
      }
    }
  }

  /// The elements of a value that is an array; other subjects are those of objects already.
  var elements: Self {
    guard case .array(let elements)? = givenObjects?.first else { return self }
    return Self(objects: elements)
  }

  /// A key of objects.
  struct Key {
    let name: String
    /// The key as it is typed in a path.
    var written: String { ObjectKeyPath.written(name) }
  }

  /// The keys of the source, else of the nearest source below that has keys. The
  /// search follows the first child of each source.
  var keys: [Key] {
    if let columns { return columns.map(Key.init) }
    if givenObjects != nil { return names(after: ObjectKeyPath([])).map(Key.init) }
    if source == nil, let keys = content?.keys, !keys.isEmpty { return keys.map(Key.init) }
    var next = source
    while let source = next {
      if let keys = source.state.snapshot?.keys, !keys.isEmpty { return keys.map(Key.init) }
      next = source.children.first
    }
    // Objects that are not records have derived keys.
    return objects.map { ObjectKeyPath([]).following(in: $0).map(Key.init) } ?? []
  }

  /// The keys, operators and derived keys that can follow a path. Where no objects can be read at
  /// once, as for a table of a database, these are all derived keys.
  func names(after path: ObjectKeyPath) -> [String] {
    guard source != nil || columns != nil || content != nil || givenObjects != nil else {
      return []
    }
    return objects.map { path.following(in: $0) } ?? DerivedKey.all.map(\.name)
  }

  /// The types of the values at a path, without null; empty if they are not known.
  func types(of path: ObjectKeyPath) -> Set<ValueType> {
    Set((objects ?? []).map { path.evaluate(on: $0).type }).subtracting([.null])
  }

  /// The values that most objects have at a path.
  func frequentValues(of path: ObjectKeyPath) -> FrequentValues {
    guard let store, let column = store.table.decodedColumn(path) else {
      let objects = objects ?? []
      let isExact = givenObjects == nil && objects.count == store?.numberOfObjects
      return FrequentValues(of: path, in: objects, isExact: isExact)
    }
    return FrequentValues(of: column, in: store.order)
  }

  private var store: LocalStore? { content?.store.local }

  /// The first objects; nil if they cannot be read at once.
  private var objects: [Value]? {
    if let givenObjects { return givenObjects }
    if let objects = sample.objects { return objects }
    let objects = store.flatMap { try? Sample.objects(of: $0) }
    sample.objects = objects
    return objects
  }

  /// The objects that were read.
  private final class Sample {
    var objects: [Value]?

    /// The maximum number of objects that are read, in batches, while ``patience`` lasts.
    static let maximum = 256
    private static let batchSize = 32
    private static let patience = Duration.milliseconds(5)

    static func objects(of store: LocalStore) throws -> [Value] {
      var objects: [Value] = []
      let count = min(store.order.count, maximum)
      let end = ContinuousClock.now + patience
      while objects.count < count, objects.isEmpty || ContinuousClock.now < end {
        let next = objects.count..<min(count, objects.count + batchSize)
        objects += try store.table.objects(at: next.map { store.order[$0] })
      }
      return objects
    }
  }
}
