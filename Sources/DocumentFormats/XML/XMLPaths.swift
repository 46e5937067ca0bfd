import DataTables

/// The paths of the elements and attributes of a document: a tree with a node for each path.
///
/// An attribute and a child element with the same name share a node, because they share a key.
/// Node 0 is the document, the parent of the root element.
struct XMLPaths {
  struct Node {
    let parent: Int
    /// The number of the key in ``XMLPaths/keys``.
    let key: Int
    let depth: Int
    /// The number of elements and attributes with this path.
    var count = 0
    /// The number of parents that have the element, and the number that have it more than once.
    var groups = 0
    var repeatedGroups = 0
    /// The number of elements with this path, without attributes.
    var elements = 0
    var isElement: Bool { elements > 0 }
    /// Whether some element outside of the rows has text.
    var hasText = false
    /// Whether some element has attributes or child elements.
    var isRecord = false
    /// The number of elements that were read as a string.
    var strings = 0
    /// Whether the elements are rows.
    var isRow = false

    /// The parent that had the element last, and the position of its value.
    fileprivate(set) var group = -1
    var position = 0
    fileprivate var isGroupRepeated = false
    /// The first child and next sibling in the previous element, which are tried first.
    fileprivate var firstChild = -1
    fileprivate var next = -1
    /// The shape of the record read last, and the nodes of its values.
    var shape: Record.Shape?
    var shapeNodes: [Int] = []

    fileprivate init(parent: Int, key: Int, depth: Int) {
      self.parent = parent
      self.key = key
      self.depth = depth
    }
  }

  private(set) var keys: [String]
  private var keyNumbers: [String: Int] = [:]
  var nodes = [Node(parent: -1, key: 0, depth: 0)]
  private var places: [Place: Int] = [:]
  private let selection: XMLRowSelection

  private struct Place: Hashable {
    var parent: Int
    var key: Int
  }

  /// The key of the text of an element that has attributes or child elements too.
  static let textKey = 0
  static let textKeyName = "text"
  static let document = 0
  /// Bounds the memory of a hostile document.
  private static let maxPaths = 1 << 18

  init(selection: XMLRowSelection) {
    self.selection = selection
    keys = [Self.textKeyName]
    keyNumbers[Self.textKeyName] = Self.textKey
  }

  /// The number of a key.
  mutating func number(of key: String) -> Int {
    if let number = keyNumbers[key] { return number }
    keys.append(key)
    keyNumbers[key] = keys.count - 1
    return keys.count - 1
  }

  /// The node of an element, attribute or text, which is counted.
  /// - Parameters:
  ///   - last: the node of the previous child of the same parent, -1 for the first one.
  ///   - group: a number that identifies the parent.
  /// - Returns: the node, and whether the parent has had a child with this key.
  mutating func add(
    _ key: Int, to parent: Int, after last: Int, group: Int
  ) throws(TableError) -> (node: Int, isRepeated: Bool) {
    let guess = last < 0 ? nodes[parent].firstChild : nodes[last].next
    var node = guess
    // Documents mostly repeat the order of the previous element, or the same element.
    if guess < 0 || nodes[guess].key != key {
      if last >= 0, nodes[last].key == key {
        node = last
      } else {
        node = try find(key, in: parent)
        if last < 0 { nodes[parent].firstChild = node } else { nodes[last].next = node }
      }
    }
    return (node, count(node, group: group))
  }

  private mutating func count(_ node: Int, group: Int) -> Bool {
    nodes[node].count += 1
    if nodes[node].group != group {
      nodes[node].group = group
      nodes[node].groups += 1
      nodes[node].isGroupRepeated = false
      return false
    }
    if !nodes[node].isGroupRepeated {
      nodes[node].isGroupRepeated = true
      nodes[node].repeatedGroups += 1
    }
    return true
  }

  private mutating func find(_ key: Int, in parent: Int) throws(TableError) -> Int {
    let place = Place(parent: parent, key: key)
    if let node = places[place] { return node }
    guard nodes.count < Self.maxPaths else {
      throw .limit("the document has over \(Self.maxPaths) paths", setting: "", at: nil)
    }
    nodes.append(Node(parent: parent, key: key, depth: nodes[parent].depth + 1))
    let node = nodes.count - 1
    places[place] = node
    nodes[node].isRow = matches(node)
    return node
  }

  /// Whether the elements of a node are rows.
  /// - Complexity: O(the steps of the selection).
  private func matches(_ node: Int) -> Bool {
    let steps: [String]
    switch selection {
    case .none: return false
    case .path(let path):
      guard nodes[node].depth == path.count else { return false }
      steps = path
    case .suffix(let path):
      guard nodes[node].depth >= path.count else { return false }
      steps = path
    }
    var node = node
    for step in steps.reversed() {
      if keys[nodes[node].key] != step { return false }
      node = nodes[node].parent
    }
    return true
  }

  /// The keys from the root element to a node.
  func path(of node: Int) -> [String] {
    var path: [String] = []
    var node = node
    while node > 0 {
      path.append(keys[nodes[node].key])
      node = nodes[node].parent
    }
    return path.reversed()
  }
}

/// The elements that are rows.
enum XMLRowSelection: Equatable {
  /// No element; paths are only counted.
  case none
  /// The elements with a path, from the root element.
  case path([String])
  /// The elements whose path ends so.
  case suffix([String])

  /// - Parameter text: `item`, `channel/item`, or `/rss/channel/item` from the root element on.
  init(_ text: String) {
    let steps = text.split(separator: "/").map(String.init)
    self = text.hasPrefix("/") ? .path(steps) : .suffix(steps)
  }
}
