import DataTables

// Values as other languages write them, which are answered with the value in this one.
extension Parser {
  /// The error of a range such as `1...3` or `1..3`; nil for other words.
  func rangeMistake(_ token: Token) -> Diagnostic? {
    // Most words are names or short numbers, which are not searched.
    guard token.end - token.start >= 4, let first = scanner.byte(at: token.start),
      Self.isDigit(first) || first == UInt8(ascii: "-")
    else { return nil }
    let text = span(token).text
    guard let dots = text.firstRange(of: ".."), let lower = Int(text[..<dots.lowerBound]),
      let upper = Int(text[dots.upperBound...].drop { $0 == "." })
    else { return nil }
    // A long list is only shown in its form.
    let (distance, isTooLarge) = upper.subtractingReportingOverflow(lower)
    let elements = !isTooLarge && (0..<10).contains(distance) ? Array(lower...upper) : [1, 2, 3]
    let list = elements.map(String.init).joined(separator: ", ")
    return error("`\(text)` is not a list; write its elements: `[\(list)]`", at: token)
  }

  /// The error of a number with a decimal comma, at the comma; nil for other commas.
  func decimalCommaMistake(_ comma: Token) -> Diagnostic? {
    guard comma.is(","), comma.start > 0 else { return nil }
    let bytes = scanner.script.bytes
    var start = comma.start
    while start > 0, Self.isDigit(bytes[start - 1]) { start -= 1 }
    var end = comma.end
    while let byte = scanner.byte(at: end), Self.isDigit(byte) { end += 1 }
    // Three numbers are a list.
    guard start < comma.start, end > comma.end, scanner.byte(at: end) != UInt8(ascii: ",") else {
      return nil
    }
    let number = scanner.span(start..<end)
    return Diagnostic(
      .syntax,
      "a number has a decimal point: write `\(number.text.replacing(",", with: "."))`", at: number)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// The error of a command without parentheses in an expression, as in `expect count foods == 12`;
  /// nil if the expression before a word is not the name of a command.
  func commandWithoutParentheses(_ expression: Expression, before word: Token) -> Diagnostic? {
    guard word.kind == .word, case .name(let name) = expression.kind,
      commands.synopsis(of: name) != nil
    else { return nil }
    var scanner = scanner
    scanner.offset = word.start
    var end = word.end
    while let token = try? scanner.next(.expression), token.kind == .word || token.is("[") {
      if token.is("[") {
        // An index path with a space before it.
        guard let index = scanner.touchingIndexEnd(at: token.start) else { break }
        scanner.offset = index
        end = index
      } else if ComparisonOperator.Kind(word: span(token).text) == nil,
        !token.isArithmetic(in: scanner.script),
        !["and", "or"].contains(span(token).text.lowercased())
      {
        end = token.end
      } else {
        break
      }
    }
    let command = scanner.script.string(expression.span.start..<end)
    return Diagnostic(
      .syntax, "put a command in an expression in parentheses: `(\(command))`",
      at: self.scanner.span(expression.span.start..<end))
  }
}
