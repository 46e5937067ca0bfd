package import DataSources
import DataTables
import DisplayText

/// The progress of a long command on one line:
/// `people.csv  ███████████░░░░░░░░░  55%  1.0 of 1.9 GB  0.7 GB/s  2 s left  Ctrl-C cancels`.
///
/// Unknown parts are omitted: without a total, the elapsed time replaces the bar and the percentage;
/// without a count, only the time is shown. In a narrow terminal, the rate is omitted first, then the
/// hint, the remaining time, the amount and the bar.
package struct ProgressLine {
  /// The delay before progress is shown; work that ends sooner shows none.
  package static let delay: Duration = .milliseconds(300)

  private let report: Progress.Report
  private let isCancelled: Bool

  /// - Parameter isCancelled: whether the work was canceled and has not ended yet.
  package init(_ report: Progress.Report, isCancelled: Bool = false) {
    self.report = report
    self.isCancelled = isCancelled
  }

  /// The line without a line end, at least one cell narrower than the terminal so that it never wraps.
  /// - Returns: nil before ``delay``, and for a terminal too narrow for a percentage.
  package func text(for terminal: TerminalTraits) -> String? {
    guard report.age >= Self.delay else { return nil }
    let available = (terminal.width ?? 80) - 1
    var parts = parts(Paint(terminal))
    // The name of a command is its text, which may contain secrets.
    let name = report.name.redactingSecrets.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ").escapingControls()
    let minimumNameWidth = min(name.displayWidth, Self.nameWidth)
    for dropped in Part.Kind.leastImportantFirst
    where minimumNameWidth + Self.width(of: parts) > available {
      parts.removeAll { $0.kind == dropped }
    }
    let rest = Self.width(of: parts)
    let texts = parts.map(\.shown)
    if rest < available {
      return ([name.shortened(to: available - rest)] + texts).joined(separator: Self.gap)
    }
    // Without a name, the first part needs no gap before it.
    guard !parts.isEmpty, rest - Self.gap.count <= available else { return nil }
    return texts.joined(separator: Self.gap)
  }

  private static let gap = "  "
  private static let barWidth = 20
  /// The number of cells reserved for the name: other parts are omitted before a name gets fewer.
  private static let nameWidth = 20

  private struct Part {
    enum Kind {
      case bar, percentage, amount, rate, remaining, time, hint
      static let leastImportantFirst: [Kind] = [.rate, .hint, .remaining, .amount, .bar]
    }
    let kind: Kind
    let width: Int
    /// The text with its colors, which use no cells.
    let shown: String

    init(_ kind: Kind, _ text: String, shown: String? = nil) {
      self.kind = kind
      width = text.displayWidth
      self.shown = shown ?? text
    }
  }

  private static func width(of parts: [Part]) -> Int {
    parts.reduce(0) { $0 + gap.count + $1.width }
  }

  private func parts(_ paint: Paint) -> [Part] {
    var parts: [Part] = []
    let share = report.share
    if let share {
      let filled = String(repeating: "█", count: Int(share * Double(Self.barWidth)))
      let empty = String(repeating: "░", count: Self.barWidth - filled.count)
      parts.append(Part(.bar, filled + empty, shown: filled + paint.dim(empty)))
      let percent = String(Int(share * 100))
      let padding = String(repeating: " ", count: max(0, 2 - percent.count))
      parts.append(Part(.percentage, padding + percent + "%"))
    }
    if let amount = report.amount { parts.append(Part(.amount, amount)) }
    if let rate = report.rate { parts.append(Part(.rate, rate)) }
    if let remaining = report.remaining { parts.append(Part(.remaining, remaining.left)) }
    if share == nil { parts.append(Part(.time, report.elapsed.waited)) }
    let hint = isCancelled ? "canceling …" : "Ctrl-C cancels"
    parts.append(Part(.hint, hint, shown: paint.dim(hint)))
    return parts
  }
}

extension Progress.Report {
  /// The completed share, from 0 to 1; nil without a total, or if the total is exceeded.
  fileprivate var share: Double? {
    guard unit != nil, let total, total > 0, completed <= total else { return nil }
    return Double(completed) / Double(total)
  }

  /// `104 of 190 MB`, `3 pages`; nil if nothing is done and no total is known.
  fileprivate var amount: String? {
    let known = share == nil ? nil : total
    guard let unit, known != nil || completed > 0 else { return nil }
    switch unit {
    case .bytes:
      let scale = ByteScale(for: known ?? completed)
      return known.map { "\(scale.padded(completed, as: $0)) of \(scale.text($0))" }
        ?? scale.text(completed)
    case .rows, .pages:
      let noun = unit == .rows ? "row" : "page"
      let count = known ?? completed
      return (known.map { _ in "\(completed.grouped) of " } ?? "") + count.grouped + " " + noun
        + (count == 1 ? "" : "s")
    }
  }

  /// `2.1 GB/s`, `30,000 rows/s`; nil while the time is too short to measure, and for pages, which
  /// take seconds each.
  fileprivate var rate: String? {
    guard completed > 0, elapsed >= .milliseconds(100) else { return nil }
    let rate = Double(completed) / (elapsed / .seconds(1))
    guard let count = Int(exactly: rate.rounded()) else { return nil }
    switch unit {
    case .bytes: return ByteScale(for: count).text(count) + "/s"
    case .rows: return count.grouped + (count == 1 ? " row/s" : " rows/s")
    case .pages, nil: return nil
    }
  }

  /// The time until the total is reached at the rate so far; nil without a total, and before a
  /// hundredth of it and a second have passed.
  fileprivate var remaining: Duration? {
    guard let share, share >= 0.01, share < 1, elapsed >= .seconds(1) else { return nil }
    return elapsed * ((1 - share) / share)
  }
}

extension Duration {
  /// `3 s left`, `12 min left`; rounded up.
  fileprivate var left: String {
    let seconds = Int(exactly: (self / .seconds(1)).rounded(.up)) ?? .max
    // A minute more or less is not known.
    return seconds < 100 ? "\(seconds) s left" : "\(((seconds - 1) / 60 + 1).grouped) min left"
  }

  /// `1.2 s`, `2 min 05 s`.
  fileprivate var waited: String {
    let tenths = Int(exactly: (self / .milliseconds(100)).rounded(.down)) ?? 0
    if tenths < 600 { return "\(tenths / 10).\(tenths % 10) s" }
    let seconds = tenths / 10 % 60
    return "\((tenths / 600).grouped) min \(seconds < 10 ? "0" : "")\(seconds) s"
  }
}
