import DSInterpreter
import DataTables

extension CapturedOutput {
  /// For another process: the lines, and of errors what is said of them.
  var value: Value {
    [
      "output": .array(output.map(Value.string)), "errors": .array(errors.map(Value.string)),
      "failures": .array(
        failures.map { .array([.string($0.kind.rawValue), .string($0.message)]) }),
    ]
  }

  init?(_ value: Value) {
    guard case .record(let record) = value, let output = record["output"]?.strings,
      let errors = record["errors"]?.strings, case .array(let failures) = record["failures"]
    else { return nil }
    self.output = output
    self.errors = errors
    self.failures = failures.compactMap { failure in
      guard let words = failure.strings, words.count == 2, let kind = ErrorKind(rawValue: words[0])
      else { return nil }
      return Diagnostic(kind, words[1])
    }
  }
}

extension Value {
  fileprivate var strings: [String]? {
    guard case .array(let values) = self else { return nil }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}
