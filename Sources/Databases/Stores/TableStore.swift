public import DataSources
public import DataTables
import Synchronization

/// Rows of a table of a database, which are read in pages. The engine computes the requests that it
/// computes as the shell would.
public final class TableStore: PagedStore {
  let table: DatabaseTable
  let selection: RowSelection
  let layout: SectionLayout
  /// The rows before a request sorted and split them; nil if none did.
  let input: RowSelection?
  let pages: RowPages
  let journal: StoreJournal
  private let sectionOfMember: [Value: Int]
  public let numberOfObjects: Int

  init(
    _ table: DatabaseTable, _ selection: RowSelection, _ layout: SectionLayout,
    input: RowSelection? = nil, journal: StoreJournal, batchSize: Int? = nil
  ) {
    self.table = table
    self.selection = selection
    self.layout = layout
    self.input = input
    self.journal = journal
    numberOfObjects = layout.numberOfObjects
    pages = RowPages(table, selection, size: batchSize)
    if case .grouped(let groups) = layout {
      sectionOfMember = groups.sectionOfMember
    } else {
      sectionOfMember = [:]
    }
  }

  /// All rows of a table as one section.
  /// - Throws: ``DatabaseError``, `TableError.cancelled`.
  public static func whole(
    _ table: DatabaseTable, title: Value, cancellation: Cancellation
  ) async throws -> TableStore {
    let journal = StoreJournal()
    let selection = RowSelection(table)
    let count = try await table.count(selection, journal, cancellation)
    return TableStore(table, selection, .whole(title: title, count: count), journal: journal)
  }

  public var numberOfSections: Int { layout.count }
  public var keys: [String] { table.keys }
  public var hasOtherObjects: Bool { false }
  public var listedTitles: [ListedTitle]? {
    if case .grouped(let groups) = layout { groups.listed } else { nil }
  }

  public func numberOfObjects(in section: Int) -> Int { layout.numberOfObjects(in: section) }

  public func titles(of sections: Range<Int>) -> [Value] { sections.map(layout.title(of:)) }

  /// The section with a value of the key of the sections; nil if no section has it.
  func section(ofMember value: Value) -> Int? { sectionOfMember[value] }

  public var computation: StoreComputation? {
    journal.computation(
      origin: "\(table.schema.name) of \(table.database.connection.address)",
      assumptions: [])
  }
}

/// What a store sent to the engine, and what came back.
final class StoreJournal: Sendable {
  private let state = Mutex(StoreComputation(origin: ""))

  func add(_ statement: String, rows: Int, isPage: Bool = false) {
    state.withLock { state in
      if state.statements.count < 100 { state.statements.append(statement) }
      state.rowsRead += rows
      if isPage { state.pages += 1 }
    }
  }

  func assume(_ assumption: String) {
    state.withLock { state in
      if !state.assumptions.contains(assumption) { state.assumptions.append(assumption) }
    }
  }

  func computation(origin: String, assumptions: [String]) -> StoreComputation {
    var result = state.withLock { $0 }
    result.origin = origin
    result.assumptions += assumptions
    return result
  }
}

extension DatabaseTable {
  /// Runs a statement for a store.
  func rows(
    _ statement: SQL, _ journal: StoreJournal, isPage: Bool = false, _ cancellation: Cancellation
  ) async throws -> [[Value]] {
    let result = try await rows(statement, cancellation)
    journal.add(database.text(of: statement), rows: result.rows.count, isPage: isPage)
    return result.rows
  }

  /// The number of rows of a selection.
  func count(
    _ selection: RowSelection, where extra: [SQL] = [], _ journal: StoreJournal,
    _ cancellation: Cancellation
  ) async throws -> Int {
    let rows = try await rows(
      "SELECT count(*)\(selection.rows(where: extra))", journal, cancellation)
    guard case .integer(let count)? = rows.first?.first else { return 0 }
    let left = max(0, count - selection.offset)
    return min(selection.limit ?? left, left)
  }
}
