import Foundation
import Glibc

/// A server on 127.0.0.1 in a separate process, so that the figures include neither its time nor its
/// memory. It serves one connection after another with prepared bytes.
///
/// - `/pages?page=N`: the N-th of 100 pages of 1,000 records,
///   `{"page", "number_of_pages", "items": [{"id", "name", "city", "price"}, …]}`.
/// - `/late?page=N`: the same page 20 ms after its request, as from a server far away.
/// - `/list?records=N`: an array of N such records, in chunks of a page.
enum PageServer {
  static let pages = 100
  static let recordsOfPage = 1000
  /// Microseconds.
  private static let latency: UInt32 = 20_000

  /// Starts the process and returns its URL; the process ends with its parent.
  static func start() throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["serve"]
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = Pipe()
    try process.run()
    let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    return "http://127.0.0.1:\(port.prefix { $0.isNumber })"
  }

  /// Serves until standard input ends.
  static func serve() throws {
    signal(SIGPIPE, SIG_IGN)
    let records = (1...pages).map(records(ofPage:))
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    print(UInt16(bigEndian: address.sin_port))
    fflush(nil)
    Thread.detachNewThread {
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        Thread.detachNewThread { answer(client, records) }
      }
    }
    while getchar() != EOF {}
  }

  /// The body of the `number`-th page.
  static func page(_ number: Int) -> String { body(number, records(ofPage: number)) }

  private static func body(_ number: Int, _ records: String) -> String {
    #"{"page": \#(number), "number_of_pages": \#(pages), "items": [\#(records)]}"#
  }

  private static func records(ofPage page: Int) -> String {
    (0..<recordsOfPage).map { record((page - 1) * recordsOfPage + $0) }.joined(separator: ", ")
  }

  private static func record(_ number: Int) -> String {
    """
    {"id": \(number), "name": "name \(number &* 7919 % 100_003)", "city": "city \(number % 97)", \
    "price": \(number % 1000).\(number % 90 + 10)}
    """
  }

  private static func answer(_ client: Int32, _ records: [String]) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      let words = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ")
      let number = words.count > 1 ? words[1].split(separator: "=").last.flatMap { Int($0) } : nil
      let isList = words.count > 1 && words[1].hasPrefix("/list")
      if words.count > 1, words[1].hasPrefix("/late") { usleep(latency) }
      let isSent = isList ? list(client, number ?? 1, records) : page(client, number ?? 1, records)
      guard isSent else { break }
    }
    close(client)
  }

  private static func page(_ client: Int32, _ number: Int, _ records: [String]) -> Bool {
    let body = body(number, records[max(0, min(number, pages) - 1)])
    let head = "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)"
    return send(client, "HTTP/1.1 200 OK\r\n\(head)\r\n\r\n\(body)")
  }

  private static func list(_ client: Int32, _ count: Int, _ records: [String]) -> Bool {
    let head = "Content-Type: application/json\r\nTransfer-Encoding: chunked"
    guard send(client, "HTTP/1.1 200 OK\r\n\(head)\r\n\r\n1\r\n[\r\n") else { return false }
    let rounds = max(1, count / recordsOfPage)
    for round in 0..<rounds {
      let items = records[round % pages] + (round == rounds - 1 ? "]" : ", ")
      let size = String(items.utf8.count, radix: 16)
      guard send(client, "\(size)\r\n\(items)\r\n") else { return false }
    }
    return send(client, "0\r\n\r\n")
  }

  private static func send(_ client: Int32, _ text: String) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }
}
