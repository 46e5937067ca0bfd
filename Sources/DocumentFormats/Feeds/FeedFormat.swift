import DataTables

/// RSS and Atom: the items or entries are the rows.
///
/// Titles, texts, links and dates have the same form in all feeds: see ``FeedItem``. `format: xml`
/// with `rows:` reads the elements as they are.
struct FeedFormat: TableFormat {
  let names = ["rss", "atom"]
  let extensions = ["rss", "atom"]
  let mediaTypes = ["application/rss+xml", "application/atom+xml"]
  let options: [ReadOption] = ReadOption.cellTypes + [.encoding, .strict]

  func recognize(_ sample: FormatSample) -> Recognition {
    if Kind(sample) != nil { return .certain }
    return MarkupStart(sample).isPossible ? .ifNamed : .impossible
  }

  func read(_ input: FormatInput) throws -> LoadedTable {
    guard let kind = Kind(try input.sample()) else {
      throw TableError.format(
        "the file is not an RSS or Atom feed: expected an element `rss` or `feed`",
        at: TextPosition(line: 1, column: 1))
    }
    var reader = XMLReader(bytes: input.bytes)
    reader.rows = kind.rows
    reader.allowsNoRows = true
    reader.encoding = input.options.encoding
    reader.limits = input.options.limits
    reader.cancellation = input.cancellation
    var content = try reader.read()
    let links = FeedItem.linksKey(in: content.rows)
    content.rows = content.rows.map { FeedItem($0, linksKey: links).value }
    return try content.table(named: kind.rawValue, input)
  }

  private enum Kind: String {
    case rss = "RSS"
    case rdf = "RSS 1.0"
    case atom = "Atom"

    init?(_ sample: FormatSample) {
      switch MarkupStart(sample).root {
      case "rss": self = .rss
      case "rdf:RDF" where sample.contains("http://purl.org/rss/1.0/"): self = .rdf
      case "feed" where sample.contains("http://www.w3.org/2005/Atom"): self = .atom
      default: return nil
      }
    }

    /// The path of the items.
    var rows: String {
      switch self {
      case .rss: "/rss/channel/item"
      case .rdf: "/rdf:RDF/item"
      case .atom: "/feed/entry"
      }
    }
  }
}

extension FormatSample {
  /// Whether the first bytes contain an ASCII text, in an encoding with one or more bytes for each
  /// character.
  fileprivate func contains(_ text: String) -> Bool {
    let plain = String(decoding: bytes.lazy.filter { $0 != 0 && $0 < 0x80 }, as: UTF8.self)
    return plain.contains(text)
  }
}
