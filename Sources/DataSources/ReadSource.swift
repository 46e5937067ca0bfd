public import DataTables

/// A source whose objects were read from bytes, of a file or an answer.
public protocol ReadSource: DataSource {
  /// What was found when they were read; nil when none were.
  var report: LoadReport? { get }
  /// The objects; none before they were read.
  var table: any Table { get }
}

extension SimpleSource: ReadSource {}
