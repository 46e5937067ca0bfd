/// The repeated element that is read as rows.
struct XMLRowChoice: Equatable {
  struct Candidate: Equatable {
    /// From the root element.
    var path: [String]
    var count: Int

    /// The name of the element for messages and for `rows:`.
    var name: String { path.last ?? "" }
  }

  /// The path of the rows from the root element; the root element itself if no element is repeated.
  var rows: Candidate
  var isRepeated: Bool
  /// The first of the other repeated elements, the most frequent first.
  var others: [Candidate]
  /// The paths of further elements with content outside of the rows, the outermost ones only, in the
  /// order of the document.
  var leftOut: [[String]] = []

  /// Those of them that have attributes or child elements, and so can be rows themselves.
  var leftOutRecords: [Candidate] = []

  /// A message shows no more candidates, and none with a longer path.
  private static let maxOthers = 8
  private static let maxShownDepth = 16

  /// Chooses the most frequent one of the elements that are repeated in their parent and are not
  /// within a repeated element. Elements with attributes or children come before those with a text
  /// alone.
  init(_ paths: XMLPaths) {
    let nodes = paths.nodes
    // A parent has a smaller number than its children.
    var isInside = [Bool](repeating: false, count: nodes.count)
    var outer: [Int] = []
    var inner: [Int] = []
    for node in nodes.indices.dropFirst() {
      let parent = nodes[node].parent
      isInside[node] = isInside[parent] || nodes[parent].repeatedGroups > 0
      // An attribute may have the name of an element.
      guard nodes[node].repeatedGroups > 0, nodes[node].elements > 1,
        nodes[node].key != XMLPaths.textKey
      else { continue }
      if isInside[node] { inner.append(node) } else { outer.append(node) }
    }
    func rank(_ node: Int) -> (Int, Int, Int) {
      (nodes[node].isRecord ? 0 : 1, -nodes[node].count, node)
    }
    func candidate(_ node: Int) -> Candidate {
      Candidate(path: paths.path(of: node), count: nodes[node].elements)
    }
    outer.sort { rank($0) < rank($1) }
    inner.sort { rank($0) < rank($1) }
    isRepeated = !outer.isEmpty
    let root = nodes.count > 1 ? 1 : 0
    rows = candidate(outer.first ?? root)
    // A hostile document has very many candidates, or very long paths.
    let shown = (outer.dropFirst() + inner).lazy.filter { nodes[$0].depth <= Self.maxShownDepth }
    others = shown.prefix(Self.maxOthers).map(candidate)
    if let chosen = outer.first {
      let outside = Self.nodes(outside: chosen, besides: outer.dropFirst() + inner, of: nodes)
        .lazy.filter { nodes[$0].depth <= Self.maxShownDepth }.prefix(Self.maxOthers)
      leftOut = outside.map { paths.path(of: $0) }
      leftOutRecords = outside.filter { nodes[$0].isRecord }.map(candidate)
    }
  }

  /// The outermost nodes outside of the rows that have content, without those at or above other
  /// repeated elements.
  private static func nodes(
    outside rows: Int, besides others: [Int], of nodes: [XMLPaths.Node]
  ) -> [Int] {
    var isMentioned = [Bool](repeating: false, count: nodes.count)
    func mention(_ node: Int) {
      var node = node
      while node > XMLPaths.document, !isMentioned[node] {
        isMentioned[node] = true
        node = nodes[node].parent
      }
    }
    mention(rows)
    let above = isMentioned
    others.forEach(mention)
    return nodes.indices.dropFirst().filter { node in
      node != rows && !isMentioned[node] && nodes[node].isElement
        && (nodes[node].isRecord || nodes[node].hasText)
        && nodes[node].parent != rows && above[nodes[node].parent]
    }
  }
}
