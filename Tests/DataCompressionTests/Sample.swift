import DataCompression
import DataTables
import Foundation

/// A compressed file of the tests.
struct Sample {
  static let codecs: [any Codec] = [GzipCodec(), ZstdCodec(), ZipCodec()]
  static let people = String(decoding: (try? Sample("people.csv").bytes) ?? [], as: UTF8.self)

  let name: String
  var bytes: [UInt8]

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  init(_ name: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")
    self.init(name: name, bytes: Array(try Data(contentsOf: folder.appending(path: name))))
  }

  struct Unrecognized: Error {}

  var codec: (any Codec)? { Self.codecs.first { $0.recognizes(bytes) } }

  func decompressed(
    member: String? = nil, cancellation: Cancellation = Cancellation()
  ) throws -> (content: DecompressedContent, text: String) {
    // An archive after a prefix is recognized by its extension.
    guard let codec = codec ?? (name.hasSuffix(".zip") ? ZipCodec() : nil) else {
      throw Unrecognized()
    }
    let (content, bytes) = try decompressed(
      with: codec, member: member, cancellation: cancellation)
    return (content, String(decoding: bytes, as: UTF8.self))
  }

  func decompressed(
    with codec: any Codec, member: String? = nil, cancellation: Cancellation = Cancellation()
  ) throws -> (content: DecompressedContent, bytes: [UInt8]) {
    let input = CompressedInput(
      MemoryBytes(bytes), named: name, member: member, isTableName: { $0.hasSuffix(".csv") },
      cancellation: cancellation)
    var result: [UInt8] = []
    let content = try codec.decompress(input) { result += $0 }
    return (content, result)
  }

  func failure(member: String? = nil) -> TableError? {
    do {
      _ = try decompressed(member: member)
      return nil
    } catch {
      return error as? TableError
    }
  }
}
