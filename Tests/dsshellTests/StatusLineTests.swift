import DataSources
import Glibc
import Testing

@testable import dsshell

/// The status line byte by byte, on a terminal of our own.
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

  /// What the terminal was sent since it was last asked.
  private func sent() throws -> String {
    // What is written arrives in its own time, but in order.
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

  @Test func itIsDrawnOverItself() throws {
    line.open()
    line.draw(report)
    #expect(try sent() == drawn)
    line.draw(report)
    #expect(try sent() == drawn)
  }

  @Test func itGoesWhenThereIsNothingToTell() throws {
    line.open()
    line.draw(report)
    line.draw(nil)
    #expect(try sent() == drawn + "\r\u{1B}[J")
    line.draw(nil)
    #expect(try sent() == "")
  }

  @Test func otherTextTakesItsPlace() throws {
    line.open()
    line.draw(report)
    line.write("trace: a will\n")
    line.write("trace: a finished\n")
    #expect(try sent() == drawn + "\r\u{1B}[Jtrace: a will\r\ntrace: a finished\r\n")
    line.draw(report)
    #expect(try sent() == drawn)
  }

  @Test func oneThatIsClosedStaysAway() throws {
    line.draw(report)
    #expect(try sent() == "")
    line.open()
    line.draw(report)
    #expect(line.close())
    #expect(!line.close())
    line.draw(report)
    #expect(try sent() == drawn + "\r\u{1B}[J")
  }

  @Test func oneThatNobodySeesIsNotDrawn() throws {
    let hidden = StatusLine(Terminal(slave, allowsColor: false), isVisible: false)
    hidden.open()
    hidden.draw(report)
    hidden.write("text\n")
    #expect(try sent() == "text\r\n")
  }
}
