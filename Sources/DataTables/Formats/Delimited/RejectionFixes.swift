/// Options that may read a text that was mostly rejected.
struct RejectionFixes {
  struct Fix {
    var options: ReadOptions
    /// An imperative: add `skip: 3`.
    var advice: String
  }

  private(set) var all: [Fix] = []
  private let options: ReadOptions

  /// - Throws: the errors of the store.
  init(_ table: DelimitedTable, _ layout: TableLayout, options: ReadOptions) throws {
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
      try addKeys(table, layout, count: most)
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

  /// Adds a key for each field to those of the header. With `keys:`, the table is not searched, so
  /// the labels include its place.
  private mutating func addKeys(
    _ table: DelimitedTable, _ layout: TableLayout, count: Int
  ) throws {
    var changed = options
    var labels: [SuggestedLabels] = []
    if layout.width != nil, options.skippedLines == nil {
      var lines = LineCounter(table.store, dialect: table.dialect.kernel)
      let skipped = try lines.line(at: layout.start) - 1
      if skipped > 0 {
        changed.skippedLines = skipped
        labels.append(SuggestedLabels("skip", String(skipped)))
      }
    }
    if options.commentPrefix == nil, !table.dialect.comment.isEmpty {
      let prefix = String(decoding: table.dialect.comment, as: UTF8.self)
      changed.commentPrefix = prefix
      labels.append(SuggestedLabels("comment", prefix))
    }
    let hasHeader =
      layout.header != .none && (!layout.mayStartWithData || options.hasHeader == true)
    if hasHeader, options.hasHeader == nil {
      changed.hasHeader = true
      labels.append(SuggestedLabels("header", "true"))
    }
    let keys = hasHeader ? HeaderKeys.fitted(table.keys, to: count) : HeaderKeys.numbered(count)
    changed.keys = keys
    labels.append(SuggestedLabels("keys", keys))
    guard let joined = labels.joined else { return }
    all.append(Fix(options: changed, advice: "add \(joined)"))
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
