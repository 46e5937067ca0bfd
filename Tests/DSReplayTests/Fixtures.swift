import DSReplay
import DataSources
import DataTables
import Foundation
import Testing

/// The scripts of this folder.
enum Fixtures {
  static let folder =
    #filePath.split(separator: "/").dropLast().reduce(into: "") { $0 += "/" + $1 }
    + "/Scripts/"

  static func names(_ suffix: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(suffix) }.sorted()
  }

  static func outcome(
    of name: String, _ environment: ReplayEnvironment = ReplayEnvironment()
  ) async throws -> FileOutcome {
    let text = try TextFile.read(folder + name, cancellation: Cancellation())
    return await ReplayRunner(environment).run(ReplayScript(text, path: folder + name))
  }

  /// A run as people see it, with paths relative to this folder.
  static func report(_ outcome: FileOutcome) -> String {
    var lines = outcome.mistakes
    for section in outcome.sections {
      lines += section.failures.flatMap(\.picture)
      let title = section.title.map { "\($0): " } ?? ""
      var summary = "\(title)\(section.status.rawValue), \(section.passedCommands) passed"
      if section.skippedCommands > 0 { summary += ", \(section.skippedCommands) skipped" }
      if section.notRunCommands > 0 { summary += ", \(section.notRunCommands) not run" }
      lines.append(summary + (section.reason.isEmpty ? "" : " (\(section.reason))"))
    }
    return lines.joined(separator: "\n").replacingOccurrences(of: folder, with: "") + "\n"
  }
}

extension SeededGenerator {
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }
}
