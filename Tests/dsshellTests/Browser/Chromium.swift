import DataTables
import Foundation
import Glibc
import TestSupport
import Testing

/// A headless Chromium, driven with its DevTools protocol over two pipes.
final class Chromium {
  private let process: ShellProcess
  private let input: Int32
  private let output: Int32
  private let folder: TemporaryFolder
  private var unread: [UInt8] = []
  private var lastNumber = 0
  /// The messages without a request, in order.
  private(set) var events: [Record] = []
  private static let patience = 60.0

  init() throws {
    folder = try TemporaryFolder()
    var commands: [Int32] = [0, 0]
    var answers: [Int32] = [0, 0]
    try #require(pipe(&commands) == 0 && pipe(&answers) == 0)
    for end in commands + answers { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (input, output) = (commands[1], answers[0])
    // Descriptors 3 and 4 are those of the protocol. The sandbox needs rights that containers lack.
    let program: String = try #require(TestBrowser.path)
    process = try ShellProcess(
      program: program,
      [
        "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu",
        "--no-first-run", "--disable-background-networking", "--user-data-dir=\(folder.path)",
        "about:blank",
      ],
      environment: ["HOME": folder.path],
      streams: [
        .file("/dev/null", flags: O_RDONLY), .file("/dev/null", flags: O_WRONLY),
        .file("/dev/null", flags: O_WRONLY), .descriptor(commands[0]), .descriptor(answers[1]),
      ])
    close(commands[0])
    close(answers[1])
  }

  deinit {
    _ = try? send("Browser.close")
    close(input)
    close(output)
    _ = process.wait()
  }

  /// Sends a request and waits for its result.
  @discardableResult
  func send(_ method: String, _ parameters: Value = [:], session: String? = nil) throws -> Record {
    lastNumber += 1
    let number = lastNumber
    var request: [(String, Value)] = [
      ("id", .integer(number)), ("method", .string(method)), ("params", parameters),
    ]
    if let session { request.append(("sessionId", .string(session))) }
    let bytes = Array(Value.record(Record(request)).json.utf8) + [0]
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(input, $0.baseAddress?.advanced(by: sent), bytes.count - sent)
      }
      try #require(count > 0, "Chromium has ended")
      sent += count
    }
    let end = Date().addingTimeInterval(Self.patience)
    while true {
      let answer = try message(before: end, method)
      guard answer["id"] == .integer(number) else {
        events.append(answer)
        continue
      }
      if let error = answer["error"] { Issue.record("\(method): \(error.json)") }
      return answer["result"]?.record ?? Record([])
    }
  }

  private func message(before end: Date, _ method: String) throws -> Record {
    while true {
      if let zero = unread.firstIndex(of: 0) {
        let text = String(decoding: unread[..<zero], as: UTF8.self)
        unread.removeSubrange(...zero)
        return try #require(try Value(json: text).record)
      }
      let left = end.timeIntervalSinceNow
      try #require(left > 0, "\(method) was not answered")
      var polled = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, Int32(left * 1000)) > 0 else { continue }
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(output, &chunk, chunk.count)
      try #require(count > 0, "Chromium has ended")
      unread += chunk.prefix(count)
    }
  }
}

/// A window of a browser.
final class BrowserPage {
  private let browser: Chromium
  private let session: String

  /// Opens an address in a new window.
  /// - Parameter isAlone: whether it shares nothing with other windows, as if it had a browser of its
  ///   own. A browser opens at most six connections to a server for all windows together.
  init(
    _ address: String, in browser: Chromium, width: Int = 1280, height: Int = 800,
    isDark: Bool = false, isAlone: Bool = false
  ) throws {
    self.browser = browser
    var place: [(String, Value)] = [("url", "about:blank")]
    if isAlone {
      let context = try browser.send("Target.createBrowserContext")
      place.append(("browserContextId", try #require(context["browserContextId"])))
    }
    let created = try browser.send("Target.createTarget", .record(Record(place)))
    let target = try #require(created["targetId"])
    let attached = try browser.send(
      "Target.attachToTarget", ["targetId": target, "flatten": true])
    session = try #require(attached["sessionId"]?.text)
    for domain in ["Page", "Runtime", "Network", "Log", "Accessibility"] {
      try send("\(domain).enable")
    }
    try send(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .integer(width), "height": .integer(height), "deviceScaleFactor": 1,
        "mobile": .bool(width < 500),
      ])
    try send(
      "Emulation.setEmulatedMedia",
      [
        "features": .array([
          ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"]
        ])
      ])
    try send("Page.navigate", ["url": .string(address)])
  }

  @discardableResult
  func send(_ method: String, _ parameters: Value = [:]) throws -> Record {
    try browser.send(method, parameters, session: session)
  }

  /// The elements of the page as assistive technology sees them, without those that it ignores.
  func accessibleElements() throws -> [AccessibleElement] {
    let nodes = try send("Accessibility.getFullAXTree")["nodes"]?.elements ?? []
    return nodes.compactMap(\.record).filter { $0["ignored"] != true }.map { node in
      let properties = (node["properties"]?.elements ?? []).compactMap(\.record)
      func property(_ name: Value) -> Value? {
        properties.first { $0["name"] == name }?["value"]?.record?["value"]
      }
      return AccessibleElement(
        role: node["role"]?.record?["value"]?.text ?? "",
        name: node["name"]?.record?["value"]?.text ?? "",
        isFocusable: property("focusable") == true,
        level: property("level").flatMap { Int($0.json) })
    }
  }

  /// The value of an expression of JavaScript.
  @discardableResult
  func evaluate(_ expression: String) throws -> Value {
    let answer = try send(
      "Runtime.evaluate",
      ["expression": .string(expression), "returnByValue": true, "awaitPromise": true])
    if let failure = answer["exceptionDetails"] {
      Issue.record("\(expression): \(failure.json.prefix(500))")
    }
    return answer["result"]?.record?["value"] ?? .null
  }

  /// Waits until a condition in JavaScript holds.
  func wait(
    for condition: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let end = Date().addingTimeInterval(60)
    while try evaluate("Boolean(\(condition))") != true {
      try #require(Date() < end, "\(condition) never held", sourceLocation: location)
      usleep(10_000)
    }
  }

  /// Presses keys by their names, such as `ArrowDown`.
  func press(_ keys: String...) throws {
    for key in keys {
      for type in ["rawKeyDown", "keyUp"] {
        try send("Input.dispatchKeyEvent", ["type": .string(type), "key": .string(key)])
      }
    }
  }

  /// A PNG of the window.
  func picture() throws -> Data {
    let answer = try send("Page.captureScreenshot", ["format": "png"])
    return try #require(answer["data"]?.text.flatMap { Data(base64Encoded: $0) })
  }

  func text(of selector: String) throws -> String {
    try evaluate("document.querySelector('\(selector)')?.textContent").text ?? ""
  }

  /// The messages of a domain about this window.
  func events(_ method: String) -> [Record] {
    browser.events.filter { $0["method"] == .string(method) && $0["sessionId"] == .string(session) }
      .compactMap { $0["params"]?.record }
  }

  /// The problems that the browser reported: exceptions, errors of the console and of the network.
  var problems: [String] {
    (events("Runtime.exceptionThrown") + events("Log.entryAdded")
      + events("Runtime.consoleAPICalled")
      + events("Network.loadingFailed").filter {
        $0["canceled"] != true
      }).map { Value.record($0).json }
  }

  /// The addresses of all requests.
  var requests: [String] {
    events("Network.requestWillBeSent").compactMap { $0["request"]?.record?["url"]?.text }
  }
}

struct AccessibleElement {
  let role: String
  let name: String
  let isFocusable: Bool
  /// The level of a heading.
  let level: Int?
}

extension Value {
  var record: Record? { if case .record(let record) = self { record } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
  var elements: [Value] { if case .array(let elements) = self { elements } else { [] } }
}
