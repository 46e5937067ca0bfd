/// The keys of the rows of an unrolled table.
///
/// The keys of an element take the place of the key of its array. A key that the parents have too
/// is preceded by the key of the array: `orders_id`. Elements that are not records are stored under
/// the key of the array.
struct UnrolledKeys: Sendable {
  /// The source of the values of a key.
  enum Owner: Sendable {
    case parent
    /// This key of the elements that are records.
    case element(String)
    /// The elements that are not records.
    case others
  }

  /// All keys, in order.
  let all: [String]
  /// The key of elements that are not records; nil if all elements are records.
  let ofOthers: String?
  /// The keys of elements that have another name in the rows, in their order.
  let renamed: [(key: String, name: String)]
  private let owners: [String: Owner]
  private let names: [String: String]

  /// - Parameters:
  ///   - parents: the keys of the objects that have the arrays.
  ///   - elements: the keys of the elements that are records.
  ///   - path: the path of the arrays.
  ///   - hasOthers: whether some elements are not records.
  ///   - areParentsRecords: false if no parent is a record; a row is then the element itself.
  init(
    parents: [String], elements: [String], path: ObjectKeyPath, hasOthers: Bool,
    areParentsRecords: Bool
  ) {
    // The key of the array is free for other values: the elements take its place.
    let arrayKey = path.steps.count == 1 ? path.steps.first?.recordKey : nil
    let lead = path.steps.compactMap { if case .key(let key) = $0 { key } else { nil } }
    let kept = parents.filter { $0 != arrayKey }
    var free = FreeKeys(besides: Set(kept))
    var owners = Dictionary(uniqueKeysWithValues: free.taken.map { ($0, Owner.parent) })
    let last = lead.last ?? "element"
    var ofOthers: String?
    if areParentsRecords, hasOthers || elements.isEmpty {
      let name =
        free.taken.contains(last)
        ? free.take((lead + ["element"]).joined(separator: "_")) : free.take(last)
      owners[name] = .others
      ofOthers = name
    }
    // Keys without a clash keep their names, whatever the order of the keys.
    var names: [String: String] = [:]
    for key in elements where !free.taken.contains(key) { names[key] = free.take(key) }
    for key in elements where names[key] == nil { names[key] = free.take("\(last)_\(key)") }
    for (key, name) in names { owners[name] = .element(key) }
    self.owners = owners
    self.names = names
    self.ofOthers = ofOthers
    renamed = elements.compactMap { key in
      names[key].flatMap { $0 == key ? nil : (key, $0) }
    }
    let added = (ofOthers.map { [$0] } ?? []) + elements.compactMap { names[$0] }
    let position = arrayKey.flatMap { parents.firstIndex(of: $0) } ?? kept.count
    all = kept.prefix(position) + added + kept.dropFirst(position)
  }

  func owner(of name: String) -> Owner? { owners[name] }

  /// The name in the rows of a key of the elements.
  func name(of key: String) -> String { names[key] ?? key }
}
