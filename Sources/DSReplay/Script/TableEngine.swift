/// Where the rows of a script's files are during a run (`#% matrix`).
package enum TableEngine: String, CaseIterable, Sendable {
  /// In the file, as without the directive.
  case csv
  case sqlite, postgres, clickhouse

  /// The facility that the engine needs; nil if it needs none.
  var facility: Facility? {
    switch self {
    case .csv: nil
    case .sqlite: .sqlite
    case .postgres: .postgres
    case .clickhouse: .clickhouse
    }
  }
}
