/// Takes secrets out of what is kept of exchanges.
///
/// It knows the names of secrets, and every secret that a request was seen to carry; of these all
/// occurrences go, also percent-encoded, escaped and in base64.
struct Redactor: Sendable {
  /// What stands in the place of a secret.
  static let mark = "REDACTED"

  private var secrets: Set<[UInt8]> = []
  private var needles: [SecretNeedle] = []
  /// By the first byte of a place, whether any secret can begin there.
  private var canBegin = [Bool](repeating: false, count: 256)

  /// Remembers the secrets of a request.
  /// - Returns: Whether there was one that was not known.
  mutating func learn(from request: TransportRequest) -> Bool {
    let known = secrets.count
    for parameter in request.query { learn(parameter, isNamed: SecretNames.queriesContain) }
    for header in request.headers { learn(header, isNamed: SecretNames.contains) }
    for part in RequestURL(request.url).query where SecretNames.queriesContain(part.name) {
      add(part.value, least: Self.tellingLength)
    }
    if let credentials = Self.credentials(in: request.url).map({ request.url[$0] }) {
      let password = credentials.drop { $0 != ":" }.dropFirst()
      add(EncodedBytes.text(of: password), least: Self.tellingLength)
    }
    guard secrets.count > known else { return false }
    // The longest first, so that one that is part of another leaves nothing of that.
    needles = secrets.flatMap(SecretNeedle.forms).sorted { $0.count > $1.count }
    for needle in needles { for byte in needle.firstBytes { canBegin[Int(byte)] = true } }
    return true
  }

  /// What nobody marked as secret is looked for elsewhere only when it is no everyday word.
  private static let tellingLength = 8

  private mutating func learn(_ parameter: RequestParameter, isNamed: (String) -> Bool) {
    var least = 1
    if case .plain = parameter.value {
      guard isNamed(parameter.name) else { return }
      least = Self.tellingLength
    }
    let text = parameter.value.sent
    add(text, least: least)
    // `Bearer TOKEN` and `Basic BASE64` are secret without their first word as well.
    guard let space = text.firstIndex(of: " ") else { return }
    let rest = text[space...].drop { $0 == " " }
    add(String(rest), least: max(least, 4))
    guard let bytes = Base64.decoded(rest), let login = String(validating: bytes, as: UTF8.self)
    else { return }
    add(login, least: max(least, 4))
    add(String(login.drop { $0 != ":" }.dropFirst()), least: max(least, 4))
  }

  private mutating func add(_ text: String, least: Int) {
    // Headers lose the white space around them on their way.
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    let trimmed = Array(text.utf8.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    if !trimmed.isEmpty, trimmed.count >= least { secrets.insert(trimmed) }
  }

  /// Where somebody's name and password stand in a URL.
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
    return redacted(url)
  }

  func redacted(_ text: String) -> String {
    String(decoding: redacted(Array(text.utf8), cuts: []).bytes, as: UTF8.self)
  }

  /// A body without secrets; its `cuts`, the places where its pieces end, move along with it.
  func redacted(_ bytes: [UInt8], cuts: [Int]) -> (bytes: [UInt8], cuts: [Int]) {
    let replacements = Replacement.merged(NamedSecrets(in: bytes).found + known(in: bytes))
    guard !replacements.isEmpty else { return (bytes, cuts) }
    var result: [UInt8] = []
    var moved: [Int] = []
    var taken = 0
    var rest = cuts[...]
    for replacement in replacements {
      while let cut = rest.first, cut <= replacement.range.lowerBound {
        moved.append(result.count + cut - taken)
        rest = rest.dropFirst()
      }
      result += bytes[taken..<replacement.range.lowerBound]
      result += (replacement.isQuoted ? "\"\(Self.mark)\"" : Self.mark).utf8
      taken = replacement.range.upperBound
      while let cut = rest.first, cut <= taken {
        moved.append(result.count)
        rest = rest.dropFirst()
      }
    }
    moved += rest.map { result.count + $0 - taken }
    result += bytes[taken...]
    return (result, moved)
  }

  private func known(in bytes: [UInt8]) -> [Replacement] {
    guard !needles.isEmpty else { return [] }
    let mark = Array(Self.mark.utf8)
    var found: [Replacement] = []
    var place = 0
    while place < bytes.count {
      // What was taken out before is not taken apart again.
      if bytes[place] == mark[0], bytes[place...].starts(with: mark) {
        place += mark.count
        continue
      }
      guard canBegin[Int(bytes[place])],
        let range = needles.lazy.compactMap({ $0.range(in: bytes, at: place) }).first
      else {
        place += 1
        continue
      }
      found.append(Replacement(found: range, in: bytes))
      place = range.upperBound
    }
    return found
  }
}
