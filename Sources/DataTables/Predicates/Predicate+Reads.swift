// The parts of an object that a predicate reads.
extension Predicate {
  /// The key paths that the predicate reads, in the order in which they are written, with
  /// duplicates.
  public var keyPaths: [ObjectKeyPath] { reads.compactMap(\.path) }

  /// Whether the predicate reads more of the object than the values of key paths.
  package var readsObject: Bool { needsObject }

  var needsObject: Bool { reads.contains { $0.isObject } }

  /// The key paths that some object should have: those that the predicate reads, and those of the
  /// elements of its subqueries.
  package var checkedKeyPaths: [ObjectKeyPath] {
    var lists: [(name: String, path: ObjectKeyPath?)] = []
    var paths: [ObjectKeyPath] = []
    visit { read in
      switch read {
      case .object: break
      case .key(let path): paths.append(path)
      case .element(let name, let path):
        // An index or an operator applies to each element, not to all elements at once.
        let keys = path.steps.prefix { if case .key = $0 { true } else { false } }
        guard let list = lists.last(where: { $0.name == name })?.path, !keys.isEmpty else { break }
        paths.append(ObjectKeyPath(list.steps + keys))
      case .list(let name, let operand): lists.append((name, operand.listPath(in: lists)))
      case .endOfList: lists.removeLast()
      }
    }
    return paths
  }

  private var reads: [Read] {
    var reads: [Read] = []
    visit { reads.append($0) }
    return reads
  }

  /// Calls `body` for each part of the object that the predicate reads, as written.
  fileprivate func visit(_ body: (Read) -> Void) {
    switch self {
    case .comparison(let comparison):
      comparison.left.visit(body)
      comparison.right.visit(body)
    case .boolean(let operand): operand.visit(body)
    case .not(let predicate): predicate.visit(body)
    case .and(let predicates), .or(let predicates): for part in predicates { part.visit(body) }
    }
  }
}

/// A part of an object that a predicate reads, or a subquery around such parts.
private enum Read {
  case object
  case key(ObjectKeyPath)
  /// A key path, possibly empty, of the element of a subquery.
  case element(String, ObjectKeyPath)
  case list(String, Predicate.Operand)
  case endOfList

  var path: ObjectKeyPath? { if case .key(let path) = self { path } else { nil } }
  var isObject: Bool { if case .object = self { true } else { false } }
}

extension Predicate.Operand {
  /// Whether the value is the same for all objects and elements.
  var isConstant: Bool {
    var isConstant = true
    var variables: [String] = []
    visit { read in
      switch read {
      case .object, .key: isConstant = false
      case .element(let name, _): if !variables.contains(name) { isConstant = false }
      case .list(let name, _): variables.append(name)
      case .endOfList: variables.removeLast()
      }
    }
    return isConstant
  }

  /// The key path of a list in the object; nil for a list that is computed.
  fileprivate func listPath(
    in lists: [(name: String, path: ObjectKeyPath?)]
  ) -> ObjectKeyPath? {
    switch self {
    case .key(let path): path
    case .path(.object, let path): path
    case .path(.variable(let name), let path):
      lists.last { $0.name == name }?.path.map { ObjectKeyPath($0.steps + path.steps) }
    default: nil
    }
  }

  fileprivate func visit(_ body: (Read) -> Void) {
    switch self {
    case .value: break
    case .object: body(.object)
    case .key(let path): body(.key(path))
    case .path(.variable(let name), let path): body(.element(name, path))
    case .path(let operand, _): operand.visit(body)
    case .array(let operands), .call(_, let operands): for part in operands { part.visit(body) }
    case .record(let pairs): for pair in pairs { pair.value.visit(body) }
    case .predicate(let predicate): predicate.visit(body)
    case .conditional(let condition, let first, let second):
      condition.visit(body)
      first.visit(body)
      second.visit(body)
    case .variable(let name): body(.element(name, ObjectKeyPath([])))
    case .subquery(let subquery):
      subquery.list.visit(body)
      body(.list(subquery.variable, subquery.list))
      subquery.predicate.visit(body)
      body(.endOfList)
    }
  }
}
