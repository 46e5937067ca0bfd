import DataSources
import DataTables

/// Values, key paths, predicates and settings as Swift code that uses the libraries.
enum LibraryLiteral {
  static func value(_ value: Value) -> Argument { Self.value(value) { _ in nil } }

  /// - Parameter replacement: the expression in place of a string; nil for its literal.
  static func value(_ value: Value, replacement: (String) -> Argument?) -> Argument {
    switch value {
    case .null: "nil"
    case .bool(let bool): .text("\(bool)")
    case .integer(let integer): .text("\(integer)")
    case .string(let string): replacement(string) ?? .text(SwiftLiteral.string(string))
    case .real(let real): number(real)
    case .date(let date): .text(written(date))
    case .data(let bytes): .text(".data([" + bytes.map(String.init).joined(separator: ", ") + "])")
    case .array(let elements):
      .list(elements.map { Self.value($0, replacement: replacement) })
    case .record(let record) where record.count == 0: "[:]"
    case .record(let record):
      .list(
        zip(record.keys, record.values).map {
          Self.value($1, replacement: replacement).labeled(SwiftLiteral.string($0))
        })
    }
  }

  private static func number(_ real: Real) -> Argument {
    // The literal keeps the text, unless it is in a notation of its own, such as `1,234.5`.
    if case .real(let same) = Value(literal: real.text), same == real {
      return .text("Value(literal: \(SwiftLiteral.string(real.text)))")
    }
    if real.value.isNaN { return ".real(Real(.nan))" }
    if real.value.isInfinite { return .text(".real(Real(\(real.value < 0 ? "-" : "").infinity))") }
    return .text("Value(literal: \"\(Value.real(real).json)\")")
  }

  private static func written(_ date: Timestamp) -> String {
    "Value(literal: \(SwiftLiteral.string(Value.date(date).typed)))"
  }

  static func values(_ values: [Value]) -> Argument { .list(values.map(value)) }

  static func path(_ path: ObjectKeyPath) -> Argument {
    if path.steps.isEmpty { return "ObjectKeyPath([])" }
    return .text("try ObjectKeyPath(parsing: \(SwiftLiteral.string(path.description)))")
  }

  /// A key path where `try` is already written.
  private static func bare(_ path: ObjectKeyPath) -> String {
    let text = self.path(path).line
    return text.hasPrefix("try ") ? String(text.dropFirst(4)) : text
  }

  static func paths(_ paths: [ObjectKeyPath]) -> Argument { .list(paths.map(path)) }

  static func sort(_ descriptors: [SortDescriptor]) -> Argument {
    .list(descriptors.map(descriptor))
  }

  private static func descriptor(_ descriptor: SortDescriptor) -> Argument {
    var arguments = [path(descriptor.keyPath)]
    if !descriptor.list.isEmpty { arguments.append(values(descriptor.list).labeled("in")) }
    if descriptor.direction == .descending { arguments.append("direction: .descending") }
    if descriptor.comparison != .compare {
      arguments.append(.text("comparison: .\(descriptor.comparison.rawValue)"))
    }
    if let nulls = descriptor.nulls { arguments.append(.text("nulls: .\(nulls.rawValue)")) }
    if let locale = descriptor.locale {
      arguments.append(.text("locale: \(SwiftLiteral.string(locale))"))
    }
    return .call("SortDescriptor(", arguments)
  }

  static func indexTitles(_ titles: IndexTitles) -> Argument {
    switch titles {
    case .firstCharacter: ".firstCharacter"
    case .initials: ".initials"
    case .keyPath(let path): .call(".keyPath(", [Self.path(path)])
    case .list(let titles): .call(".list(", [values(titles.map(Value.string))])
    }
  }

  static func zone(_ zone: Zone) -> String {
    zone == .gmt ? ".gmt" : "try Zone(parsing: \(SwiftLiteral.string(zone.description)))"
  }

  /// `.seconds(2)`, `.seconds(0.25)`
  static func duration(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    return Int(exactly: seconds).map { ".seconds(\($0))" } ?? ".seconds(\(seconds))"
  }

  static func faults(_ faults: Faults) -> Argument {
    var arguments: [Argument] = []
    if faults.delay > .zero { arguments.append(.text("delay: \(duration(faults.delay))")) }
    if !faults.failing.isEmpty {
      arguments.append(
        Argument.list(
          faults.failing.map { .text("FailingAttempt(.\($0.unit.rawValue), \($0.number))") }
        ).labeled("failing"))
    }
    if let rate = faults.rate {
      arguments.append(.text("rate: FailureRate(\(rate.rate), seed: \(rate.seed))"))
    }
    return .call("Faults(", arguments)
  }

  static func order(_ order: GroupOrder) -> Argument {
    if !order.titles.isEmpty {
      return .call("GroupOrder(", [values(order.titles).labeled("titles")])
    }
    var arguments: [Argument] = [.text(".\(order.criterion.rawValue)")]
    if order.direction == .descending { arguments.append("direction: .descending") }
    if order.comparison != .compare {
      arguments.append(.text("comparison: .\(order.comparison.rawValue)"))
    }
    if let locale = order.locale {
      arguments.append(.text("locale: \(SwiftLiteral.string(locale))"))
    }
    return .call("GroupOrder(", arguments)
  }

  // MARK: Predicates

  static func predicate(_ predicate: Predicate) -> Argument {
    switch predicate {
    case .comparison(let comparison):
      .call(
        ".comparison(",
        [
          .call(
            "try Predicate.Comparison(",
            [
              operand(comparison.left), .text(self.operator(comparison.operator)),
              operand(comparison.right),
            ])
        ])
    case .boolean(let operand): .call(".boolean(", [Self.operand(operand)])
    case .not(let predicate): .call(".not(", [Self.predicate(predicate)])
    case .and(let parts): .call(".and(", [.list(parts.map(Self.predicate))])
    case .or(let parts): .call(".or(", [.list(parts.map(Self.predicate))])
    }
  }

  private static func `operator`(_ operation: ComparisonOperator) -> String {
    var arguments = [".\(operation.kind)"]
    let options: [(ComparisonOperator.Options, String)] = [
      (.caseInsensitive, ".caseInsensitive"), (.diacriticInsensitive, ".diacriticInsensitive"),
      (.normalized, ".normalized"), (.localized, ".localized"),
    ]
    let given = options.filter { operation.options.contains($0.0) }.map(\.1)
    if !given.isEmpty { arguments.append("options: [\(given.joined(separator: ", "))]") }
    if let quantifier = operation.quantifier { arguments.append("quantifier: .\(quantifier)") }
    return "ComparisonOperator(\(arguments.joined(separator: ", ")))"
  }

  private static func operand(_ operand: Predicate.Operand) -> Argument {
    switch operand {
    case .value(let value): .call(".value(", [Self.value(value)])
    case .object: ".object"
    case .key(let path): .text(".key(\(bare(path)))")
    case .path(let operand, let path):
      .call(".path(", [Self.operand(operand), .text(bare(path))])
    case .array(let operands): .call(".array(", [.list(operands.map(Self.operand))])
    case .record(let pairs):
      .call(
        ".record(",
        [
          .list(
            pairs.map { pair in
              .call(
                "(",
                [
                  .text("key: \(SwiftLiteral.string(pair.key))"),
                  Self.operand(pair.value).labeled("value"),
                ])
            })
        ])
    case .predicate(let predicate): .call(".predicate(", [Self.predicate(predicate)])
    case .call(let function, let operands):
      .call(
        ".call(",
        [
          .text("try ValueFunction(named: \(SwiftLiteral.string(function.name)))"),
          .list(operands.map(Self.operand)),
        ])
    case .conditional(let condition, let first, let second):
      .call(
        ".conditional(",
        [Self.predicate(condition), Self.operand(first), Self.operand(second)])
    case .variable(let name): .text(".variable(\(SwiftLiteral.string(name)))")
    case .subquery(let subquery):
      .call(
        ".subquery(",
        [
          .call(
            "Predicate.Subquery(",
            [
              Self.operand(subquery.list), .text(SwiftLiteral.string(subquery.variable)),
              Self.predicate(subquery.predicate),
            ])
        ])
    }
  }
}
