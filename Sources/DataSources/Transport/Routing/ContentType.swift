/// What files hold, by their extensions.
enum ContentType {
  private static let types = [
    "csv": "text/csv; charset=utf-8", "html": "text/html; charset=utf-8",
    "json": "application/json", "jsonl": "application/x-ndjson", "ndjson": "application/x-ndjson",
    "tab": "text/tab-separated-values; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8", "txt": "text/plain; charset=utf-8",
    "xml": "application/xml",
  ]

  static func ofFile(named path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    let parts = name.split(separator: ".")
    let ending = parts.count > 1 ? parts.last?.lowercased() : nil
    return ending.flatMap { types[$0] } ?? "application/octet-stream"
  }
}
