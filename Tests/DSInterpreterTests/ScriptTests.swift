import DSInterpreter
import DSReplay
import DataSources
import DataTables
import Foundation
import HTTPTransport
import TestSupport
import Testing

@Suite struct ScriptTests {
  @Test(arguments: ScriptFile.all.filter { $0.server == nil })
  func theScriptPasses(script: ScriptFile) async throws {
    #expect(try await script.failures() == [])
  }

  @Test(.requires(.postgres)) func scriptsWithPostgreSQLPass() async throws {
    for script in ScriptFile.all where script.server == .postgres {
      #expect(try await script.failures() == [])
    }
  }

  @Test(.requires(.clickhouse)) func scriptsWithClickHousePass() async throws {
    for script in ScriptFile.all where script.server == .clickhouse {
      #expect(try await script.failures() == [])
    }
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

  /// The server without which all of its commands are skipped.
  var server: TestDatabases.Server? {
    guard let text = try? TextFile.read(path, cancellation: Cancellation()),
      text.contains("#% require ")
    else { return nil }
    let commands = ReplayScript(text, path: path).commands
    func requires(_ facility: Facility) -> Bool {
      commands.allSatisfy { $0.setting.requirements.contains(facility) }
    }
    if commands.isEmpty { return nil }
    return requires(.clickhouse) ? .clickhouse : requires(.postgres) ? .postgres : nil
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
  func failures(
    over engine: TableEngine? = nil, network: (any Transport)? = nil
  ) async throws -> [String] {
    var environment = ReplayEnvironment()
    environment.arguments = ["one", "two"]
    // Some scripts require a server, and some copy their arrays to ClickHouse.
    environment.network = network ?? HTTPTransport()
    environment.facilities = Facility.available(hasNetwork: false)
    environment.allowsNetwork = network != nil
    var text = try TextFile.read(path, cancellation: Cancellation())
    if network != nil, FileManager.default.fileExists(atPath: cassette) {
      // Keeps the line, empty, so that line numbers stay the same.
      text = text.replacing(/(?m)^#% cassette .*$/, with: "")
    }
    environment.engine = engine
    let outcome = await ReplayRunner(environment).run(ReplayScript(text, path: path))
    return outcome.mistakes + outcome.failures.map { $0.picture.joined(separator: "\n") }
  }
}
