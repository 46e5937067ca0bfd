/// Writes one JSON array with an object on each line; nested sections are records with the title and
/// the array of the objects.
struct JSONWriter: TableWriter {
  private let nestsSections: Bool
  private var isFirst = true
  private var isFirstSection = true

  init(_ layout: WriteLayout) { nestsSections = layout.nestsSections }

  func begin(_ bytes: inout [UInt8]) throws(TableError) { bytes.append(UInt8(ascii: "[")) }

  mutating func append(_ objects: [Value], to bytes: inout [UInt8]) throws(TableError) {
    for object in objects {
      bytes.append(contentsOf: (isFirst ? "\n" : ",\n").utf8)
      object.appendJSON(to: &bytes)
      isFirst = false
    }
  }

  mutating func beginSection(_ title: Value, _ bytes: inout [UInt8]) throws(TableError) {
    bytes.append(contentsOf: (isFirstSection ? "\n" : ",\n").utf8)
    bytes.append(contentsOf: "{\"\(WriteLayout.titleKey)\":".utf8)
    title.appendJSON(to: &bytes)
    bytes.append(contentsOf: ",\"\(WriteLayout.objectsKey)\":[".utf8)
    (isFirst, isFirstSection) = (true, false)
  }

  func endSection(_ bytes: inout [UInt8]) {
    bytes.append(contentsOf: (isFirst ? "]}" : "\n]}").utf8)
  }

  func end(_ bytes: inout [UInt8]) {
    let isEmpty = nestsSections ? isFirstSection : isFirst
    bytes.append(contentsOf: (isEmpty ? "]\n" : "\n]\n").utf8)
  }
}

/// Writes one JSON value on each line.
struct NDJSONWriter: TableWriter {
  func begin(_ bytes: inout [UInt8]) throws(TableError) {}

  func append(_ objects: [Value], to bytes: inout [UInt8]) throws(TableError) {
    for object in objects {
      object.appendJSON(to: &bytes)
      bytes.append(0x0A)
    }
  }

  func end(_ bytes: inout [UInt8]) {}
}
