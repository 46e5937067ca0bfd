import DataTables
import Glibc

/// All bytes of a file.
func contents(of path: String) -> [UInt8]? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  let size = max(0, ftell(file))
  rewind(file)
  return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    count = fread(buffer.baseAddress, 1, size, file)
  }
}

func measureColumns(of store: MemoryBytes, named path: String, key: ObjectKeyPath) throws {
  // Decoded columns are kept, so each run uses a fresh table.
  let fresh = try (0..<7).map { _ in try FormatTable.core.read(store, named: path).table }
  var next = fresh.makeIterator()
  _ = try time("column, first touch") {
    try next.next()?.column(key, cancellation: Cancellation())
  }
}

/// The column of `key` is decoded before the measurements.
func measureOrder(of table: any Table, key: ObjectKeyPath) throws {
  _ = try table.column(key, cancellation: Cancellation())
  _ = try time("column, again") { try table.column(key, cancellation: Cancellation()) }
  let order = try time("sorted") {
    try table.sorted(.natural(table.count), by: [SortDescriptor(key)])
  }
  let sections = try time("runs") { try table.runs(of: key, in: order) }
  print("\(sections.count) sections")
}

func measureObjects(of table: any Table) throws {
  let count = table.count
  guard count > 0 else { return }
  let scattered = (0..<min(1000, count)).map { $0 * 617_333 % count }
  _ = try time("1 object, the last") { try table.object(at: count - 1) }
  _ = try time("20 objects in a row") { try table.objects(at: Array(0..<min(20, count))) }
  _ = try time("1000 objects, scattered") { try table.objects(at: scattered) }
}

func measureTable(path: String, key: String) throws {
  guard let bytes = contents(of: path) else { throw TableError.io("cannot read \(path)") }
  let store = MemoryBytes(bytes)
  let keyPath = try ObjectKeyPath(parsing: key)
  let table = try time("load") { try FormatTable.core.read(store, named: path) }.table
  try measureColumns(of: store, named: path, key: keyPath)
  try measureOrder(of: table, key: keyPath)
  try measureSections(of: table, key: keyPath)
  try measureObjects(of: table)
}
