import DataSources
import DataTables
import Pictures

/// `plot sections SOURCE`, `plot SOURCE KEY`
struct PlotCommand: Command {
  private static let word = "sections"
  private static let subject = Parameter(
    "SOURCE", .either([.source, .choice(Choices("word", [word]))]), .optional)
  private static let key = Parameter(
    "KEY", .either([.keyPath(.someRows), .source]), .optional)
  private static let first = Label(
    "first", .positiveInteger, "most bars; \(SessionOptions.usualParts) if omitted", example: "5")
  /// More bars are not readable.
  private static let mostRanges = 1_000
  /// Different values that are counted.
  private static let mostValues = 100_000

  static let names = ["plot"]
  static let parameters = [subject, key]
  static let labels = [first, PictureArgument.label]
  static let synopsis = "plot sections SOURCE; plot SOURCE KEY [first: N] [as: DRAWING FILE]"
  static let summary =
    "Draws the sizes of sections, or the frequencies of the values of a key, as bars."
  static let notes =
    [
      "A key whose values are mostly numbers, or mostly dates, is counted in ranges of equal size with",
      "round bounds, for dates in GMT; `first:` is the greatest number of ranges, from 4 to 1,000. Other",
      "values are counted one by one, the most frequent first. The styles csv, tsv, json and jsonl write",
      "all values as rows.",
      "",
      "`as:` draws the picture in another way, for a file:",
    ] + PictureArgument.notes
  static let examples = [
    "plot sections letters", "plot foods kind", "plot foods name.length",
    "plot sections letters first: 3 as: mermaid",
  ]
  static let seeAlso = ["sections", "describe", "suggest", "tree"]

  /// `sections` is followed by a source, and a source by a key.
  static func parameter(at position: Int, after words: [String]) -> Parameter? {
    switch position {
    case 0: subject
    case 1: Parameter(key.name, words.first == word ? .source : .keyPath(.someRows), key.count)
    default: nil
    }
  }

  private enum Plot {
    case sections
    case values(Argument)
  }

  private let source: SourceArgument
  private let plot: Plot
  private let first: Argument?
  private let drawing: PictureArgument?

  init(parsing arguments: inout Arguments) throws {
    if arguments.peek(.source)?.word == Self.word {
      _ = try arguments.take(Self.subject)
      source = try SourceArgument(parsing: &arguments, Self.key)
      plot = .sections
    } else {
      source = try SourceArgument(parsing: &arguments, Self.subject)
      // `letters | plot sections`
      let key = try arguments.take(Self.key)?.typed(.keyPath(.someRows))
      guard let key else { throw arguments.missing("`sections` or a key path") }
      plot = key.word == Self.word && arguments.isPiped ? .sections : .values(key)
    }
    first = try arguments[Self.first]
    drawing = try PictureArgument(parsing: arguments)
  }

  func run(in session: inout Session) async throws -> CommandResult {
    let source = try await source.source(in: &session)
    let content = try session.content(of: source, at: self.source.span)
    let limit = try first?.integer()
    var chart: Chart
    switch plot {
    case .sections: chart = try await Self.sections(of: content)
    case .values(let key):
      let path = try await key.keyPath(in: &session)
      try session.check(path, of: source)
      chart = try await values(
        of: path, at: key, in: content, ranges: limit ?? SessionOptions.usualParts, session)
    }
    chart.title += " of \(session.displayName(of: source))"
    let picture = chart.picture(limit: limit ?? session.options.shownParts)
    if let drawing { return try await drawing.result(of: picture, in: &session) }
    let grid = chart.grid
    return CommandResult(.value(grid.records), Output(.picture(picture, rows: grid)))
  }

  private static func sections(of content: Snapshot) async throws -> Chart {
    let titles = try await content.titles()
    var chart = Chart(title: "sections", noun: "section", column: "title")
    for (section, title) in titles.enumerated() {
      chart.rows.append((title, try content.numberOfObjects(in: section)))
    }
    return chart
  }

  private func values(
    of key: LocatedKeyPath, at argument: Argument, in content: Snapshot, ranges: Int,
    _ session: Session
  ) async throws -> Chart {
    let store = try await content.localStore(session.requestContext)
    let path = key.path
    let column = try store.table.column(path, cancellation: session.cancellation)
    if let histogram = try Histogram(
      of: column, in: store.order, limit: min(max(4, ranges), Self.mostRanges),
      cancellation: session.cancellation)
    {
      var chart = Chart(title: path.description, noun: "range", column: "range", isCut: false)
      chart.rows = histogram.ranges.map { (.string($0.label), $0.rows) }
      if histogram.nulls > 0 { chart.rest.append((.null, histogram.nulls)) }
      if histogram.others > 0 { chart.rest.append(("other values", histogram.others)) }
      return chart
    }
    guard
      let counts = try store.table.valueCounts(
        of: path, in: store.order, limit: Self.mostValues, cancellation: session.cancellation)
    else {
      let example = column.type == .string ? ", such as `\(path).firstCharacter`" : ""
      throw argument.error(
        .badArgument,
        "`\(path)` has more than \(counted(Self.mostValues, "different value")); plot a key with fewer"
          + example)
    }
    var chart = Chart(title: path.description, noun: "value", column: "value")
    chart.rows = counts.map { ($0.value, $0.rows) }
    return chart
  }
}

/// The numbers of objects that `plot` draws.
private struct Chart {
  /// `sections`, `price`
  var title: String
  /// The noun for a bar: `section`.
  let noun: String
  /// The header of the labels for programs.
  let column: String
  /// Whether rows beyond a limit are left out of the picture.
  var isCut = true
  var rows: [(label: Value, objects: Int)] = []
  /// Rows that are shown after the others, also if the others are cut.
  var rest: [(label: Value, objects: Int)] = []

  func picture(limit: Int) -> Picture {
    let shown = isCut ? Array(rows.prefix(limit)) : rows
    let bars = (shown + rest).map { row in
      Picture.Bar(row.label.label, length: row.objects)
    }
    let hidden = rows.count - shown.count
    let note =
      if bars.isEmpty {
        "no objects"
      } else if hidden > 0 {
        "… \(counted(hidden, "more \(noun)")); `first: \(rows.count)` shows all"
      } else {
        String?.none
      }
    return Picture(title, .bars(bars), note: note)
  }

  var grid: Grid {
    Grid(
      columns: [Grid.Column(column), Grid.Column("objects")],
      rows: (rows + rest).map { [$0.label, .integer($0.objects)] })
  }
}
