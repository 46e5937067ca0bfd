/// Distinct names of people in Latin script, some with accents, some with a number.
struct Names {
  private static let syllables = [
    "an", "Bel", "ca", "dór", "El", "fi", "gre", "Ha", "ís", "jo", "Ka", "lu", "mä", "Nil", "o",
    "per", "Qui", "ra", "Sø", "ta", "Ul", "vé", "wen", "Xa", "yl", "Zü", "bo", "Chi", "do", "ñe",
    "Fra", "gi",
  ]

  /// The name of a number below 2^25.
  static func name(_ number: Int) -> String {
    // An odd factor keeps distinct numbers distinct and separates neighbors.
    let scattered = number &* 20_371_529 & 0x1FF_FFFF
    let parts = stride(from: 0, to: 25, by: 5).map { syllables[scattered >> $0 & 31] }
    let name = "\(parts[0])\(parts[1]) \(parts[2])-\(parts[3])-\(parts[4])"
    return number % 8 == 0 ? name + " \(scattered % 1000)" : name
  }
}
