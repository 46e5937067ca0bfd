/// The lines of a document on which the elements of its arrays and records start, for the arrays
/// and records that are reached through keys alone.
///
/// The reader of a document notes them for every part that may become the rows.
package struct DocumentLines: Sendable {
  private var lines: [[String]: [Int]] = [:]

  /// The lines of more parts are not kept: a document with so many is data from top to bottom.
  private static let maxParts = 4_096

  package init() {}

  /// - Parameters:
  ///   - elements: the line of each element, from 1.
  ///   - path: the keys of the array or record, from the root.
  package mutating func note(_ elements: [Int], at path: [String]) {
    if !elements.isEmpty, lines.count < Self.maxParts { lines[path] = elements }
  }

  /// The line of each element of the array or record at `path`; nil if the lines were not
  /// noted.
  package subscript(path: [String]) -> [Int]? { lines[path] }
}
