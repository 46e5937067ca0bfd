public import DataTables

/// A table in an order, cut into sections.
public struct LocalStore: Sendable {
  public let table: any Table
}
