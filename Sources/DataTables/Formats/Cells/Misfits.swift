/// The values of one key that do not fit its requested type and are read as null.
struct Misfits: Sendable {
  struct Place: Sendable {
    /// The offset of a cell, or the number of a row.
    var position: Int
    /// At most ``longest`` bytes of the cell.
    var text: String
  }

  let key: String
  let type: RequestedType
  private(set) var count = 0
  /// The first ones, at most ``LoadReport/maxRejects``.
  private(set) var first: [Place] = []

  /// The number of characters of a cell that reports show.
  private static let longest = 200

  /// The style of numbers and the order of dates that the user gave.
  private let style: NumberStyle
  private let order: WrittenDate.Order?
  /// The order in which the dates that fit are read, if it was found from the dates.
  var foundOrder: WrittenDate.Order?

  init(key: String, type: RequestedType, options: ReadOptions) {
    self.key = key
    self.type = type
    style = options.numberStyle
    order = options.writtenDateOrder
  }

  /// - Parameter keepsCell: whether the cell is kept for the report.
  mutating func add(_ cell: UnsafeRawBufferPointer, at position: Int, keepsCell: Bool = true) {
    count += 1
    guard keepsCell, first.count < LoadReport.maxRejects else { return }
    let text = String(decoding: cell.prefix(Self.longest * 4), as: UTF8.self)
    first.append(Place(position: position, text: String(text.prefix(Self.longest))))
  }

  mutating func add(_ value: Value, at position: Int) {
    var text = if case .string(let string) = value { string } else { value.json }
    text.withUTF8 { add(UnsafeRawBufferPointer($0), at: position) }
  }

  /// Adds the values of later rows.
  mutating func add(_ other: Misfits) {
    count += other.count
    first += other.first.prefix(LoadReport.maxRejects - first.count)
  }

  /// The position of the first one; 0 if all values fit.
  var start: Int { first.first?.position ?? 0 }

  /// `is not an integer`
  var reason: String { "is not \(type.nouns.one)" }

  /// `2 values are not integers and are read as null, first at line 3: "abc"`; nil if all fit.
  /// - Parameter line: the line of the first one.
  func evidence(line: Int?) -> String? {
    guard let place = first.first else { return nil }
    let subject =
      count == 1
      ? "1 value \(reason) and is read as null"
      : "\(count.grouped) values are not \(type.nouns.several) and are read as null"
    let position = line.map { "\(count == 1 ? ", at" : ", first at") line \($0)" } ?? ""
    return "\(subject)\(position): \(Value.string(place.text).excerpt)\(advice)\(orderNote)"
  }

  /// The order in which dates are read, if a value would fit as a date in another one.
  private var orderNote: String {
    guard order == nil, let foundOrder else { return "" }
    let fitsAnother = first.contains { place in
      var text = place.text
      return text.withUTF8 {
        WrittenDate(UnsafeRawBufferPointer($0)).map { !$0.orders.isEmpty } ?? false
      }
    }
    return fitsAnother ? "; the other dates are read as \(foundOrder.rawValue)" : ""
  }

  /// The labels with which these values would fit.
  private var advice: String {
    var tally = TypeTally(style)
    for place in first {
      var text = place.text
      _ = text.withUTF8 { tally.add(UnsafeRawBufferPointer($0)) }
    }
    return
      switch (tally.suggestion(for: key, areNumbers: type == .integer || type == .real), type)
    {
    case (.dates(let orders)?, .date) where order == nil:
      "; " + SuggestedReading.dates(orders).advice
    case (.mixedDates(_, let orders, let kept, let count)?, .date)
    where order == nil && orders.count > 1:
      "; " + SuggestedReading.dates(orders).advice
        + " to keep \(kept.grouped) of \(count.grouped)"
    case (.numbers(let styles, let given, let example)?, .integer),
      (.numbers(let styles, let given, let example)?, .real):
      "; " + SuggestedReading.numbers(styles, given: given, example: example).advice
    case (.hexadecimal(let key, let example)?, .integer):
      "; " + SuggestedReading.hexadecimal(key: key, example: example).advice
    default: ""
    }
  }

  /// The error of a strict load.
  /// - Parameter position: the place of the first one.
  func error(at position: TextPosition?) -> TableError {
    let text = first.first.map { Value.string($0.text).excerpt } ?? ""
    return .format("`\(key)` \(reason): \(text)\(advice)", at: position)
  }
}

extension LoadReport {
  /// Adds cells to the rejects, in the order of their positions, and to the evidence of the columns.
  /// - Parameter places: returns the offsets, lines and columns of ascending positions, each with
  ///   its key.
  mutating func add(
    _ misfits: [Misfits],
    places: ([Int], [String]) throws -> [(offset: Int, position: TextPosition)]
  ) rethrows {
    guard !misfits.isEmpty else { return }
    let cells = misfits.flatMap { misfits in
      misfits.first.map { (place: $0, key: misfits.key, reason: misfits.reason) }
    }.sorted { $0.place.position < $1.place.position }
    let room = max(0, Self.maxRejects - rejects.count)
    let found = try places(cells.map(\.place.position), cells.map(\.key))
    var lines: [String: Int] = [:]
    for (cell, found) in zip(cells, found) where lines[cell.key] == nil {
      lines[cell.key] = found.position.line
    }
    for (cell, found) in zip(cells, found).prefix(room) {
      rejects.append(
        Reject(
          line: found.position.line, offset: found.offset, column: found.position.column ?? 1,
          key: cell.key, reason: cell.reason, text: cell.place.text))
    }
    let byKey = Dictionary(misfits.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    for place in columns.indices {
      if let misfits = byKey[columns[place].key] {
        columns[place].evidence = misfits.evidence(line: lines[misfits.key])
      }
    }
    self.misfits += misfits.reduce(0) { $0 + $1.count }
  }
}
