import DataSources
import DataTables

extension Session {
  /// After a command that needed more memory than the limit, releases the columns of all tables, so that
  /// the next command has room. They are decoded again when they are needed.
  func relieveMemory() {
    guard MemoryLimit.wasExceeded else { return }
    for binding in bindings {
      guard case .source(let source) = binding.value else { continue }
      for source in SourceGraph.sources(below: source) {
        guard let table = source.state.snapshot?.store.local?.table else { continue }
        table.release(table.keys.map { ObjectKeyPath(key: $0) })
      }
    }
    MemoryLimit.measureAgain()
  }
}
