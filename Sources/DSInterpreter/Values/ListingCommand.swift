/// The command of a listing, from which the commands that show more of it are made.
struct ListingCommand: Sendable {
  /// The command that continues the last result.
  static let more = "more"

  let verb: String
  /// The bound name of the source.
  let source: String
  /// Whether the command names a section.
  let isOfOneSection: Bool
  /// `name, address.city`; nil without `columns:`.
  let columns: String?

  /// `show letters [3] from: [3, 10]`
  func text(section: Int? = nil, from place: [Int]? = nil, first: Int? = nil) -> String {
    var words = [verb, source]
    if let section { words.append("[\(section)]") }
    if let place { words.append("from: [\(place.map(String.init).joined(separator: ", "))]") }
    if let first { words.append("first: \(first)") }
    if let columns { words.append("columns: \(columns)") }
    return words.joined(separator: " ")
  }
}
