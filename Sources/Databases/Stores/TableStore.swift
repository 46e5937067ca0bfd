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
  private let keyOrder = Mutex<KeyOrder?>(nil)
  /// The position of the first row of each section among all rows, followed by the number of rows.
  let offsets: [Int]

  init(
    _ table: DatabaseTable, _ selection: RowSelection, _ layout: SectionLayout,
    input: RowSelection? = nil, journal: StoreJournal, batchSize: Int? = nil
  ) {
    self.table = table
    self.selection = selection
    self.layout = layout
    self.input = input
    self.journal = journal
    offsets = layout.offsets
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
  public var numberOfObjects: Int { offsets.last ?? 0 }
  public var keys: [String] { table.keys }
  public var hasOtherObjects: Bool { false }
  public var listedTitles: [ListedTitle]? {
    if case .grouped(let groups) = layout { groups.listed } else { nil }
  }

  public func numberOfObjects(in section: Int) -> Int { layout.numberOfObjects(in: section) }

  public func knownTitle(of section: Int) -> Value? { layout.knownTitle(of: section) }

  public func titles(of sections: Range<Int>) async throws -> [Value] {
    if case .paged(let pages) = layout {
      do {
        return try await pages.titles(of: sections, table.database.interruption)
      } catch {
        throw SourceError(error)
      }
    }
    return sections.compactMap(layout.knownTitle(of:))
  }

  /// The section with a value of the key of the sections; nil if no section has it.
  func section(ofMember value: Value) -> Int? { sectionOfMember[value] }

  /// The keys of the rows in their order, while changes are observed.
  var trackedKeys: KeyOrder? {
    get { keyOrder.withLock { $0 } }
    set { keyOrder.withLock { $0 = newValue } }
  }

  public func withoutComputation() -> any SnapshotStore {
    let store = TableStore(
      table, selection, layout, input: input, journal: StoreJournal(), batchSize: pages.size)
    store.trackedKeys = trackedKeys
    return store
  }

  public var computation: StoreComputation? {
    var computation = journal.computation(
      origin: "\(table.schema.name) of \(table.database.connection.address)")
    computation.assumptions += table.dialect.notes(about: computation.statements)
    return computation
  }
}
