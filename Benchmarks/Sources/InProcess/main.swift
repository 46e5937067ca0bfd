import DataTables
import Glibc

// Reads a table from memory, so that neither the start of a process nor the disk is in the figures:
//   swift run -c release InProcess data/full/people.csv last_name

/// The bytes of a file, all at once.
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

func measure(path: String, key: String) throws {
  guard let bytes = contents(of: path) else {
    print("cannot read \(path)")
    exit(1)
  }
  let store = MemoryBytes(bytes)
  let loaded = try time("load") { try TableFormats.read(store, named: path) }
  let table = loaded.table
  let column = ObjectKeyPath(key: key)

  // A column is kept once it is decoded, so each run takes a table that has none yet.
  let fresh = try (0..<7).map { _ in try TableFormats.read(store, named: path).table }
  var next = fresh.makeIterator()
  _ = try time("column \(key), first touch") {
    try next.next()?.column(column, cancellation: Cancellation())
  }
  _ = try table.column(column, cancellation: Cancellation())
  _ = try time("column \(key), again") { try table.column(column, cancellation: Cancellation()) }

  guard table.count > 0 else { return }
  let stride = max(1, table.count / 1000)
  let scattered = (0..<min(1000, table.count)).map { ($0 * stride * 617) % table.count }
  _ = try time("1 object, the last") { try table.object(at: table.count - 1) }
  _ = try time("20 objects in a row") {
    try table.objects(at: Array(0..<min(20, table.count)))
  }
  _ = try time("1000 objects scattered") { try table.objects(at: scattered) }
}

guard CommandLine.arguments.count == 3 else {
  print("usage: InProcess FILE KEY")
  exit(2)
}
do {
  try measure(path: CommandLine.arguments[1], key: CommandLine.arguments[2])
} catch {
  print("failed: \(error)")
  exit(1)
}
