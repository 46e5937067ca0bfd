import DSInterpreter
import DataSources
import DataTables

/// Explains the positions of the rows that a failed command shows.
struct RowExplanations {
  private let session: Session
  private static let maximumRows = 3

  init(_ session: Session) { self.session = session }

  /// - Parameters:
  ///   - command: the text of the command, which may contain an index path, as in
  ///     `object letters [5, 1]`.
  ///   - lines: the unexpected lines of its output, which may contain index paths, as in the output
  ///     of `show`.
  /// - Returns: the lines of `explain` for the rows that exist; empty without index paths.
  func lines(_ command: String, _ lines: [String]) async -> [String] {
    guard let source = session.sourceInUse, source.state.snapshot != nil else { return [] }
    var paths: [IndexPath] = []
    for path in lines.prefix(64).compactMap(Self.path) + [Self.path(in: command)].compactMap({ $0 })
    where !paths.contains(path) {
      paths.append(path)
    }
    var explained: [String] = []
    for path in paths.prefix(Self.maximumRows) {
      guard
        let report = try? await UnobservedReads.run({
          try await session.explanation(of: path, in: source)
        })
      else { continue }
      explained += Self.text(of: report)
    }
    return explained
  }

  private static func path(in text: String) -> IndexPath? {
    let bytes = Array(text.utf8)
    for start in bytes.indices where bytes[start] == UInt8(ascii: "[") {
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
      let numbers = bytes[start + 1..<end].split(separator: UInt8(ascii: ","))
        .map { Int(String(decoding: $0.drop { $0 == 32 }, as: UTF8.self)) }
      if numbers.count == 2, let section = numbers[0], let row = numbers[1], section >= 0, row >= 0
      {
        return IndexPath(section: section, row: row)
      }
    }
    return nil
  }

  private static func text(of report: Report) -> [String] {
    let width = report.notes.compactMap { $0.subject?.count }.max() ?? 0
    return [report.headline]
      + report.notes.map { note in
        guard let subject = note.subject else { return "  " + note.text }
        let gap = String(repeating: " ", count: width - subject.count + 2)
        return "  " + subject + gap + note.text
      }
  }
}
