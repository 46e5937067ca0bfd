package import DataSources
import DataTables

extension SourceError {
  /// Any error of reading a database.
  /// - Parameter known: names that exist, for an error about one that does not.
  package init(database error: any Error, known: [String] = []) {
    guard let error = error as? DatabaseError else {
      self = SourceError(error)
      return
    }
    let kind: DatabaseFault.Kind
    switch error.kind {
    case .changed:
      self = .data(.changed(error.message))
      return
    // The keys are not known for a statement of a person, whose place the engine reports.
    case .unknownColumn(let name) where known.isEmpty: kind = .unknownColumn(name)
    case .unknownColumn(let name):
      self = .data(.unknownKey(name, known: known))
      return
    case .unknownTable(let name): kind = .unknownName(name, known: known)
    case .unknownDatabase(let name): kind = .unknownName(name, known: [])
    case .denied: kind = .denied
    case .exists(let name): kind = .exists(name)
    case .timeout: kind = .timeout
    case .connection, .access, .engine: kind = .engine
    }
    self = .database(
      DatabaseFault(
        kind, error.message, code: error.code, statement: error.statement, offset: error.offset))
  }
}
