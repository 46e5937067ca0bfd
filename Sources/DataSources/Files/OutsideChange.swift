package import DataTables
import Glibc

/// A change of a file that a test makes as another program would. It goes to the current
/// ``FileOverlay``, never to the file itself.
package struct OutsideChange: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case append, write, remove
  }
  package let kind: Kind
  package let path: String
  private let text: String

  package init(_ kind: Kind, _ path: String, text: String = "") {
    self.kind = kind
    self.path = path
    self.text = text
  }

  /// The same change of a path that is resolved from another folder.
  package func at(_ path: String) -> OutsideChange { OutsideChange(kind, path, text: text) }

  /// - Throws: `TableError.io`, also outside of a test, for text after a missing file, and for the
  ///   removal of a file that the test has not written.
  package func make() throws(TableError) {
    guard FileOverlay.current != nil else { throw .io("only a test can change `\(path)`") }
    let bytes = Array(text.utf8)
    switch kind {
    case .append:
      guard WholeFile.exists(path) else {
        throw .io("cannot append to `\(path)`: it does not exist; `#% write` creates it")
      }
      let copy = FileOverlay.readable(path)
      let target = try FileOverlay.writable(path)
      if copy != target { try WholeFile.write(try Self.content(of: path), to: path) }
      try Self.append(bytes, to: target, named: path)
    case .write: try WholeFile.write(bytes, to: path)
    case .remove:
      let copy = FileOverlay.readable(path)
      guard copy == (try FileOverlay.writable(path)) else {
        throw .io("cannot remove `\(path)`: the test did not write it")
      }
      guard unlink(copy) == 0 else { throw OpenFile.failure("cannot remove", path) }
    }
  }

  private static func content(of path: String) throws(TableError) -> [UInt8] {
    let file = try OpenFile(path: path)
    var bytes: [UInt8] = []
    while let piece = try file.readNext(1 << 20), !piece.isEmpty { bytes += piece }
    return bytes
  }

  private static func append(
    _ bytes: [UInt8], to path: String, named name: String
  ) throws(TableError) {
    let descriptor = try RegularFile.open(path, flags: O_APPEND | O_CREAT, named: name)
    defer { close(descriptor) }
    let count = bytes.withUnsafeBytes { buffer in
      OpenFile.retrying { Glibc.write(descriptor, buffer.baseAddress, buffer.count) }
    }
    guard count == bytes.count else { throw OpenFile.failure("cannot write", name) }
  }
}
