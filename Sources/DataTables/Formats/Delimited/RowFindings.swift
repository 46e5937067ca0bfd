/// Irregular rows and comments found between the regular rows.
struct RowFindings: Sendable {
  var rejects: [RejectedRow] = []
  var padded = 0
  /// Offset and number of fields of the first padded row.
  var firstPadded: (offset: Int, fields: Int)?
  var comments = 0
  /// The offset of a CR in an irregular row, where it may be a line end.
  var loneReturn: Int?
  /// Rejected lines that may continue the entry before.
  var continuations = 0
  /// Lines that continue a row.
  var continued = 0
  /// Keys in lines that the fields lack, with the offsets of these lines.
  var newKeys: [(key: String, offset: Int)] = []
}
