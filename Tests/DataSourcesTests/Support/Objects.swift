import DataSources
import DataTables

/// Records with one key.
func records(_ key: String, _ values: [Value]) -> [Value] {
  values.map { .record(Record([(key, $0)])) }
}

func path(_ text: String) throws -> ObjectKeyPath { try ObjectKeyPath(parsing: text) }

extension DataSource {
  /// Number of objects in each section.
  var sizes: [Int] {
    get throws {
      try (0..<numberOfSections).map { try numberOfObjects(inSection: $0) }
    }
  }
}
