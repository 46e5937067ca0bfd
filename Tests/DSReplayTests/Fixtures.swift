import DataSources
import DataTables
import Foundation
import Testing

@testable import DSReplay

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
      let picture = section.failures.flatMap(\.picture)
      // The widths of such a picture would depend on the place of the checkout.
      for (expected, actual) in zip(picture, picture.dropFirst())
      where expected.hasSuffix(" expected") && actual.hasSuffix(" actual") {
        guard actual.contains(folder) else { continue }
        Issue.record("a compared line contains the path of the folder: \(actual)")
      }
      lines += picture
      let title = section.title.map { "\($0): " } ?? ""
      var summary = "\(title)\(section.status.rawValue), \(section.passedCommands) passed"
      if section.skippedCommands > 0 { summary += ", \(section.skippedCommands) skipped" }
      if section.notRunCommands > 0 { summary += ", \(section.notRunCommands) not run" }
      lines.append(summary + (section.reason.isEmpty ? "" : " (\(section.reason))"))
    }
    let unused = UnusedParts([(TestJob(path: outcome.path), outcome)]).parts
    lines += unused.map { $0.text(isStrict: false) }
    return lines.joined(separator: "\n").replacingOccurrences(of: folder, with: "") + "\n"
  }
}

extension FileOutcome {
  /// The mistakes of the script and its failures, as people see them.
  var problems: [String] { mistakes + failures.flatMap(\.picture) }
}

extension SeededGenerator {
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }
}
