import DataTables
import Foundation

/// Converts the objects of a property list to values. The depth is checked before.
struct PropertyListConverter {
  let cancellation: Cancellation
  private var shapes: [[String]: Record.Shape] = [:]
  private var values = 0

  init(cancellation: Cancellation) { self.cancellation = cancellation }

  mutating func value(_ object: Any) throws -> Value {
    values += 1
    if values & 0xFFF == 0 { try cancellation.check() }
    switch object {
    case let string as String: return .string(string)
    case let dictionary as [AnyHashable: Any]: return try record(dictionary)
    case let array as [Any]:
      return .array(try array.map { try value($0) })
    case let data as Data: return .data([UInt8](data))
    case let date as Date: return Self.date(date)
    case let number as NSNumber: return Self.number(number)
    default: return .string(String(describing: object))
    }
  }

  /// The keys are sorted, because Foundation does not keep their order.
  private mutating func record(_ dictionary: [AnyHashable: Any]) throws -> Value {
    var pairs: [(key: String, value: Any)] = []
    pairs.reserveCapacity(dictionary.count)
    for (key, value) in dictionary { pairs.append((key.base as? String ?? "\(key)", value)) }
    pairs.sort { $0.key < $1.key }
    var values: [Value] = []
    values.reserveCapacity(pairs.count)
    for pair in pairs { values.append(try value(pair.value)) }
    let keys = pairs.map(\.key)
    let shape = shapes[keys] ?? Record.Shape(keys)
    if shapes.count < 1_024 { shapes[keys] = shape }
    return .record(Record(shape: shape, values: values))
  }

  private static func number(_ number: NSNumber) -> Value {
    switch String(cString: number.objCType) {
    case "c", "B": .bool(number.boolValue)
    case "d", "f":
      .real(Real(number.doubleValue))
    default: Value(literal: number.stringValue)
    }
  }

  /// The date in GMT, to the millisecond.
  private static func date(_ date: Date) -> Value {
    let time = (date.timeIntervalSince1970 * 1000).rounded()
    guard time.magnitude < 1e15 else { return .string("\(date)") }
    let milliseconds = Int(time)
    let fraction = ((milliseconds % 1000) + 1000) % 1000
    let civil = CivilTime(seconds: (milliseconds - fraction) / 1000)
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    var text = "\(padded(civil.year, 4))-\(padded(civil.month, 2))-\(padded(civil.day, 2))"
    text += "T\(padded(civil.hour, 2)):\(padded(civil.minute, 2)):\(padded(civil.second, 2))"
    if fraction != 0 { text += ".\(padded(fraction, 3))" }
    return Value(literal: text + "Z")
  }
}
