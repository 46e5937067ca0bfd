extension Duration {
  /// What `timer on` tells after a command: `12.3 ms`, a line.
  package var timeLine: String {
    let tenths = Int((self / .milliseconds(1) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) ms\n"
  }
}
