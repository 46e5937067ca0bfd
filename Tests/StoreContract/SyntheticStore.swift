package import DataSources
package import DataTables

/// A store that reads pages from a ``SyntheticEngine``. It holds the positions of its rows and the
/// sections, and no object.
package final class SyntheticStore: PagedStore {
  package let engine: SyntheticEngine
  let order: RowOrder
  let sections: Sections
  /// The rows before a request sorted and split them; nil if none did.
  private let input: RowOrder?

  private init(
    _ engine: SyntheticEngine, _ order: RowOrder, _ sections: Sections, input: RowOrder? = nil
  ) {
    self.engine = engine
    self.order = order
    self.sections = sections
    self.input = input
  }

  /// All rows as one section.
  package convenience init(_ engine: SyntheticEngine, title: Value = "") {
    let count = engine.rows.count
    self.init(engine, .natural(count), .whole(count, title: title))
  }

  package var numberOfSections: Int { sections.count }
  package var numberOfObjects: Int { order.count }
  package var keys: [String] { SyntheticRows.keys }
  package var hasOtherObjects: Bool { false }
  package var listedTitles: [ListedTitle]? { sections.listed }

  package func numberOfObjects(in section: Int) -> Int {
    sections.offsets[section + 1] - sections.offsets[section]
  }

  package func titles(of sections: Range<Int>) async throws -> [Value] {
    await Task.yield()
    return Array(self.sections.titles[sections])
  }

  package func objects(in section: Int, rows: Range<Int>) async throws -> [Value] {
    await engine.read(rows.map { order[sections.offsets[section] + $0] })
  }

  package func answer(
    _ request: ContentRequest, _ context: RequestContext
  ) async throws -> StoreAnswer {
    await Task.yield()
    let (own, rest, reasons) = engine.split(request)
    guard let own else { return StoreAnswer(self, rest: rest, reasons: reasons) }
    var answer = try engine.content(self).answer(own, context)
    guard let local = answer.store.local else { return answer }
    answer.store = SyntheticStore(
      engine, local.order, local.sections, input: own.hasKeptSections ? input : order)
    answer.rest = rest
    answer.reasons = reasons
    return answer
  }

  package func identity(at path: IndexPath) async throws -> RowIdentity? {
    let row = order[sections.offsets[path.section] + path.row]
    return .key([.integer(row)], of: ObjectIdentifier(engine))
  }

  package func indexPath(of identity: RowIdentity) async throws -> IndexPath? {
    guard case .key(let values, ObjectIdentifier(engine)) = identity,
      case .integer(let row)? = values.first,
      let position = (0..<order.count).first(where: { order[$0] == row })
    else { return nil }
    return indexPath(ofPosition: position)
  }

  package func inputPositions(cancellation: Cancellation) async throws -> [[Int]] {
    let input = input ?? order
    let positions = Dictionary(
      uniqueKeysWithValues: (0..<input.count).map { (input[$0], $0) })
    return (0..<numberOfSections).map { section in
      (sections.offsets[section]..<sections.offsets[section + 1])
        .map { positions[order[$0]] ?? -1 }
    }
  }

  package var computation: StoreComputation? { StoreComputation(origin: "synthetic rows") }
}
