import DataTables

/// An item of a feed in a form that does not depend on the kind of feed.
///
/// - A text with attributes such as `type` or `isPermaLink` is the text alone.
/// - `link` is the URL of the item. Links of Atom that say more are in `links`, or in
///   `links_2` if items have an element `links`.
/// - Dates in the form of RFC 822 become ISO 8601.
struct FeedItem {
  private let record: Value
  private let linksKey: String

  init(_ record: Value, linksKey: String) {
    self.record = record
    self.linksKey = linksKey
  }

  /// The key for the links of items: `links`, unless an item has an element of that name.
  static func linksKey(in items: [Value]) -> String {
    DocumentRows.freeKey(
      "links",
      in: items.lazy.map { item in
        if case .record(let record) = item { record.keys } else { [] }
      })
  }

  var value: Value {
    guard case .record(let record) = record else { return record }
    var pairs: [(String, Value)] = []
    for (key, value) in zip(record.keys, record.values) {
      switch key {
      case "link":
        pairs.append((key, Self.link(value)))
        if case .array(let links) = value, links.count > 1 { pairs.append((linksKey, value)) }
      case "pubDate", "published", "updated", "modified", "issued", "created", "dc:date":
        pairs.append((key, Self.date(Self.text(value))))
      case "title", "summary", "content", "description", "guid", "id", "rights", "name":
        pairs.append((key, Self.text(value)))
      default: pairs.append((key, value))
      }
    }
    return .record(Record(pairs))
  }

  /// Attributes that describe only the notation of a string.
  private static let attributes: Set<String> = ["type", "isPermaLink", "xml:lang", "xml:base"]

  private static func text(_ value: Value) -> Value {
    guard case .record(let record) = value, let text = record["text"] else { return value }
    return record.keys.allSatisfy { $0 == "text" || attributes.contains($0) } ? text : value
  }

  /// The URL of the page of the item: the link without a relation or with `rel="alternate"`, else
  /// the first one.
  private static func link(_ value: Value) -> Value {
    let links = if case .array(let links) = value { links } else { [value] }
    let page = links.first { link in
      guard case .record(let record) = link else { return true }
      return (record["rel"]?.string ?? "alternate") == "alternate"
    }
    guard let link = page ?? links.first else { return value }
    guard case .record(let record) = link else { return link }
    return record["href"] ?? text(link)
  }

  private static func date(_ value: Value) -> Value {
    guard let text = value.string, let moment = Moment(mailDate: text) else { return value }
    return .string(moment.isoText)
  }
}
