import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The targets of `Scripts/fuzz` read the files of the tests and the kept inputs, whole and damaged.
@Suite struct FuzzTargetTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Files of tests of up to 4 KB, by their extensions, and kept inputs, by the folders of targets.
  private static let inputs: [String: [[UInt8]]] = {
    var inputs: [String: [[UInt8]]] = [:]
    let paths =
      FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    for path in paths.sorted() {
      let file = folder.appendingPathComponent(path)
      guard let data = try? Data(contentsOf: file), data.count <= 4096 else { continue }
      let parts = path.split(separator: "/")
      let isKept = parts.count == 4 && parts[1] == "Corpus"
      let kind = isKept ? "target " + parts[2] : file.pathExtension.lowercased()
      inputs[kind, default: []].append(Array(data))
    }
    return inputs
  }()

  @Test(arguments: FuzzTarget.all.map(\.name)) func theTargetReadsItsInputs(name: String)
    async throws
  {
    let target = try #require(FuzzTarget.named(name))
    var inputs = target.extensions.flatMap { Self.inputs[$0] ?? [] }
    inputs += Self.inputs["target \(name)"] ?? []
    #expect(!inputs.isEmpty)
    var random = SplitMix64(seed: 1)
    for input in inputs.prefix(60) {
      await target.read(input)
      for _ in 0..<5 { await target.read(Self.damaged(input, &random)) }
    }
  }

  @Test func eachFolderOfInputsHasATarget() {
    let folders = Self.inputs.keys.filter { $0.hasPrefix("target ") }
    let names = FuzzTarget.all.map { "target " + $0.name }
    #expect(folders.filter { !names.contains($0) } == [])
    #expect(!folders.isEmpty)
  }

  private static func damaged(_ input: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = input
    for _ in 0..<1 + random.below(4) where !bytes.isEmpty {
      let place = random.below(bytes.count)
      switch random.below(3) {
      case 0: bytes.removeSubrange(place...)
      case 1: bytes[place] = UInt8(random.below(256))
      default: bytes.insert(contentsOf: bytes[place...].prefix(8), at: place)
      }
    }
    return bytes
  }
}
