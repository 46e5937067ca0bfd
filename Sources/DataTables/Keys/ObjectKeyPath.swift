/// Dotted keys applied to an object: `address.city`, `name.firstCharacter`, `tags[0]`,
/// `items.@sum.price`.
public struct ObjectKeyPath: Hashable, Sendable {
  public enum Step: Hashable, Sendable {
    /// A record's key, or a ``DerivedKey`` where the object is no record.
    case key(String)
    /// A place in an array, from 0.
    case index(Int)
    /// What makes one value of an array's elements; the steps behind it are applied to each.
    case collection(CollectionOperator)

    /// The step that a bare word is: an operator such as `@sum`, else a key.
    public init(word: String) {
      // Few begin like an operator, and most need not be compared with each.
      let operation =
        word.utf8.first == UInt8(ascii: "@") ? CollectionOperator(rawValue: word) : nil
      self = operation.map { .collection($0) } ?? .key(word)
    }
  }
  /// At least one.
  public let steps: [Step]

  public init(_ steps: [Step]) { self.steps = steps }

  /// A path of one key, which may hold any character.
  public init(key: String) { self.init([.key(key)]) }
}

extension ObjectKeyPath: CustomStringConvertible {
  /// The path as it is typed; keys with odd characters are quoted.
  public var description: String {
    var text = ""
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key): text += (text.isEmpty ? "" : ".") + Self.written(key)
      case .collection(let kind): text += (text.isEmpty ? "" : ".") + kind.rawValue
      }
    }
    return text
  }

  private static func written(_ key: String) -> String {
    if !key.isEmpty, !key.hasPrefix("#"), !key.hasSuffix(":"),
      CollectionOperator(rawValue: key) == nil,
      !key.unicodeScalars.contains(where: isOdd)
    {
      return key
    }
    var text = "\""
    for scalar in key.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.properties.generalCategory == .control:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// Whether the scalar ends a word, opens a step or a quote, or cannot be seen.
  private static func isOdd(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
      return true
    }
    switch scalar {
    case ".", ",", ";", "|", "[", "]", "{", "}", "(", ")", "\"", "'", "\\": return true
    default: return false
    }
  }
}
