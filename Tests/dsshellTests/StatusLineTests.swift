import DataSources
import Glibc
import Testing

@testable import dsshell

/// The status line byte by byte, on a pseudoterminal.
@Suite(.serialized) final class StatusLineTests {
  private let master: Int32
  private let slave: Int32
  private let line: StatusLine
  private let report = Progress.Report("fetch a", elapsed: .seconds(2))
  private let drawn = "\r\u{1B}[Jfetch a  2.0 s  Ctrl-C cancels\r"

  init() throws {
    var master: Int32 = -1
    var slave: Int32 = -1
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&master, &slave, nil, nil, &size) == 0)
    self.master = master
    self.slave = slave
    line = StatusLine(Terminal(slave, allowsColor: false), isVisible: true)
  }

  deinit {
    StatusLine.erase(slave)
    close(slave)
    close(master)
  }

  /// The text sent to the terminal since the last call.
  private func sent() throws -> String {
    // Written text arrives with a delay, but in order: the mark is last.
    let mark = UInt8(ascii: "#")
    try #require([mark].withUnsafeBytes { write(slave, $0.baseAddress, 1) } == 1)
    var sent: [UInt8] = []
    while sent.last != mark {
      var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      try #require(poll(&polled, 1, 20_000) > 0)
      var bytes: [UInt8] = Array(repeating: 0, count: 4096)
      let count = read(master, &bytes, bytes.count)
      try #require(count > 0)
      sent += bytes.prefix(count)
    }
    return String(decoding: sent.dropLast(), as: UTF8.self)
  }

  @Test func aDrawingReplacesTheLastOne() throws {
    line.open()
    line.draw(report)
    #expect(try sent() == drawn)
    line.draw(report)
    #expect(try sent() == drawn)
  }

  @Test func withoutProgressTheLineIsErased() throws {
    line.open()
    line.draw(report)
    line.draw(nil)
    #expect(try sent() == drawn + "\r\u{1B}[J")
    line.draw(nil)
    #expect(try sent() == "")
  }

  @Test func otherTextReplacesTheLine() throws {
    line.open()
    line.draw(report)
    line.write("trace: a will\n")
    line.write("trace: a finished\n")
    #expect(try sent() == drawn + "\r\u{1B}[Jtrace: a will\r\ntrace: a finished\r\n")
    line.draw(report)
    #expect(try sent() == drawn)
  }

  @Test func aClosedLineIsNotDrawn() throws {
    line.draw(report)
    #expect(try sent() == "")
    line.open()
    line.draw(report)
    #expect(line.close())
    #expect(!line.close())
    line.draw(report)
    #expect(try sent() == drawn + "\r\u{1B}[J")
  }

  @Test func anInvisibleLineIsNotDrawn() throws {
    let hidden = StatusLine(Terminal(slave, allowsColor: false), isVisible: false)
    hidden.open()
    hidden.draw(report)
    hidden.write("text\n")
    #expect(try sent() == "text\r\n")
  }
}
