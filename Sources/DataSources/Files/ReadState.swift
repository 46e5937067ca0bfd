import DataTables

/// The state in which a source has read a file.
package struct ReadState: Sendable {
  let loader: FileLoader
  let file: LoadedFile

  /// Whether the path still names the file with the content that was read.
  func isCurrent() -> Bool { (try? loader.isUnchanged(since: file)) ?? false }
}

extension DataSource {
  /// The states in which this source and those below have read a file.
  package func readStates(ofFileAt path: String) -> [ReadState] {
    var states: [ReadState] = []
    var open: [any DataSource] = [self]
    var seen: Set<ObjectIdentifier> = []
    while let source = open.popLast() {
      guard seen.insert(ObjectIdentifier(source)).inserted else { continue }
      if let simple = source as? SimpleSource, let files = simple.files {
        states += files.states(ofFileAt: path)
      }
      open += source.children
    }
    return states
  }
}
