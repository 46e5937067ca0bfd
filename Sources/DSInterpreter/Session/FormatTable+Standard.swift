package import DataTables

extension FormatTable {
  /// The formats of the language.
  package static let standard = FormatTable.core
}
