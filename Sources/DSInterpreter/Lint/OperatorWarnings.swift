import DataSources
import DataTables

// Warnings about the values that collection operators reduce.
extension Session {
  /// Warns about a collection operator: `@sum` of strings, `@avg` of missing values.
  ///
  /// - Parameter source: the source whose objects have the values; nil for other values.
  mutating func warn(about use: OperatorUse, of source: (any DataSource)?) throws {
    if let warning = try warning(about: use, of: source) { warn(warning) }
    guard use.kind == .average, use.findings.missing > 0, use.findings.others == 0 else { return }
    let average = use.path(with: .average)
    guard !hasWarned(ofAverage: average.description, in: source) else { return }
    warn(averageWarning(use))
  }

  private func averageWarning(_ use: OperatorUse) -> String {
    let missing = use.findings.missing
    return "`\(use.path(with: .average))` counts \(counted(missing, "missing value")) as 0, as "
      + "key-value coding does; `\(use.path(with: .mean))` leaves \(missing == 1 ? "it" : "them") out"
  }

  /// Whether the warning about an average was given before for the source, or for a value that
  /// belongs to no source; remembers it.
  private mutating func hasWarned(ofAverage path: String, in source: (any DataSource)?) -> Bool {
    guard let source else { return !averagesWarnedAbout.insert(path).inserted }
    if reportedWarnings.contains(where: { $0.source === source && $0.warning == path }) {
      return true
    }
    reportedWarnings.append(ReportedWarning(source: source, warning: path))
    return false
  }

  /// The warning about values that the operator cannot use; nil without any.
  func warning(about use: OperatorUse, of source: (any DataSource)?) throws -> String? {
    let findings = use.findings
    if findings.others == 0, findings.isTooLarge { return sizeWarning(use) }
    guard findings.others > 0, let example = findings.example else { return nil }
    let path = use.path(with: use.kind)
    let types = findings.otherTypes.sorted().map { "\($0)s" }.joined(separator: " and ")
    if use.kind.isNumeric {
      let count =
        findings.numbers == 0
        ? ""
        : " in \(findings.others.grouped) of \((findings.count - findings.missing).grouped) values"
      return "`\(path)` is null, because \(use.owner) \(types)\(count), such as "
        + "\(example.excerpt)" + (try fix(for: use, of: source))
    }
    if findings.numbers > 0 || findings.otherTypes.count > 1 {
      let all = (findings.numbers > 0 ? ["numbers"] : []) + [types]
      return "`\(path)` compares \(all.joined(separator: " and ")), which sort by type"
        + (try fix(for: use, of: source))
    }
    guard try findings.othersAreNumerals || suggestedLabels(for: use, of: source) != nil else {
      return nil
    }
    return "`\(path)` compares strings, such as \(example.excerpt), character by character, not as "
      + "numbers" + (try fix(for: use, of: source))
  }

  /// The warning about a result that is too large for a double.
  private func sizeWarning(_ use: OperatorUse) -> String {
    let path = use.path(with: use.kind)
    if use.kind == .sum {
      return "`\(path)` is null, because the sum is outside of ±1.8e308; write "
        + "`\(use.path(with: .mean))` to compute the average"
    }
    return "`\(path)` is null, because a number is outside of ±1.8e308; write "
      + "`\(use.path(with: .minimum))` or `\(use.path(with: .maximum))` to find it"
  }

  private func fix(for use: OperatorUse, of source: (any DataSource)?) throws -> String {
    if let labels = try suggestedLabels(for: use, of: source) { return "; \(labels)" }
    guard use.findings.othersAreNumerals else { return "" }
    if let source, let label = typesLabel(.real, for: use.rest, of: source) { return "; \(label)" }
    let path = ObjectKeyPath(
      [.collection(use.kind)] + use.rest.steps + [.key("number")])
    return "; write `\(path)` to compute with numbers"
  }
}

extension Session {
  /// Advice to read strings as numbers with the labels that the report of their column suggests.
  private func suggestedLabels(
    for use: OperatorUse, of source: (any DataSource)?
  ) throws(TableError) -> String? {
    guard use.findings.numbers == 0, use.findings.otherTypes == [.string], let source else {
      return nil
    }
    return try suggestedLabels(.number, for: use.rest, of: source)
  }
}

extension OperatorUse {
  fileprivate func path(with kind: CollectionOperator) -> ObjectKeyPath {
    ObjectKeyPath([.collection(kind)] + rest.steps)
  }

  /// `price has`, `some elements are`
  fileprivate var owner: String { rest.steps.isEmpty ? "some elements are" : "\(rest) has" }
}

// Warnings of the running command.
extension Session {
  /// Shows a warning with the output of the running command, once.
  mutating func warn(_ warning: String) {
    if !pendingWarnings.contains(warning) { pendingWarnings.append(warning) }
  }

  /// Returns the warnings of the running command and forgets them.
  mutating func takeWarnings() -> [String] {
    defer { pendingWarnings = [] }
    return pendingWarnings
  }
}

extension ObjectKeyPath.Step {
  /// Whether the step is an operator whose value may be null because of the types of the elements.
  var isNumeric: Bool {
    if case .collection(let kind) = self { kind.isNumeric } else { false }
  }
}
