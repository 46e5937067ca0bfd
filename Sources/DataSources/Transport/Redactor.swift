import DataTables

/// Replaces secrets in everything that is shown or stored.
///
/// It knows the names of secrets and learns the secrets of requests. It replaces the values of
/// these names, and all occurrences of the learned secrets in all forms of a ``SecretNeedle``.
struct Redactor: Sendable {
  /// The replacement of a secret.
  static let mark = "REDACTED"

  private let showsSymbols: Bool
  /// The minimum number of bytes of a `.secret` value that is searched for.
  private let minimumLength: Int
  /// The symbols that may be in place of a secret.
  private var symbols: Set<String> = []
  private var known: Set<[UInt8]> = []
  private var secrets: [(text: [UInt8], mark: String)] = []
  private var needles: [(form: SecretNeedle, mark: String)] = []
  /// Longest first.
  private var marks = [Array(mark.utf8)]
  /// Whether a secret can begin with a byte, for each byte.
  private var canBegin = [Bool](repeating: false, count: 256)

  /// - Parameters:
  ///   - showsSymbols: whether a secret is replaced by its symbol, as in output. A cassette
  ///     contains no symbols, because it may be replayed with other names.
  ///   - minimumLength: the minimum number of bytes of a `.secret` value that is searched for.
  init(showsSymbols: Bool = false, minimumLength: Int = 1) {
    self.showsSymbols = showsSymbols
    self.minimumLength = minimumLength
  }

  /// Learns the secrets of a request.
  /// - Returns: Whether one of them was new.
  mutating func learn(from request: TransportRequest) -> Bool {
    let earlier = secrets.count
    defer {
      marks = Set(symbols + [Self.mark]).map { Array($0.utf8) }
      marks.sort { $0.count > $1.count }
    }
    for parameter in request.query { learn(parameter, isNamed: SecretNames.queriesContain) }
    for header in request.headers + request.withheld + request.identity.secrets {
      learn(header, isNamed: SecretNames.contains)
    }
    for secret in request.body?.secrets ?? [] {
      learn(RequestParameter("", secret), isNamed: SecretNames.contains)
    }
    if let object = request.body?.object { learn(valuesOf: .record(object)) }
    for part in RequestURL(request.url).query where SecretNames.queriesContain(part.name) {
      add(part.value, minimum: Self.minimumNamedLength)
    }
    if let credentials = Self.credentials(in: request.url).map({ request.url[$0] }) {
      let password = credentials.drop { $0 != ":" }.dropFirst()
      add(PercentEncoding.text(of: password), minimum: Self.minimumNamedLength)
      // The login is sent in base64, and a user name without a password can be a token.
      add(PercentEncoding.text(of: credentials), minimum: Self.minimumNamedLength)
    }
    guard secrets.count > earlier else { return false }
    // Longest first: a secret that contains another secret must be replaced as a whole.
    needles = secrets.flatMap { secret in
      SecretNeedle.forms(of: secret.text).map { ($0, secret.mark) }
    }
    needles.sort { $0.form.count > $1.form.count }
    for needle in needles { for byte in needle.form.firstBytes { canBegin[Int(byte)] = true } }
    return true
  }

  /// The minimum number of bytes of a value that only its name marks as secret: a shorter value may
  /// be a common word.
  private static let minimumNamedLength = 8

  /// Learns the strings and numbers under names of secrets in a body.
  private mutating func learn(valuesOf value: Value, isSecret: Bool = false) {
    switch value {
    case .record(let record):
      for (key, member) in zip(record.keys, record.values) {
        learn(valuesOf: member, isSecret: isSecret || SecretNames.contains(key))
      }
    case .array(let elements):
      for element in elements { learn(valuesOf: element, isSecret: isSecret) }
    case .null, .bool: break
    default:
      if isSecret { add(value.parameterText, minimum: Self.minimumNamedLength) }
    }
  }

  private mutating func learn(_ parameter: RequestParameter, isNamed: (String) -> Bool) {
    var minimum = minimumLength
    var mark = Self.mark
    switch parameter.value {
    case .plain:
      guard isNamed(parameter.name) else { return }
      minimum = Self.minimumNamedLength
    case .secret(_, let symbol):
      if showsSymbols, !symbol.isEmpty {
        mark = symbol
        symbols.insert(symbol)
      }
    case .missing(let symbol):
      if showsSymbols, !symbol.isEmpty { symbols.insert(symbol) }
      return
    }
    let text = parameter.value.sent
    add(text, minimum: minimum, mark: mark)
    // The rest of `Bearer TOKEN` and `Basic BASE64` is a secret too.
    guard let space = text.firstIndex(of: " ") else { return }
    let rest = text[space...].drop { $0 == " " }
    add(String(rest), minimum: max(minimum, 4), mark: mark)
    guard let bytes = Base64.decoded(rest), let login = String(validating: bytes, as: UTF8.self)
    else { return }
    add(login, minimum: max(minimum, 4), mark: mark)
    add(String(login.drop { $0 != ":" }.dropFirst()), minimum: max(minimum, 4), mark: mark)
  }

  private mutating func add(_ text: String, minimum: Int, mark: String = Self.mark) {
    // Headers lose surrounding white space in transit.
    let reversed = text.utf8.drop(while: \.isSpace).reversed().drop(while: \.isSpace)
    let trimmed = Array(reversed.reversed())
    guard !trimmed.isEmpty, trimmed.count >= minimum, known.insert(trimmed).inserted else { return }
    secrets.append((trimmed, mark))
  }

  /// The range of the user and password in a URL.
  private static func credentials(in url: String) -> Range<String.Index>? {
    guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { return nil }
    let authority = url[colon...].dropFirst(3).prefix { !"/?#".contains($0) }
    guard let sign = authority.lastIndex(of: "@") else { return nil }
    return authority.startIndex..<sign
  }
}

extension Redactor {
  /// A URL without secrets.
  func redacted(url: String) -> String {
    var url = url
    if let credentials = Self.credentials(in: url) {
      url.replaceSubrange(credentials, with: Self.mark)
    }
    let bytes = Array(url.utf8)
    let found = URLSecrets(in: bytes).found.filter { !isSymbol(at: $0, in: bytes) }
    return String(decoding: redacted(bytes, cuts: [], besides: found).bytes, as: UTF8.self)
  }

  func redacted(_ text: String) -> String {
    String(decoding: redacted(Array(text.utf8), cuts: []).bytes, as: UTF8.self)
  }

  /// A body without secrets, and the ends of its pieces (`cuts`), moved to match.
  ///
  /// - Parameter found: the places of secrets that the caller has found.
  func redacted(
    _ bytes: [UInt8], cuts: [Int], besides found: [Replacement] = []
  ) -> (bytes: [UInt8], cuts: [Int]) {
    let replacements = Replacement.merged(found + named(in: bytes) + learned(in: bytes))
    guard !replacements.isEmpty else { return (bytes, cuts) }
    var result: [UInt8] = []
    var moved: [Int] = []
    var copied = 0
    var rest = cuts[...]
    for replacement in replacements {
      while let cut = rest.first, cut <= replacement.range.lowerBound {
        moved.append(result.count + cut - copied)
        rest = rest.dropFirst()
      }
      result += bytes[copied..<replacement.range.lowerBound]
      result += (replacement.isQuoted ? "\"\(replacement.mark)\"" : replacement.mark).utf8
      copied = replacement.range.upperBound
      while let cut = rest.first, cut <= copied {
        moved.append(result.count)
        rest = rest.dropFirst()
      }
    }
    moved += rest.map { result.count + $0 - copied }
    result += bytes[copied...]
    return (result, moved)
  }

  /// The values of secret names, except symbols.
  private func named(in bytes: [UInt8]) -> [Replacement] {
    NamedSecrets(in: bytes).found.filter { !isSymbol(at: $0, in: bytes) }
  }

  private func isSymbol(at found: Replacement, in bytes: [UInt8]) -> Bool {
    symbols.contains { bytes[found.range.lowerBound...].starts(with: $0.utf8) }
  }

  private func learned(in bytes: [UInt8]) -> [Replacement] {
    guard !needles.isEmpty else { return [] }
    var found: [Replacement] = []
    var place = 0
    while place < bytes.count {
      // A mark is never replaced again, not even in part.
      if let length = marks.first(where: { bytes[place...].starts(with: $0) })?.count {
        place += length
        continue
      }
      guard canBegin[Int(bytes[place])], let (range, mark) = secret(in: bytes, at: place) else {
        place += 1
        continue
      }
      found.append(Replacement(found: range, in: bytes, mark: mark))
      place = range.upperBound
    }
    return found
  }

  private func secret(in bytes: [UInt8], at place: Int) -> (range: Range<Int>, mark: String)? {
    for needle in needles {
      if let range = needle.form.range(in: bytes, at: place) { return (range, needle.mark) }
    }
    return nil
  }
}
