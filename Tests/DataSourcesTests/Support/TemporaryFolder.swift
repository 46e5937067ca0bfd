import Foundation

/// A folder for one test, deleted with its last reference.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("dsshell-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(of name: String) -> String { path + "/" + name }

  /// Writes a file in place, so that its inode does not change, and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let path = path(of: name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Appends to a file as another program would.
  func append(_ text: String, to name: String) {
    guard let file = fopen(path(of: name), "a") else { return }
    fputs(text, file)
    fclose(file)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path(of: name))
  }
}
