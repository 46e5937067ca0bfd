import DSInterpreter
import DataSources
import DataTables
import Foundation
import Testing

/// Watched compressed files that other programs replace.
struct CompressedWatchTests {
  /// The gzip format of RFC 1952, with one stored block.
  private func gzip(_ text: String) -> Data {
    let bytes = Array(text.utf8)
    func littleEndian(_ value: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
    }
    var check = UInt32.max
    for byte in bytes {
      check ^= UInt32(byte)
      for _ in 0..<8 { check = check >> 1 ^ (check & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    let count = UInt32(bytes.count)
    return Data(
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + littleEndian(count, 2) + littleEndian(~count, 2)
        + bytes + littleEndian(~check, 4) + littleEndian(count, 4))
  }

  @Test(arguments: [nil, Duration.milliseconds(5)])
  func aReplacedFileIsReadAgain(interval: Duration?) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("dsshell-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("log.csv.gz")
    try gzip("n,name\n1,Ann\n").write(to: file)
    let source = try await SimpleSource.load(file.path, formats: .standard)
    let monitors = SourceMonitors()
    try monitors.observe(
      [(source, interval)], clock: AdjustableClock(), cancellation: Cancellation())
    func expect(_ count: Int) async throws {
      for _ in 0..<2_000 where source.numberOfObjects != count {
        _ = try await monitors.readChanges(cancellation: Cancellation())
        try await Task.sleep(for: .milliseconds(2))
      }
      #expect(source.numberOfObjects == count)
      #expect(source.error == nil)
    }
    let text = "n,name\n1,Ann\n2,Bob\n"
    try gzip(text).write(to: file, options: .atomic)
    try await expect(2)
    #expect(try await source.changes() == [.insert(IndexPath(section: 0, row: 1))])
    // A member that is appended, as a program that compresses each line does.
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(contentsOf: gzip("3,Cy\n"))
    try handle.close()
    try await expect(3)
    // A file that is written in two parts is read when it is complete.
    let whole = gzip(text + "3,Cy\n4,Di\n")
    try whole.prefix(whole.count / 2).write(to: file)
    _ = try await monitors.readChanges(cancellation: Cancellation())
    try whole.write(to: file)
    try await expect(4)
  }
}
