/// A form of dates given by a user: `dd.MM.yyyy HH:mm`.
///
/// The letters are those of Unicode TR 35: `y M d H h m s S a E X` and, for zones, `Z x z`. Other
/// letters must be in single quotes; other characters mean themselves. A doubled letter takes
/// exactly two digits, a single one takes one or two; `yyyy` takes four, `MMM` and `MMMM` take
/// English names.
public struct DatePattern: Hashable, Sendable {
  /// The pattern as it was given.
  public let text: String
  private let elements: [Element]

  private enum Element: Hashable {
    case number(Field, digits: ClosedRange<Int>)
    case monthName, weekdayName, meridiem, zone, fraction
    case literal(UInt8)
  }

  private enum Field: Hashable {
    case year, shortYear, month, day, hour, hourOfHalf, minute, second
  }

  /// - Returns: nil if the text is not a pattern of dates: it needs a year, a month and a day, each
  ///   once.
  public init?(_ text: String) {
    var elements: [Element] = []
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "'") {
        guard let end = Self.quotedEnd(bytes, index, &elements) else { return nil }
        index = end
        continue
      }
      var end = index + 1
      guard (byte | 0x20) &- UInt8(ascii: "a") < 26 else {
        elements.append(.literal(byte))
        index = end
        continue
      }
      while end < bytes.count, bytes[end] == byte { end += 1 }
      guard let element = Self.element(Unicode.Scalar(byte), count: end - index) else { return nil }
      elements.append(element)
      index = end
    }
    guard Self.isDate(elements) else { return nil }
    self.text = text
    self.elements = elements
  }

  /// The parts of a date that a pattern lacks, with their letters: `a day (`d`)`. Empty unless the
  /// text has the letter of one of them.
  package static func missingParts(in text: String) -> [String] {
    let unquoted = text.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 0 }.map(\.element).joined()
    let parts = [("a year", "yu"), ("a month", "ML"), ("a day", "d")].map { name, letters in
      (name: name, letters: letters, isPresent: unquoted.contains { letters.contains($0) })
    }
    guard parts.contains(where: \.isPresent) else { return [] }
    return parts.filter { !$0.isPresent }.map { "\($0.name) (`\($0.letters.prefix(1))`)" }
  }

  /// Appends the quoted literal that starts at `start`; returns the index after it.
  private static func quotedEnd(
    _ bytes: [UInt8], _ start: Int, _ elements: inout [Element]
  ) -> Int? {
    var index = start + 1
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "'") {
        let isDoubled = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "'")
        // Two quotes stand for one, also outside of quoted text.
        if index == start + 1 && !isDoubled {
          elements.append(.literal(bytes[index]))
          return index + 1
        }
        guard isDoubled else { return index + 1 }
        index += 1
      }
      elements.append(.literal(bytes[index]))
      index += 1
    }
    return nil
  }

  private static func element(_ letter: Unicode.Scalar, count: Int) -> Element? {
    func number(_ field: Field) -> Element? {
      count <= 2 ? .number(field, digits: count == 2 ? 2...2 : 1...2) : nil
    }
    switch letter {
    case "y", "u":
      switch count {
      case 2: return .number(.shortYear, digits: 2...2)
      case 1, 4: return .number(.year, digits: 4...4)
      default: return nil
      }
    case "M", "L":
      return count == 3 || count == 4 ? .monthName : number(.month)
    case "d": return number(.day)
    case "H": return number(.hour)
    case "h": return number(.hourOfHalf)
    case "m": return number(.minute)
    case "s": return number(.second)
    case "S": return count <= 9 ? .fraction : nil
    case "a": return count == 1 ? .meridiem : nil
    case "E": return count <= 4 ? .weekdayName : nil
    case "X", "x", "Z", "z": return count <= 5 ? .zone : nil
    default: return nil
    }
  }

  /// Whether the elements determine a day once, and at most one time.
  private static func isDate(_ elements: [Element]) -> Bool {
    var counts: [Field: Int] = [:]
    var others: [Element: Int] = [:]
    for element in elements {
      switch element {
      case .number(.shortYear, _): counts[.year, default: 0] += 1
      case .number(let field, _): counts[field, default: 0] += 1
      case .monthName: counts[.month, default: 0] += 1
      case .meridiem, .zone, .fraction: others[element, default: 0] += 1
      case .weekdayName, .literal: break
      }
    }
    let hours = counts[.hour, default: 0] + counts[.hourOfHalf, default: 0]
    return counts[.year] == 1 && counts[.month] == 1 && counts[.day] == 1 && hours <= 1
      && counts.values.allSatisfy { $0 == 1 } && others.values.allSatisfy { $0 == 1 }
      && (counts[.hourOfHalf] == nil) == (others[.meridiem] == nil)
      && (others[.fraction] == nil || counts[.second] == 1)
  }

  /// The time that a cell denotes; nil if it is not in the form of the pattern.
  func moment(_ cell: UnsafeRawBufferPointer) -> Moment? {
    var scan = DateScan(bytes: cell.trimmingBlanks(), index: 0)
    var parts = Parts()
    for element in elements {
      guard parts.take(element, &scan) else { return nil }
    }
    return scan.isAtEnd ? parts.moment : nil
  }

  /// The parts of a date that were taken.
  private struct Parts {
    private var date = (year: 0, month: 0, day: 0)
    private var hour = 0
    private var isAfternoon: Bool?
    /// The zone and the time, without the hour.
    private var time = Moment(seconds: 0, nanoseconds: 0, offset: nil, hasTime: false)

    /// Takes an element of the pattern; false if the text is not in its form.
    mutating func take(_ element: Element, _ scan: inout DateScan) -> Bool {
      switch element {
      case .literal(let byte): return scan.take(byte: byte)
      case .weekdayName: return scan.weekday() != nil
      case .zone: return scan.takeWrittenZone(&time)
      case .monthName: return set(scan.month()) { $0.date.month = $1 }
      case .fraction: return set(scan.fraction()) { $0.time.nanoseconds = $1 }
      case .meridiem:
        isAfternoon = scan.meridiem()
        return isAfternoon != nil
      case .number(let field, let digits): return set(scan.number(digits)) { $0.set(field, $1) }
      }
    }

    private mutating func set(_ number: Int?, _ body: (inout Parts, Int) -> Void) -> Bool {
      guard let number else { return false }
      body(&self, number)
      return true
    }

    private mutating func set(_ field: Field, _ number: Int) {
      switch field {
      case .year: date.year = number
      case .shortYear: date.year = WrittenDate.year(ofTwoDigits: number)
      case .month: date.month = number
      case .day: date.day = number
      case .hour, .hourOfHalf: (hour, time.hasTime) = (number, true)
      // A minute or a second of 60 and more does not exist.
      case .minute: time.seconds += number < 60 ? number * 60 : Self.outside
      case .second: time.seconds += number < 60 ? number : Self.outside
      }
    }

    /// More seconds than the minutes and seconds of an hour have together.
    private static let outside = 3600

    /// nil if the day or the time does not exist.
    var moment: Moment? {
      guard (1...12).contains(date.month), date.day >= 1,
        date.day <= Gregorian.days(inMonth: date.month, of: date.year),
        time.seconds < Self.outside, let hour = hourOfDay
      else { return nil }
      var moment = time
      let days = Gregorian.days(fromYear: date.year, month: date.month, day: date.day)
      moment.seconds += days * 86_400 + hour * 3600
      return moment
    }

    /// nil for an hour that does not exist.
    private var hourOfDay: Int? {
      guard let isAfternoon else { return hour < 24 ? hour : nil }
      return (1...12).contains(hour) ? hour % 12 + (isAfternoon ? 12 : 0) : nil
    }
  }
}

extension DateScan {
  fileprivate mutating func number(_ digits: ClosedRange<Int>) -> Int? {
    var number = 0
    var count = 0
    while count < digits.upperBound, let digit = digit() {
      number = number * 10 + digit
      count += 1
    }
    return count >= digits.lowerBound ? number : nil
  }

  /// One to nine digits after the decimal point, in nanoseconds.
  fileprivate mutating func fraction() -> Int? {
    var unit = 1_000_000_000
    var nanoseconds = 0
    while unit > 1, let digit = digit() {
      unit /= 10
      nanoseconds += digit * unit
    }
    return unit < 1_000_000_000 ? nanoseconds : nil
  }
}
