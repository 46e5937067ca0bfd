/// The parts of a source that the expectations of a script have asserted.
package struct SourceCoverage: Sendable, Equatable {
  /// The name in the script, with the file and the engine of the run.
  package var name: String
  package var sections = Count()
  package var rows = Count()
  /// The keys of its objects that were asserted, and the others, in their order.
  package var keys: [String] = []
  package var otherKeys: [String] = []

  package struct Count: Sendable, Equatable {
    package var asserted = 0
    package var all = 0
  }

  init(name: String) { self.name = name }
}

/// A command that printed lines which nothing expects.
package struct UnexpectedOutput: Sendable, Equatable {
  package let line: Int
  package let command: String
}

// Serialization as fields of a message.
extension SourceCoverage {
  func write(to line: inout FieldLine) {
    line.append(name)
    for count in [sections, rows] {
      line.append(count.asserted)
      line.append(count.all)
    }
    line.append(keys) { $0.append($1) }
    line.append(otherKeys) { $0.append($1) }
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    name = try fields.text()
    sections = Count(asserted: try fields.int(), all: try fields.int())
    rows = Count(asserted: try fields.int(), all: try fields.int())
    keys = try fields.array { fields throws(FieldReader.Malformed) in try fields.text() }
    otherKeys = try fields.array { fields throws(FieldReader.Malformed) in try fields.text() }
  }
}

extension UnexpectedOutput {
  func write(to fields: inout FieldLine) {
    fields.append(line)
    fields.append(command)
  }

  init(from fields: inout FieldReader) throws(FieldReader.Malformed) {
    line = try fields.int()
    command = try fields.text()
  }
}
