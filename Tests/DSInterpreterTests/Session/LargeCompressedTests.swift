import DSInterpreter
import DataSources
import DataTables
import Foundation
import Testing

/// Files whose content is read while it is decompressed.
struct LargeCompressedTests {
  private static let rows = 300_000
  private static let content: [UInt8] = {
    var text = "id,name\n"
    text.reserveCapacity(21 << 20)
    for row in 0..<rows {
      text += "\(100_000 + row),\(String(repeating: "abcdefgh", count: 6 + row % 3))\n"
    }
    return Array(text.utf8)
  }()

  private func compressed(_ bytes: some Sequence<UInt8>, _ codec: String) throws -> [UInt8] {
    let codecs = FormatTable.standard.codecs
    let codec = try #require(codecs.first { $0.names.contains(codec) })
    let compressor = try codec.makeCompressor(contentName: "rows.csv")
    return try compressor.compress(Array(bytes)) + compressor.finish()
  }

  private func load(
    _ bytes: [UInt8], named name: String, maxSize: Int? = nil
  ) async throws -> SimpleSource {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("dsshell-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    var options = ReadOptions()
    options.limits.decompressedSize = maxSize
    return try await SimpleSource.load(
      file.path, options: options, formats: .standard, progress: nil)
  }

  private func expectAll(_ source: SimpleSource) async throws {
    #expect(source.numberOfObjects == Self.rows)
    for row in [0, 1, Self.rows / 2, Self.rows - 1] {
      let object = try await source.object(at: IndexPath(section: 0, row: row))
      #expect(
        object == [
          "id": .integer(100_000 + row),
          "name": .string(String(repeating: "abcdefgh", count: 6 + row % 3)),
        ])
    }
  }

  @Test(arguments: ["gz", "zip", "zst"])
  func allRowsAreRead(codec: String) async throws {
    let bytes = try compressed(Self.content, codec)
    try await expectAll(load(bytes, named: "rows.csv.\(codec)"))
  }

  /// The last member states its own size only.
  @Test(arguments: [200_000, 1_000_000])
  func membersAreJoinedAlthoughTheStatedSizeIsWrong(first: Int) async throws {
    let bytes =
      try compressed(Self.content[..<first], "gz")
      + compressed(Self.content[first...], "gz")
    try await expectAll(load(bytes, named: "rows.csv.gz"))
  }

  private func expectFailure(_ expected: String, _ load: () async throws -> SimpleSource) async {
    do {
      let source = try await load()
      Issue.record("\(source.numberOfObjects) objects were loaded")
    } catch {
      #expect("\(error)".contains(expected))
    }
  }

  @Test func corruptContentIsAnErrorOfTheDecompression() async throws {
    let bytes = try compressed(Self.content, "gz")
    var corrupt = bytes
    corrupt[bytes.count - 8] ^= 1
    await expectFailure("the checksum does not match") { [corrupt] in
      try await load(corrupt, named: "rows.csv.gz")
    }
    // The stated size is kept.
    let truncated = Array(bytes.prefix(bytes.count / 2) + bytes.suffix(4))
    await expectFailure("`rows.csv.gz` is") { try await load(truncated, named: "rows.csv.gz") }
  }

  @Test func trailingBytesAreNoted() async throws {
    var bytes = try compressed(Self.content, "gz")
    bytes += [0, 0, 0, 2]
    let source = try await load(bytes, named: "rows.csv.gz")
    try await expectAll(source)
    #expect(source.report?.notes == ["4 bytes after the gzip data ignored"])
  }

  @Test func theLimitOfTheSizeHolds() async throws {
    // A size that is stated smaller than it is.
    var bytes = try compressed(Self.content, "gz")
    bytes.replaceSubrange((bytes.count - 4)..., with: [0, 0, 0x10, 1])
    for (limit, text) in [(1 << 20, "1,048,576"), (17 << 20, "17,825,792")] {
      await expectFailure("more than \(text) bytes after decompression") { [bytes] in
        try await load(bytes, named: "rows.csv.gz", maxSize: limit)
      }
    }
  }
}
