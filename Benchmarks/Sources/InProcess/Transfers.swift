import DataSources
import DataTables
import Glibc
import HTTPTransport

/// Compares sources over loopback with the transport alone, which sends the same requests and discards
/// the bodies.
func measureTransfers() async throws {
  let url = try PageServer.start()
  let transport = HTTPTransport()
  try await compare("100 pages of 1,000 records") {
    for page in 1...PageServer.pages {
      _ = try await size(of: "\(url)/pages?page=\(page)", through: transport)
    }
  } with: {
    let pages = PaginatedSource(
      TransportRequest(url: "\(url)/pages"), through: transport, options: try options(at: "items"),
      formats: .core)
    try await pages.fetchAllPages()
    try check(pages, has: PageServer.pages * PageServer.recordsOfPage)
  }
  for (label, path) in [("", "pages"), (", each after 20 ms", "late")] {
    try await compare("100 pages\(label)", in: "\(url)/\(path)", through: transport)
  }
  let list = "\(url)/list?records=3000000"
  let bytes = try await size(of: list, through: transport)
  resetPeakMemory()
  let before = peakMemory()
  try await compare("a body of \(bytes / 1_000_000) MB", runs: 3) {
    _ = try await size(of: list, through: transport)
  } with: {
    let source = RemoteSource(TransportRequest(url: list), through: transport, formats: .core)
    let cities = SectionedSource(
      source, key: ObjectKeyPath(key: "city"), sort: [SortDescriptor(ObjectKeyPath(key: "city"))])
    try await cities.fetchData()
    try check(cities, has: 3_000_000)
  }
  show("its peak memory, and that before", [peakMemory(), before].map { "\($0 >> 10) MiB" })
}

/// Compares pages that are fetched one after another with the same ones side by side.
private func compare(
  _ label: String, in url: String, through transport: HTTPTransport
) async throws {
  func fetch(_ transport: any Transport) async throws {
    let pages = PaginatedSource(
      TransportRequest(url: url), through: transport, options: try options(at: "items"),
      formats: .core)
    try await pages.fetchAllPages()
    try check(pages, has: PageServer.pages * PageServer.recordsOfPage)
  }
  try await compare(label, "in order", "side by side") {
    try await fetch(OneByOne(base: transport))
  } with: {
    try await fetch(transport)
  }
}

/// Sends one request after another.
private struct OneByOne: Transport {
  let base: HTTPTransport

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try await base.send(request)
  }
}

private func options(at keyPath: String) throws -> ReadOptions {
  var options = ReadOptions()
  options.keyPath = try ObjectKeyPath(parsing: keyPath)
  return options
}

struct WrongCount: Error { let found: Int }

private func check(_ source: some DataSource, has count: Int) throws {
  guard source.numberOfObjects == count else { throw WrongCount(found: source.numberOfObjects) }
}

/// Times two works alternately, by default the transport alone and a source, and prints the least and
/// the median ratio of the second to the first.
private func compare(
  _ label: String, _ first: String = "transport alone", _ second: String = "source",
  runs: Int = 7, _ alone: () async throws -> Void, with source: () async throws -> Void
) async throws {
  var durations: (alone: [Duration], source: [Duration]) = ([], [])
  for _ in 0..<runs {
    durations.alone.append(try await ContinuousClock().measure(alone))
    durations.source.append(try await ContinuousClock().measure(source))
  }
  report("\(label), \(first)", durations.alone)
  report("\(label), \(second)", durations.source)
  let ratios = zip(durations.source, durations.alone).map { $0 / $1 }.sorted()
  show("\(second) / \(first)", [ratios[0], ratios[runs / 2]].map(hundredths))
}

private func hundredths(_ ratio: Double) -> String { "\((ratio * 100).rounded() / 100)" }

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
