/// Writes objects as UTF-8 in one format, batch after batch.
///
/// The calls are ``begin(_:)``, any number of batches, ``end(_:)``. With nested sections, each batch
/// is between the calls that begin and end its section.
public protocol TableWriter {
  mutating func begin(_ bytes: inout [UInt8]) throws(TableError)

  /// - Throws: ``TableError/badArgument(_:)`` for a value that the format cannot hold.
  mutating func append(_ objects: [Value], to bytes: inout [UInt8]) throws(TableError)

  mutating func beginSection(_ title: Value, _ bytes: inout [UInt8]) throws(TableError)

  mutating func endSection(_ bytes: inout [UInt8])

  /// - Throws: ``TableError/badArgument(_:)`` for objects that the format cannot hold together.
  mutating func end(_ bytes: inout [UInt8]) throws(TableError)
}

// For formats without nested sections.
extension TableWriter {
  public mutating func beginSection(_ title: Value, _ bytes: inout [UInt8]) throws(TableError) {}
  public mutating func endSection(_ bytes: inout [UInt8]) {}
}

/// The objects that a ``TableWriter`` will receive.
public struct WriteLayout: Sendable {
  /// The keys of all records, in the order of their columns.
  public var keys: [String]
  /// Whether some objects are not records.
  public var hasOtherObjects: Bool
  /// Whether the objects are written in their sections, each a record with the keys
  /// ``titleKey`` and ``objectsKey``.
  public var nestsSections: Bool

  public init(keys: [String], hasOtherObjects: Bool = false, nestsSections: Bool = false) {
    self.keys = keys
    self.hasOtherObjects = hasOtherObjects
    self.nestsSections = nestsSections
  }

  public static let titleKey = "title"
  public static let objectsKey = "objects"
}

/// How tables are written in a format.
public struct FormatWriting: Sendable {
  /// Whether sections can be written as nested arrays.
  public let nestsSections: Bool
  /// Whether the text can be converted to another encoding, because it does not declare UTF-8.
  public let hasAnyEncoding: Bool
  private let make: @Sendable (_ layout: WriteLayout, _ name: String) -> any TableWriter

  /// - Parameter make: returns a writer for a file with a name, without the extension of a codec.
  public init(
    nestsSections: Bool = false, hasAnyEncoding: Bool = true,
    _ make: @escaping @Sendable (_ layout: WriteLayout, _ name: String) -> any TableWriter
  ) {
    self.nestsSections = nestsSections
    self.hasAnyEncoding = hasAnyEncoding
    self.make = make
  }

  /// - Parameter name: the name of the file, without the extension of a codec.
  public func writer(for layout: WriteLayout, named name: String = "") -> any TableWriter {
    make(layout, name)
  }
}

extension FormatTable {
  /// The formats in which tables can be written.
  public var writable: [any TableFormat] { formats.filter { $0.writing != nil } }
}
