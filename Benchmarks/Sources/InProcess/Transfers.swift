import DataSources
import Glibc
import HTTPTransport

/// The transport alone over loopback, bodies thrown away.
func measureTransfers() async throws {
  let url = try PageServer.start()
  let transport = HTTPTransport()
  try await measure("100 pages of 1,000 records") {
    for page in 1...PageServer.pages {
      _ = try await size(of: "\(url)/pages?page=\(page)", through: transport)
    }
  }
  let list = "\(url)/list?records=3000000"
  let bytes = try await size(of: list, through: transport)
  resetPeakMemory()
  let before = peakMemory()
  try await measure("a body of \(bytes / 1_000_000) MB", runs: 3) {
    _ = try await size(of: list, through: transport)
  }
  show("its peak memory, and that before", [peakMemory(), before].map { "\($0 >> 10) MiB" })
}

private func measure(
  _ label: String, runs: Int = 7, _ body: () async throws -> Void
) async throws {
  var durations: [Duration] = []
  for _ in 0..<runs {
    let start = ContinuousClock.now
    try await body()
    durations.append(start.duration(to: .now))
  }
  report(label, durations)
}

private func size(of url: String, through transport: some Transport) async throws -> Int {
  var size = 0
  for try await piece in try await transport.send(TransportRequest(url: url)).body {
    size += piece.count
  }
  return size
}

/// Kilobytes.
private func peakMemory() -> Int {
  guard let file = fopen("/proc/self/status", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let text = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let words = String(decoding: text, as: UTF8.self).split { $0 == " " || $0 == "\t" }
    if words.first == "VmHWM:", words.count > 1 { return Int(words[1]) ?? 0 }
  }
  return 0
}

private func resetPeakMemory() {
  guard let file = fopen("/proc/self/clear_refs", "w") else { return }
  fputs("5", file)
  fclose(file)
}
