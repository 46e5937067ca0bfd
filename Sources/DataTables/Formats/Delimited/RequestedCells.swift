internal import CScan
import Synchronization

/// Finds the cells that do not fit the types that `types:` requests, in one pass over the rows. No
/// column is decoded, so memory does not depend on the rows.
struct RequestedCells {
  private let table: DelimitedTable
  private let columns: [Column]

  private struct Column {
    let position: Int
    let key: String
    let type: RequestedType
    let form: CellForm
  }

  init(_ table: DelimitedTable) {
    self.table = table
    let forms = table.forms
    columns = table.keys.indices.compactMap { position in
      let key = table.keys[position]
      guard let type = table.options.types[key], !type.fitsAll else { return nil }
      return Column(position: position, key: key, type: type, form: forms[position])
    }
  }

  /// Determines the order of day and month in requested dates, and returns the cells that do not
  /// fit, by column; columns whose cells all fit are left out.
  func read(cancellation: Cancellation) throws -> [Misfits] {
    guard !columns.isEmpty, table.count > 0 else { return [] }
    var found = try pass(over: columns, cancellation: cancellation)
    // The sample may show another order than all dates together.
    var again: [Column] = []
    for (column, found) in zip(columns, found) where column.type == .date {
      let order = table.cells.order ?? found.votes.order
      let form = CellForm(.date, order: order, style: table.cells.style)
      if form != column.form {
        again.append(
          Column(position: column.position, key: column.key, type: column.type, form: form))
      }
    }
    if !again.isEmpty {
      table.adopt(
        Dictionary(again.map { ($0.position, $0.form) }, uniquingKeysWith: { first, _ in first }))
      for (column, new) in zip(again, try pass(over: again, cancellation: cancellation)) {
        if let place = columns.firstIndex(where: { $0.position == column.position }) {
          found[place] = new
        }
      }
    }
    return found.map(\.misfits).filter { $0.count > 0 }
  }

  private struct Found {
    var misfits: Misfits
    var votes = DateOrderVotes()
  }

  private func pass(over columns: [Column], cancellation: Cancellation) throws -> [Found] {
    let chunks = table.index.chunks
    let results = WorkerSlots<[Found]>(chunks.count)
    let scanners = WorkerSlots<RowScanner>(Parallel.workers)
    // Chunks start in the order of the text, so the chunks that are done precede a new one.
    let kept = Atomic<Int>(0)
    try Parallel.forEach(chunks.count) { number, worker in
      try cancellation.check()
      let scanner = scanners.value(worker) {
        RowScanner(
          table.store, dialect: table.dialect, columns: table.keys.count,
          limits: table.options.limits, windowSize: table.sizes.window,
          batch: RowScanner.batch(ofFields: columns.count))
      }
      let found = try cells(
        of: columns, in: chunks[number], with: scanner,
        keepsCells: kept.load(ordering: .relaxed) < LoadReport.maxRejects)
      kept.add(found.map(\.misfits.first.count).min() ?? 0, ordering: .relaxed)
      results[number] = found
    }
    var joined = nothing(in: columns)
    for number in chunks.indices {
      for (place, found) in (results[number] ?? []).enumerated() {
        joined[place].misfits.add(found.misfits)
        joined[place].votes.add(found.votes)
      }
    }
    return joined
  }

  private func nothing(in columns: [Column]) -> [Found] {
    columns.map { column in
      var misfits = Misfits(key: column.key, type: column.type, options: table.options)
      misfits.foundOrder = column.form.dateOrder
      return Found(misfits: misfits)
    }
  }

  private func cells(
    of columns: [Column], in chunk: RowIndex.Chunk, with scanner: RowScanner, keepsCells: Bool
  ) throws -> [Found] {
    let requested = columns.map { UInt32($0.position) }
    var found = nothing(in: columns)
    var fields = [ds_field](repeating: ds_field(), count: scanner.batchCapacity * columns.count)
    scanner.start(chunk)
    var rows = 0
    while let batch = try scanner.next(), rows + batch.count <= chunk.count {
      rows += batch.count
      scanner.locate(requested, of: batch.baseAddress, count: batch.count, into: &fields)
      for (place, column) in columns.enumerated() {
        check(
          fields, from: place, rows: batch, of: column, scanner, &found[place],
          keepsCells: keepsCells)
      }
    }
    guard rows == chunk.count else {
      throw TableError.changed("the rows changed since they were loaded")
    }
    return found
  }

  private func check(
    _ fields: [ds_field], from first: Int, rows: UnsafeBufferPointer<ds_row>, of column: Column,
    _ scanner: RowScanner, _ found: inout Found, keepsCells: Bool
  ) {
    let cells = table.cells
    let form = column.form
    let stride = fields.count / scanner.batchCapacity
    for row in rows.indices {
      let field = fields[first + row * stride]
      guard field.length != 0 else { continue }
      cells.withCell(field, in: scanner.bytes) { cell in
        if form.surelyFits(cell) || cells.isNull(cell) || cell.isBlank { return }
        if column.type == .date { found.votes.add(cell) }
        guard form.value(of: cell) == nil else { return }
        found.misfits.add(
          cell, at: scanner.storeOffset(of: field, in: rows[row]), keepsCell: keepsCells)
      }
    }
  }
}
