import DataSources
import Foundation
import Testing

@testable import DSReplay

@Suite struct LinesDigestTests {
  static func digest(_ bytes: some Sequence<UInt8>) -> String {
    var digest = SHA256()
    digest.add(bytes)
    return digest.finish()
  }

  /// From FIPS 180-2, appendix B, and for the empty message.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func theDigestIsThatOfTheStandard(message: String, digest: String) {
    #expect(Self.digest(message.utf8) == digest)
  }

  @Test func aMillionLettersHaveTheDigestOfTheStandard() {
    #expect(
      Self.digest(repeatElement(UInt8(ascii: "a"), count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  /// Lengths around the size of a block.
  @Test func theDigestIsThatOfTheSystemsTool() throws {
    for count in Array(50...70) + [119, 120, 127, 128, 129] {
      let line = String(repeating: "x", count: count)
      let process = Process()
      let (input, output) = (Pipe(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
      (process.standardInput, process.standardOutput) = (input, output)
      try process.run()
      input.fileHandleForWriting.write(Data((line + "\n").utf8))
      try input.fileHandleForWriting.close()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(text.hasPrefix(LinesDigest(of: [line], digits: 64).hash), "\(count)")
    }
  }

  @Test func theTextParsesAsTheDigest() {
    let digest = LinesDigest(of: (0..<2000).map(String.init))
    #expect(digest.text.hasPrefix("2,000 lines, sha256 ") && digest.hash.utf8.count == 16)
    #expect(LinesDigest(parsing: digest.text) == digest)
    #expect(LinesDigest(parsing: digest.text.replacingOccurrences(of: "2,", with: "2")) == digest)
    let one = LinesDigest(of: ["a"], digits: 64)
    #expect(one.text.hasPrefix("1 line, ") && LinesDigest(parsing: one.text) == one)
  }

  @Test(arguments: [
    "", "2 lines", "2 lines, sha256", "2 lines, sha256 0123", "2 lines, sha256 0123456789ABCDEF",
    "0 lines, sha256 0123456789abcdef", "x lines, sha256 0123456789abcdef",
    "2 rows, sha256 0123456789abcdef", "2 lines, md5 0123456789abcdef",
    "2 lines, sha256 0123456789abcdef more", "99999999999999999999 lines, sha256 0123456789abcdef",
  ])
  func anotherTextIsNotADigest(text: String) {
    #expect(LinesDigest(parsing: text) == nil)
  }
}
