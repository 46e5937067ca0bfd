import DSInterpreter
import DataSources
import DataTables

/// Collects the coverage of a script while it runs (`--coverage`).
///
/// A command asserts what it has read if it has expected output that is not only `#...` or `{*}`, or is
/// an `expect` or a `require`, and passes. With `#...`, it asserts the keys of the other lines, and
/// rows only if it reads a single one. Rows count by their places: a source that is edited has other
/// objects there later.
struct CoverageLog {
  private var sources: [(name: String, asserted: Asserted)] = []
  private(set) var unexpected: [UnexpectedOutput] = []

  fileprivate struct Asserted {
    var rows: [Int: RangeSet<Int>] = [:]
    var sections: Set<Int> = []
    var keys: Set<String> = []
    var size = Size()
  }

  /// The size of a content.
  fileprivate struct Size {
    var sections = 0
    var rows = 0
    var keys: [String] = []
  }

  /// The lines of output in which keys are searched.
  private static let searchedLines = 200

  /// Adds a command.
  mutating func add(
    _ command: ReplayCommand, _ captured: CapturedOutput, passed: Bool,
    _ reads: [ContentReads.Read], in session: Session
  ) {
    let expects = command.expectations.contains(where: \.asserts) || command.isCheck
    if !expects, !captured.output.isEmpty {
      unexpected.append(
        UnexpectedOutput(line: command.lines.lowerBound, command: command.text))
    }
    guard expects, passed else { return }
    // Anything can be in the lines that `#...` stands for.
    let isOpen = !command.isCheck && command.expectations.contains(where: \.isOpen)
    let lines =
      isOpen ? command.expectations.compactMap(\.searchedText) : captured.output
    let assertsRows = !isOpen || reads.count == 1 && reads[0].part.isOneRow
    let texts = [command.text] + lines.prefix(Self.searchedLines)
    var words: Set<Substring>?
    for read in reads {
      guard let content = read.source.state.snapshot else { continue }
      let found = words ?? Self.words(in: texts)
      words = found
      let index = index(of: session.displayName(of: read.source))
      if assertsRows {
        sources[index].asserted.add(read.part, of: content)
      } else {
        sources[index].asserted.noteSize(of: content)
      }
      // A check reads values that its output does not show.
      let ignored = command.isCheck ? [] : command.setting.ignoredKeys
      sources[index].asserted.keys.formUnion(
        content.keys.filter { found.contains($0[...]) && !ignored.contains($0) })
    }
  }

  /// Adds the sizes of the bound sources; those that nothing asserts are listed too.
  mutating func finish(in session: Session) {
    for binding in session.bindings {
      guard case .source(let source) = binding.value, let content = source.state.snapshot else {
        continue
      }
      let index = index(of: binding.name)
      sources[index].asserted.noteSize(of: content)
    }
  }

  var coverage: [SourceCoverage] {
    sources.map { name, asserted in
      var coverage = SourceCoverage(name: name)
      coverage.rows.asserted = asserted.rows.values.reduce(0) { sum, rows in
        rows.ranges.reduce(sum) { $0 + $1.count }
      }
      coverage.rows.all = max(asserted.size.rows, coverage.rows.asserted)
      coverage.sections.asserted = asserted.sections.union(asserted.rows.keys).count
      coverage.sections.all = max(asserted.size.sections, coverage.sections.asserted)
      coverage.keys = asserted.size.keys.filter(asserted.keys.contains)
      coverage.otherKeys = asserted.size.keys.filter { !asserted.keys.contains($0) }
      return coverage
    }
  }

  private mutating func index(of name: String) -> Int {
    if let index = sources.firstIndex(where: { $0.name == name }) { return index }
    sources.append((name, Asserted()))
    return sources.count - 1
  }

  /// The words that may be names of keys.
  private static func words(in texts: [String]) -> Set<Substring> {
    var words: Set<Substring> = []
    for text in texts {
      words.formUnion(text.split { !($0.isLetter || $0.isNumber || "_-@".contains($0)) })
    }
    return words
  }
}

extension Expectation {
  /// Whether a command can fail by other output or errors than expected.
  fileprivate var asserts: Bool {
    switch kind {
    case .anyLines, .absent: false
    case .pattern(let pattern):
      pattern.segments.contains { segment in
        switch segment {
        case .text(let text): text.contains { $0 != UInt8(ascii: " ") }
        case .hole(let hole, _, _): hole != .anything
        case .reference: true
        }
      }
    case .line, .digest, .file, .errorLine: true
    }
  }
}

extension Expectation {
  /// Whether any lines match.
  fileprivate var isOpen: Bool { if case .anyLines = kind { true } else { false } }

  /// The text in which keys are searched.
  fileprivate var searchedText: String? {
    switch kind {
    case .line(let text): text
    case .pattern(let pattern): pattern.written(.doubled)
    case .anyLines, .digest, .absent, .file, .errorLine: nil
    }
  }
}

extension ContentReads.Part {
  fileprivate var isOneRow: Bool {
    if case .rows(let rows) = self { rows.rows.count == 1 } else { false }
  }
}

extension CoverageLog.Asserted {
  fileprivate mutating func add(_ part: ContentReads.Part, of content: Snapshot) {
    noteSize(of: content)
    switch part {
    case .rows(let rows): add(rows.rows, in: rows.section)
    case .section(let section): add(section, of: content)
    case .all: for section in 0..<content.numberOfSections { add(section, of: content) }
    case .sections: sections.formUnion(0..<content.numberOfSections)
    }
  }

  private mutating func add(_ section: Int, of content: Snapshot) {
    add(0..<((try? content.numberOfObjects(in: section)) ?? 0), in: section)
  }

  private mutating func add(_ range: Range<Int>, in section: Int) {
    if range.isEmpty { return }
    self.rows[section, default: RangeSet()].insert(contentsOf: range)
  }

  fileprivate mutating func noteSize(of content: Snapshot) {
    size.sections = max(size.sections, content.numberOfSections)
    size.rows = max(size.rows, content.numberOfObjects)
    size.keys += content.keys.filter { !size.keys.contains($0) }
  }
}
