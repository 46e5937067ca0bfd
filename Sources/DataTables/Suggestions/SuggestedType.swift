/// The type that the values of a column have with other labels: real with `thousands: ","`.
package struct SuggestedType: Sendable {
  package let type: ColumnType
  /// The labels, one for each way to read the values, the most likely first; not empty.
  package let labels: [SuggestedLabels]

  func isSame(as other: Self) -> Bool {
    type == other.type && labels.map(\.text) == other.labels.map(\.text)
  }
}
