import DataTables
import DisplayText

/// A part of a suite that no test uses, so that its change would go unseen.
package struct UnusedPart: Sendable, Equatable {
  package let path: String
  /// nil for a whole file.
  package let line: Int?
  /// One clause with the fix.
  package let message: String

  /// `shop.cassette:12: warning: no test requests GET …`
  /// - Parameter isStrict: whether unused parts are errors.
  func text(isStrict: Bool) -> String {
    let place = line.map { "\(path):\($0)" } ?? path
    return "\(place): \(isStrict ? "error" : "warning"): \(message)".escapingControls()
  }

  var value: Value {
    [
      "path": .string(path), "line": line.map(Value.integer) ?? .null,
      "message": .string(message),
    ]
  }
}
