/// Options that may read a text that was mostly rejected.
struct RejectionFixes {
  struct Fix {
    var options: ReadOptions
    /// An imperative: add `skip: 3`.
    var advice: String
  }

  private(set) var all: [Fix] = []
  private let options: ReadOptions

  /// - Parameter hasHeader: whether the keys come from a line that is not a row.
  /// - Throws: the errors of the store.
  init(_ table: DelimitedTable, hasHeader: Bool, options: ReadOptions) throws {
    self.options = options
    let rejects = table.index.chunks.flatMap { $0.findings.rejects.prefix(LoadReport.maxRejects) }
    let broken = rejects.count { $0.reason.isQuote }
    if options.quote == nil, broken * 2 > rejects.count {
      add(SuggestedLabels("quote", "none")) { $0.quote = QuoteCharacter.none }
    }
    let removals: [(String, Bool, (inout ReadOptions) -> Void)] = [
      ("quote", options.quote != nil, { $0.quote = nil }),
      ("escape", options.escape != nil, { $0.escape = nil }),
      ("delimiter", options.delimiter != nil, { $0.delimiter = nil }),
      ("comment", options.commentPrefix != nil, { $0.commentPrefix = nil }),
      ("skip", options.skippedLines != nil, { $0.skippedLines = nil }),
    ]
    for (label, isGiven, change) in removals where isGiven {
      var changed = options
      change(&changed)
      all.append(Fix(options: changed, advice: "remove `\(label):`"))
    }
    let counts = rejects.compactMap {
      if case .tooManyFields(let count) = $0.reason { count } else { nil }
    }
    try addSkip(table, rejects, commonCount: Self.mostCommon(counts))
    if options.keys == nil, let most = counts.max(), most <= 64 {
      let keys = hasHeader ? HeaderKeys.fitted(table.keys, to: most) : HeaderKeys.numbered(most)
      let labels = SuggestedLabels("keys", keys)
      if hasHeader, options.hasHeader == nil {
        add(SuggestedLabels("header", "true") + labels) { ($0.hasHeader, $0.keys) = (true, keys) }
      } else {
        add(labels) { $0.keys = keys }
      }
    }
    if let keys = options.keys, let most = counts.max(), most <= 64 {
      var changed = options
      changed.keys = HeaderKeys.fitted(keys, to: most)
      all.append(Fix(options: changed, advice: HeaderKeys.replacement(of: keys, for: most)))
    }
  }

  private mutating func add(_ labels: SuggestedLabels, _ change: (inout ReadOptions) -> Void) {
    var changed = options
    change(&changed)
    all.append(Fix(options: changed, advice: "add \(labels)"))
  }

  /// Skips the lines before the first row with the most common number of fields, if no row before it
  /// can be read.
  private mutating func addSkip(
    _ table: DelimitedTable, _ rejects: [RejectedRow], commonCount: Int?
  ) throws {
    guard options.skippedLines == nil, let commonCount,
      let first = rejects.first(where: { $0.reason == .tooManyFields(commonCount) }),
      try table.count == 0 || RowReader(table).offset(of: 0) > first.offset
    else { return }
    var lines = LineCounter(table.store, dialect: table.dialect.kernel)
    let skipped = try lines.line(at: first.offset) - 1
    let skip = SuggestedLabels("skip", String(skipped))
    guard options.hasHeader == nil else { return add(skip) { $0.skippedLines = skipped } }
    add(skip + SuggestedLabels("header", "false")) {
      ($0.skippedLines, $0.hasHeader) = (skipped, false)
    }
  }

  private static func mostCommon(_ counts: [Int]) -> Int? {
    var numbers: [Int: Int] = [:]
    for count in counts { numbers[count, default: 0] += 1 }
    return numbers.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}
