import DataCompression
import DataTables
import TestSupport
import Testing

@Suite struct CodecTests {
  @Test(arguments: [
    "people.csv.gz", "nameless.gz", "members.gz", "header.gz", "trailing.gz", "people.csv.zst",
    "frames.zst", "people.zip", "stored.zip", "streamed.zip", "zip64.zip", "zip64end.zip",
    "prefixed.zip", "unicode.zip", "cp437.zip", "chosen.zip",
  ])
  func filesOfOtherProgramsAreDecompressed(file: String) throws {
    #expect(try Sample(file).decompressed().text == Sample.people)
  }

  @Test func contentsAreRecognizedByTheirFirstBytes() throws {
    let files = [
      "header.gz": "gzip", "frames.zst": "zstd", "people.zip": "zip", "empty.zip": "zip",
    ]
    for (file, name) in files {
      #expect(try Sample(file).codec?.names.first == name, "\(file)")
    }
    #expect(try Sample("people.csv").codec == nil)
    for codec in Sample.codecs { #expect(!codec.recognizes([])) }
  }

  @Test(arguments: [
    ("people.csv.gz", "people.csv"), ("header.gz", "people.csv"), ("nameless.gz", nil),
    ("people.csv.zst", nil), ("people.zip", "people.csv"), ("unicode.zip", "größe.csv"),
    ("cp437.zip", "größe.csvv"), ("chosen.zip", "data/people.csv"),
  ])
  func theCompressedBytesNameTheirContent(file: String, name: String?) throws {
    #expect(try Sample(file).decompressed().content.name == name)
  }

  @Test func bytesAfterGzipDataAreReported() throws {
    #expect(
      try Sample("trailing.gz").decompressed().content.notes
        == ["512 bytes after the gzip data ignored"])
    #expect(try Sample("members.gz").decompressed().content.notes == [])
  }

  @Test func theOnlyTableOfAnArchiveIsReadAndReported() throws {
    #expect(
      try Sample("chosen.zip").decompressed().content.notes
        == ["read the member `data/people.csv`; other members: `README.md`"])
  }

  @Test func anArchiveOfSeveralTablesNeedsAMember() throws {
    let sample = try Sample("several.zip")
    #expect(
      sample.failure()
        == .badArgument(
          "`several.zip` has several files; add `member: \"a.csv\"` or `member: \"sub/b.csv\"` (1 "
            + "file is not listed)"))
    #expect(try sample.decompressed(member: "a.csv").text == "a\n1\n")
    #expect(try sample.decompressed(member: "sub/b.csv").text == "b\n2\n")
    #expect(try sample.decompressed(member: "b.csv").text == "b\n2\n")
    #expect(
      sample.failure(member: "c.csv")
        == .badArgument(
          "`several.zip` has no file named `c.csv`; it has `member: \"a.csv\"` or "
            + "`member: \"sub/b.csv\"` or `member: \"readme.txt\"`"
        ))
  }

  @Test(arguments: [
    (
      "encrypted.zip",
      "the member `people.csv` of `encrypted.zip` cannot be read: it is encrypted; decrypt it with "
        + "`7z x`"
    ),
    (
      "bzip2.zip",
      "the member `people.csv` of `bzip2.zip` cannot be read: it is compressed with bzip2; extract "
        + "it with `7z x`"
    ),
    (
      "lzma.zip",
      "the member `people.csv` of `lzma.zip` cannot be read: it is compressed with LZMA; extract it "
        + "with `7z x`"
    ), ("empty.zip", "the zip archive `empty.zip` has no files"),
  ])
  func whatCannotBeDecompressedIsNamed(file: String, message: String) throws {
    #expect(try Sample(file).failure() == .format(message, at: nil))
  }

  @Test(arguments: [
    "people.csv.gz", "members.gz", "header.gz", "people.csv.zst", "frames.zst", "people.zip",
    "stored.zip", "streamed.zip", "zip64.zip", "zip64end.zip",
  ])
  func everyTruncatedFileFails(file: String) throws {
    let sample = try Sample(file)
    let complete = file == "members.gz" || file == "frames.zst"
    for count in 1..<sample.bytes.count {
      var part = sample
      part.bytes = Array(sample.bytes.prefix(count))
      guard let text = try? part.decompressed().text else { continue }
      // A file of several members or frames may end after each.
      #expect(complete && Sample.people.hasPrefix(text) && text != Sample.people, "\(count) bytes")
    }
  }

  @Test func aChangedBitNeverGoesUnnoticed() throws {
    for file in ["header.gz", "members.gz", "people.csv.zst", "people.zip", "zip64.zip"] {
      let sample = try Sample(file)
      for place in sample.bytes.indices {
        for bit in 0..<8 {
          var changed = sample
          changed.bytes[place] ^= 1 << bit
          // Headers have bits without a meaning for the content, and a changed magic number is a
          // file of another kind.
          guard let text = try? changed.decompressed().text else { continue }
          let isPrefix = file == "members.gz" && Sample.people.hasPrefix(text)
          #expect(text == Sample.people || isPrefix, "\(file), bit \(bit) of byte \(place)")
        }
      }
    }
  }

  @Test func anErrorNamesTheByte() throws {
    var sample = try Sample("people.csv.gz")
    sample.bytes[sample.bytes.count - 6] ^= 1
    #expect(
      sample.failure()
        == .format(
          "`people.csv.gz` is corrupt at byte \(sample.bytes.count): the checksum does not match",
          at: nil))
    sample = try Sample("people.csv.zst")
    sample.bytes.removeLast()
    #expect(
      sample.failure()
        == .format(
          "`people.csv.zst` is truncated: it ends at byte \(sample.bytes.count)", at: nil))
  }

  @Test func cancellationEndsADecompression() throws {
    let flag = Cancellation()
    flag.cancel()
    let sample = try Sample("people.csv.gz")
    #expect(throws: TableError.cancelled) { try sample.decompressed(cancellation: flag) }
  }

  @Test(arguments: ["gzip", "zstd", "zip"])
  func compressedContentIsDecompressedAgain(name: String) throws {
    let codec = try #require(Sample.codecs.first { $0.names.contains(name) })
    var random = SplitMix64(seed: 8)
    for count in [0, 1, 100, 70_000, 1_000_000] {
      let plain = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() % 20) }
      let compressor = try codec.makeCompressor(contentName: "größe.csv")
      var bytes: [UInt8] = []
      var start = 0
      while start < count {
        let end = min(count, start + Int(random.next() % 100_000))
        bytes += try compressor.compress(Array(plain[start..<end]))
        start = end
      }
      bytes += try compressor.finish()
      #expect(codec.recognizes(bytes))
      let sample = Sample(name: "x", bytes: bytes)
      let (content, pieces) = try sample.decompressed(with: codec)
      #expect(pieces == plain)
      if name == "zip" { #expect(content.name == "größe.csv") }
    }
  }
}
