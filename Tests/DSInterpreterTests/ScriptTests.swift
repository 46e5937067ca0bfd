import DSInterpreter
import DSReplay
import DataSources
import DataTables
import Foundation
import Testing

@Suite struct ScriptTests {
  @Test(arguments: ScriptFile.all)
  func theScriptPasses(script: ScriptFile) async throws {
    let failures = try await script.failures()
    #expect(failures == [])
  }

  @Test func scriptsAreFound() {
    #expect(ScriptFile.all.count > 20)
  }
}

/// A script with the expected output below its commands.
struct ScriptFile: CustomTestStringConvertible {
  let path: String
  var testDescription: String { String(path.split(separator: "/").last ?? "") }

  /// The cassette next to the script, with its name.
  private var cassette: String { path.dropLast(2) + "cassette" }

  static var all: [ScriptFile] { scripts(in: "Scripts") + scripts(in: "Scripts/formats") }

  static func scripts(in folder: String) -> [ScriptFile] {
    let folder = Self.testFolder + "/" + folder
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".ds") }.sorted().map { ScriptFile(path: "\(folder)/\($0)") }
  }

  static let testFolder = #filePath.split(separator: "/").dropLast()
    .reduce(into: "") { $0 += "/" + $1 }
  /// The folder of the project's scripts and their data.
  static let projectScripts =
    testFolder.split(separator: "/").dropLast(2)
    .reduce(into: "") { $0 += "/" + $1 } + "/Scripts"

  /// Runs the script; returns the pictures of all failures.
  /// - Parameter network: used by all commands in place of the script's cassette. A missing cassette is
  ///   recorded instead.
  func failures(network: (any Transport)? = nil) async throws -> [String] {
    var environment = ReplayEnvironment()
    environment.arguments = ["one", "two"]
    environment.network = network
    environment.allowsNetwork = network != nil
    var text = try TextFile.read(path, cancellation: Cancellation())
    if network != nil, FileManager.default.fileExists(atPath: cassette) {
      // Keeps the line, empty, so that line numbers stay the same.
      text = text.replacing(/(?m)^#% cassette .*$/, with: "")
    }
    let outcome = await ReplayRunner(environment).run(ReplayScript(text, path: path))
    return outcome.mistakes + outcome.failures.map { $0.picture.joined(separator: "\n") }
  }
}
