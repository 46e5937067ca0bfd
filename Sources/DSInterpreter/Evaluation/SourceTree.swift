package import DataSources

/// A source in the tree of the sources that another one wraps.
package struct SourceTreeNode {
  package let source: any DataSource
  package let name: String
  /// 0 for the root.
  package let depth: Int
  /// The lines that connect the source with those above it: `│ └ `.
  package let lead: String
  /// Whether the source and those below it are in the tree before.
  package let isRepeated: Bool
}

extension Session {
  /// The sources that a source wraps, each before those that it wraps.
  package func tree(of root: any DataSource) -> [SourceTreeNode] {
    var nodes: [SourceTreeNode] = []
    var seen: Set<ObjectIdentifier> = []
    // A stack instead of recursion, because a script can nest sources to any depth.
    var open: [(source: any DataSource, lead: String, branch: String, depth: Int)] = [
      (root, "", "", 0)
    ]
    while let (source, lead, branch, depth) = open.popLast() {
      let isNew = seen.insert(ObjectIdentifier(source)).inserted
      nodes.append(
        SourceTreeNode(
          source: source, name: displayName(of: source), depth: depth, lead: lead + branch,
          isRepeated: !isNew))
      guard isNew else { continue }
      let inner = branch.isEmpty ? "" : lead + (branch == "└ " ? "  " : "│ ")
      for (index, child) in source.children.enumerated().reversed() {
        open.append((child, inner, index == source.children.count - 1 ? "└ " : "├ ", depth + 1))
      }
    }
    return nodes
  }
}
