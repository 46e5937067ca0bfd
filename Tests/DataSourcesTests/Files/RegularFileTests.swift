import DataTables
import Foundation
import Glibc
import Testing

@testable import DataSources

@Suite struct RegularFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func pipe(_ name: String = "pipe") -> String {
    let path = folder.path(of: name)
    #expect(mkfifo(path, 0o600) == 0)
    return path
  }

  private func link(to path: String) throws -> String {
    let link = folder.path(of: "link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    return link
  }

  private func kind(of path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  private func error(_ path: String, isA kind: String = "named pipe") -> TableError {
    .io("`\(path)` is a \(kind), not a regular file")
  }

  @Test func aPipeIsNotReplaced() throws {
    let pipe = pipe()
    for path in [pipe, try link(to: pipe)] {
      #expect(throws: error(path)) { try RegularFile.check(path) }
      #expect(throws: error(path)) { try WholeFile.check(path) }
      #expect(throws: error(path)) { try WholeFile.write([], to: path) }
      #expect(throws: error(path)) { try RegularFile.open(path, flags: O_CREAT) }
    }
    #expect(kind(of: pipe) == S_IFIFO && kind(of: folder.path(of: "link")) == S_IFLNK)
  }

  @Test func anOpenStreamIsNotReplaced() throws {
    let file = folder.path(of: "file")
    let descriptor = open(file, O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    let paths = [
      "/dev/fd/\(descriptor)", "/proc/self/fd/\(descriptor)", "/proc/\(getpid())/fd/\(descriptor)",
      try link(to: "/dev/fd/\(descriptor)"),
    ]
    for path in paths {
      let error = TableError.io("`\(path)` is an open stream, not a regular file")
      #expect(throws: error) { try RegularFile.check(path) }
      #expect(throws: error) { try WholeFile.write([], to: path) }
    }
    for path in ["/dev/stdout", "/dev/stderr"] where access("/dev/stdout", F_OK) == 0 {
      #expect(RegularFile.isStream(path))
    }
    for path in [file, folder.path(of: "missing"), "/dev/null", "/proc/self/status", "fd"] {
      #expect(!RegularFile.isStream(path))
    }
  }

  @Test func aSocketIsNotReplaced() throws {
    let path = folder.path(of: "s")
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0)
    #expect(throws: error(path, isA: "socket")) { try WholeFile.write([], to: path) }
    #expect(throws: error(path, isA: "socket")) { try RegularFile.open(path, flags: 0) }
    #expect(kind(of: path) == S_IFSOCK)
  }

  /// Only checks: a test must not write to a device of the machine.
  @Test func aDeviceIsRefused() throws {
    for path in ["/dev/tty", try link(to: "/dev/tty")] {
      #expect(throws: error(path, isA: "character device")) { try RegularFile.check(path) }
    }
  }

  @Test func aWriteThroughALinkKeepsTheLink() throws {
    let path = try folder.write("old", to: "a.txt")
    let link = try link(to: path)
    try WholeFile.write(Array("new".utf8), to: link)
    #expect(kind(of: link) == S_IFLNK && kind(of: path) == S_IFREG)
    #expect(try TextFile.read(path, cancellation: Cancellation()) == "new")
  }

  @Test func anErrorShowsTheNamePassedByTheCaller() throws {
    let pipe = pipe()
    #expect(throws: error("out")) { try RegularFile.check(pipe, named: "out") }
    #expect(throws: error("out")) { try RegularFile.open(pipe, flags: 0, named: "out") }
  }

  @Test func aCassetteIsNotRecordedOverAPipe() throws {
    let pipe = pipe("pipe.cassette")
    let router = TransportRouter(files: FileTransport())
    for path in [pipe, try link(to: pipe)] {
      #expect(throws: SourceError.data(error(path))) {
        try router.insertCassette(path, mode: .record)
      }
    }
    #expect(kind(of: pipe) == S_IFIFO && router.cassette == nil)
  }

  @Test func aPipeThatReplacesACassetteIsKept() async throws {
    let path = folder.path(of: "x.cassette")
    let recorder = CassetteRecorder(
      path: path, through: ScriptedTransport { _ in TransportResponse("one") })
    let request = TransportRequest(url: "http://a.test/")
    _ = try await recorder.send(request)
    try folder.remove("x.cassette")
    #expect(mkfifo(path, 0o600) == 0)
    await #expect(
      throws: TransportError.cassette("`\(path)` is a named pipe, not a regular file")
    ) { try await recorder.send(request) }
    #expect(kind(of: path) == S_IFIFO)
  }
}
