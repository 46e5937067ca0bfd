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
  private let keysOfRows = Mutex<[Int64]?>(nil)
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

  /// The keys of the rows in their order, while changes are observed.
  var trackedKeys: [Int64]? {
    get { keysOfRows.withLock { $0 } }
    set { keysOfRows.withLock { $0 = newValue } }
  }

  public var computation: StoreComputation? {
    var computation = journal.computation(
      origin: "\(table.schema.name) of \(table.database.connection.address)",
      assumptions: [])
    computation.assumptions += table.dialect.notes(about: computation.statements)
    return computation
  }
}
