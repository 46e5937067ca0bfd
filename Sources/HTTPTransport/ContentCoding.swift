import DataSources

/// What was done to a body for the way.
enum ContentCoding: Equatable {
  case identity
  case compressed(Inflater.Format)
  /// Something nobody asked for, as the server names it.
  case other(String)

  /// What servers are told that they may send: both are cheap to undo a piece at a time.
  static let accepted = "gzip, deflate"

  init(of headers: [HeaderField]) {
    let values = headers.filter { $0.name.lowercased() == "content-encoding" }.map(\.value)
    let names = values.flatMap { $0.split(separator: ",") }
      .map { $0.filter { !$0.isWhitespace }.lowercased() }
      .filter { !$0.isEmpty && $0 != "identity" }
    switch names {
    case []: self = .identity
    case ["gzip"], ["x-gzip"]: self = .compressed(.gzip)
    case ["deflate"]: self = .compressed(.deflate)
    default: self = .other(names.joined(separator: ", "))
    }
  }
}
