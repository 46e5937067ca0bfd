import DataSources
import DataTables

/// The labels of `limit`, and `limit:`, which only `set` accepts.
struct LimitSettings: SourceSettings {
  private static let limit = Label(
    "limit", .positiveInteger, "maximum number of objects", example: "100")
  private static let offset = Label(
    "offset", .nonNegativeInteger, "number of objects to leave out before them", example: "20")
  static let verbLabels = [offset]
  static let labels = [limit] + verbLabels

  private let limit: Argument?
  private let offset: Argument?

  init(parsing arguments: Arguments) throws {
    try self.init(parsing: arguments, limit: try arguments[Self.limit])
  }

  init(parsing arguments: Arguments, limit: Argument?) throws {
    self.limit = limit
    offset = try arguments[Self.offset]
  }

  func set(
    _ source: LimitedSource, over inner: any DataSource, in session: inout Session
  ) async throws {
    let newLimit = try limit.map { try $0.requiredInteger() } ?? source.limit
    let newOffset = try offset.map { try $0.isNull ? 0 : $0.integer() } ?? source.offset
    (source.limit, source.offset) = (newLimit, newOffset)
  }
}

extension Argument {
  /// An integer of a setting without a default.
  func requiredInteger() throws -> Int {
    if isNull { throw mismatch() }
    return try integer()
  }
}
