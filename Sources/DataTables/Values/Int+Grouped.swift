extension Int {
  /// The number with a comma after every three digits, as counts are displayed: `10,482`.
  package var grouped: String {
    if magnitude < 1_000 { return String(self) }
    let digits = Array(String(magnitude).utf8)
    var text: [UInt8] = self < 0 ? [UInt8(ascii: "-")] : []
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(UInt8(ascii: ",")) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// `1 byte`, `12,480 bytes`.
  package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }

  /// The decimal digits of a number that is not negative, with zeros before them up to a width:
  /// `07`.
  package func padded(to width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}
