public import DataTables

/// One event of a fetch, as `events` and `trace` show it.
public struct EventLine: Sendable {
  /// The name of the source.
  public let source: String
  /// The number of wrappers above the source.
  public let depth: Int
  /// `will`, `partial`, `finished`, `failed`.
  public let event: String
  /// `1 section, 12 objects`; for `partial` the child that ended or the number of bytes so far; for
  /// `failed` the reason.
  public let detail: String
  /// The same for programs.
  public let record: Record

  /// The name, indented by its depth; deep wrappers stay within a line.
  public var indentedSource: String {
    String(repeating: "  ", count: min(max(depth, 0), 16)) + source
  }

  /// `letters  finished  8 sections, 12 objects`, indented.
  public var text: String {
    ([indentedSource, event] + (detail.isEmpty ? [] : [detail])).joined(separator: "  ")
  }
}
