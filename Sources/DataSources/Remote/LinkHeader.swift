/// The links in the headers of a response (RFC 8288).
enum LinkHeader {
  /// The target of the first link with the relation `next`, as written; nil without one.
  static func next(in headers: [HeaderField]) -> String? {
    headers.lazy.filter { $0.name.lowercased() == "link" }.compactMap { next(in: $0.value) }.first
  }

  private static func next(in value: String) -> String? {
    var rest = value[...]
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      let target = rest[rest.index(after: open)..<close]
      let (parameters, end) = parameters(of: rest[rest.index(after: close)...])
      if parameters.contains(where: isNext) { return String(target) }
      rest = rest[end...]
    }
    return nil
  }

  /// The parameters between semicolons, up to the comma before the next link.
  private static func parameters(
    of text: Substring
  ) -> (parameters: [String], end: Substring.Index) {
    var parameters: [String] = []
    var part = ""
    var isQuoted = false
    var index = text.startIndex
    loop: while index < text.endIndex {
      switch text[index] {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: break loop
      case ";" where !isQuoted:
        parameters.append(part)
        part = ""
      case let character where isQuoted || !character.isWhitespace: part.append(character)
      default: break
      }
      index = text.index(after: index)
    }
    return (parameters + [part], index)
  }

  private static func isNext(_ parameter: String) -> Bool {
    guard let equals = parameter.firstIndex(of: "="), parameter[..<equals].lowercased() == "rel"
    else { return false }
    return parameter[parameter.index(after: equals)...].split(separator: " ")
      .contains { $0.lowercased() == "next" }
  }
}
