public import DataTables

extension FormatTable {
  /// The formats of documents, which need a library.
  public static let documents: [any TableFormat] = [
    XMLFormat(), FeedFormat(), HTMLFormat(), PropertyListFormat(), YAMLFormat(),
    XLSXFormat(),
  ]
}
