extension Double {
  /// Seconds as messages write them, to the millisecond: `60 s`, `0.25 s`.
  package var writtenAsSeconds: String {
    guard abs(self) < 1e12 else { return "\(self) s" }
    let seconds = (self * 1000).rounded() / 1000
    return seconds.rounded() == seconds ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
