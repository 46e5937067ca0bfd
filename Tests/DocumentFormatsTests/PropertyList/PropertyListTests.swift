import DataTables
import Foundation
import Testing

@testable import DocumentFormats

@Suite struct PropertyListTests {
  private static var objects: [String: Any] {
    [
      "name": "x", "yes": true, "one": 1, "half": 0.5, "big": UInt64.max,
      "when": Date(timeIntervalSince1970: 1_351_731_723), "bytes": Data([0, 1, 255]),
      "list": [["k": 1], ["k": 2]],
    ]
  }
  private static let json =
    #"{"big":18446744073709551615,"bytes":"AAH/","half":0.5,"list":[{"k":1},{"k":2}],"#
    + #""name":"x","one":1,"when":"2012-11-01T01:02:03Z","yes":true}"#

  private func file(_ format: PropertyListSerialization.PropertyListFormat) throws -> [UInt8] {
    [UInt8](
      try PropertyListSerialization.data(
        fromPropertyList: Self.objects, format: format, options: 0))
  }

  @Test func valuesKeepTheirTypes() throws {
    for (format, name) in [
      (PropertyListSerialization.PropertyListFormat.xml, "property list"),
      (.binary, "binary property list"),
    ] {
      var reader = PropertyListReader(bytes: MemoryBytes(try file(format)))
      let form = format == .xml ? PropertyListReader.Form.xml : .binary
      let list = try reader.read(form)
      #expect(list.form == name)
      // Foundation writes the keys in random order.
      guard case .record(let record) = list.value else {
        Issue.record("expected a record")
        return
      }
      let pairs = zip(record.keys, record.values).sorted { $0.0 < $1.0 }
      #expect(Value.record(Record(pairs.map { ($0.0, $0.1) })).json == Self.json)
      reader.limits.depth = 1
      #expect(throws: TableError.self) { try reader.read(form) }
    }
  }

  @Test func xmlKeepsTheOrderOfKeysAndTheLines() throws {
    let list = """
      <plist version="1.0">
      <dict>
        <key>z</key><string> x &amp; y </string>
        <key>n</key><integer> 0x1F </integer><key>m</key><integer>-007</integer>
        <key>list</key>
        <array>
          <dict><key>b</key><real>1.50</real><key>a</key><real>nan</real></dict>
          <dict/>
        </array>
      </dict>
      </plist>
      """
    let object = try read(list, .with(.rows, "object"))
    #expect(
      try object.json == [
        #"{"z":" x & y ","n":31,"m":-7,"list":[{"b":1.50,"a":"NaN"},{}]}"#
      ])
    #expect(try object.lines == [2])
    #expect(try read(list).lines == [7, 8])
  }

  @Test func theOnlyArrayOfRecordsIsTheRows() throws {
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let loaded = try read(try file(format), named: "x.csv")
      #expect(try loaded.json == [#"{"k":1}"#, #"{"k":2}"#])
      #expect(loaded.report.notes.contains { $0.contains("list") })
      #expect(try read(try file(format), try .with(.rows, "object")).table.count == 1)
    }
  }

  @Test func theTextFormIsReadByName() throws {
    let text = """
      // a comment
      { z = 1; b = (x, "y z", '\\U00e9\\n\\\"', ); /* c */ c = <0a 0b>;
        list = (
          {k = v;},
          {}
        ); d; }
      """
    #expect(
      try read(text, named: "x.plist", .with(.rows, "object")).json == [
        #"{"z":"1","b":["x","y z","é\n\""],"c":"Cgs=","list":[{"k":"v"},{}],"d":"d"}"#
      ])
    #expect(try read(text, named: "x.plist").lines == [4, 5])
    #expect(try read("\"k\" = \"v\";\n", named: "x.strings").json == [#"{"k":"v"}"#])
  }

  @Test(arguments: [
    ("{ a = 1;\n b = (x;\n}", 2), ("<plist>\n<dict><key>a</key></dict></plist>", 2),
    ("<plist>\n<foo/></plist>", 2),
    ("<plist><dict>\n<integer>1</integer></dict></plist>", 2),
    ("<plist><array>\n<integer>x</integer></array></plist>", 2),
    ("<plist><array>\n<date>now</date></array></plist>", 2),
    ("<plist><array>\n<data>???</data></array></plist>", 2), ("<plist>\nx</plist>", 1),
    ("<plist><dict><key>a</key>\n<key>b</key></dict></plist>", 2), ("<plist/>", 1),
    ("<plist><true/>\n<false/></plist>", 2), ("<plist>\n<array></plist>", 2), ("hello", 1),
    ("{ a = \n\"b; }", 2),
    ("{ a = 1; }\nx", 2), ("{ a = <0g>; }", 1), ("{ a = <0>; }", 1), ("{ a = b }", 1), ("(a b)", 1),
    ("/* x\n{}", 1),
  ])
  func aMalformedListFailsWithItsLine(text: String, line: Int) {
    var options = ReadOptions()
    options.format = "plist"
    do {
      _ = try read(text, options)
      Issue.record("expected an error")
    } catch TableError.format(let message, let place) {
      #expect(place?.line == line, "\(message)")
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func aTruncatedListFails() throws {
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let bytes = try file(format)
      let end = format == .xml ? bytes.count - 1 : bytes.count
      for count in 0..<end {
        var options = ReadOptions()
        options.format = "plist"
        #expect(throws: TableError.self, "\(count) bytes") {
          _ = try read(bytes.prefix(count), options)
        }
      }
    }
  }

  @Test func duplicateKeysAreReported() throws {
    let xml = """
      <plist version="1.0"><array>
      <dict><key>a</key><string>1</string><key>b</key><string>2</string></dict>
      <dict><key>a</key><string>3</string><key>a</key><string>4</string></dict>
      </array></plist>
      """
    let note = "1 record has a duplicate key, first at line 3; the last value counts"
    let loaded = try read(xml)
    #expect(try loaded.json == [#"{"a":"1","b":"2"}"#, #"{"a":"4"}"#])
    #expect(loaded.report.notes == [note])
    let text = try read("(\n{a = 1; b = 2;},\n{a = 3; a = 4;}\n)", named: "x.plist")
    #expect(try text.json == [#"{"a":"1","b":"2"}"#, #"{"a":"4"}"#])
    #expect(text.report.notes == [note])
    #expect(try text.lines == [2, 3])
    // A dictionary of two keys that are the same object.
    let objects: [[UInt8]] = [[0xD2, 1, 1, 2, 3], [0x51, 0x61], [0x10, 1], [0x10, 2]]
    let binary = try read(Self.binary(objects))
    #expect(try binary.json == [#"{"a":2}"#])
    #expect(binary.report.notes == ["1 record has a duplicate key; the last value counts"])
  }

  /// The lines of other members are not known, as with YAML.
  @Test func duplicateKeysDoNotShiftTheLines() throws {
    let text = "{\na = {k = 1;};\na = {k = 2;};\nb = {k = 3;};\n}"
    let loaded = try read(text, named: "x.plist", .with(.rows, "values"))
    #expect(try loaded.lines == [nil, nil])
    #expect(loaded.table.count == 2)
  }

  /// A binary list of objects that refer to each other by one byte; the first is the top one.
  private static func binary(_ objects: [[UInt8]]) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets
    bytes += [UInt8](repeating: 0, count: 6) + [1, 1]
    for number in [UInt8(objects.count), 0, table] {
      bytes += [UInt8](repeating: 0, count: 7) + [number]
    }
    return bytes
  }

  // `distantPast` of Foundation, which preferences contain.
  @Test func datesOfTheYears0To9999AreRead() throws {
    func list(_ seconds: Double) -> [UInt8] {
      let date = (0..<8).map { UInt8(truncatingIfNeeded: seconds.bitPattern >> ((7 - $0) * 8)) }
      return Self.binary([[0xD1, 1, 2], [0x51, 0x61], [0x33] + date])
    }
    #expect(try read(list(-63_114_076_800)).json == [#"{"a":"0000-12-30T00:00:00Z"}"#])
    #expect(try read(list(-63_145_526_400)).json == [#"{"a":"0000-01-01T00:00:00Z"}"#])
    for seconds in [-63_145_526_401, 252_455_616_000, .nan, .infinity] {
      #expect(
        throws: TableError.format(
          "malformed binary property list: the date at byte 13 is not in the years 0 to 9999",
          at: nil)
      ) { try read(list(seconds)) }
    }
  }

  @Test(arguments: [
    (#"\UD83D\UDE00"#, "😀"), (#"\UD83D\U0041"#, "\u{FFFD}A"), (#"\UD83D\UD83D\UDE00"#, "\u{FFFD}😀"),
    (#"\UDE00x"#, "\u{FFFD}x"), (#"\UD83D\n"#, "\u{FFFD}\n"),
  ])
  func halvesOfACharacterBelongTogether(escapes: String, text: String) throws {
    let list = try read("{ a = \"\(escapes)\"; }", named: "x.plist", .with(.rows, "object"))
    #expect(try list.table.object(at: 0) == .record(Record([("a", .string(text))])))
  }

  @Test func theSizeOfAListThatIsHeldInMemoryIsLimited() throws {
    var options = ReadOptions()
    options.limits.document = 8
    let lists = [Self.binary([[0x51, 0x61]]), Array("{ a = 12345678; }".utf8)]
    for list in lists {
      #expect(
        throws: TableError.limit(
          "the document has \(list.count) bytes, more than 8, and the format holds it in memory",
          setting: "maxDocument: \(list.count)", at: nil)
      ) { try read(list, named: "x.plist", options) }
    }
  }

  @Test func escapesThatAreHalfAPairAreReported() throws {
    let text = "{\n a = \"\\Ud83d\\Ude00\"; b = \"\\Ud800\\U0041\"; }"
    let loaded = try read(text, named: "x.plist")
    #expect(try loaded.json == ["{\"a\":\"😀\",\"b\":\"\u{FFFD}A\"}"])
    #expect(loaded.report.notes == ["1 unpaired surrogate read as U+FFFD, first at line 2"])
  }

  @Test func bytesThatAreNotUTF8AreAnError() {
    let bytes = Array("{a = \"x".utf8) + [0xFF] + Array("\";}".utf8)
    #expect(
      throws: TableError.encoding(expected: "UTF-8", offset: 7, fitting: "latin1")
    ) { try read(bytes, named: "x.plist") }
  }

  @Test func aListThatContainsItselfFails() throws {
    // One array with one reference, to itself.
    let bytes: [UInt8] =
      Array("bplist00".utf8) + [0xA1, 0, 8] + [UInt8](repeating: 0, count: 6) + [1, 1]
      + [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, 0, 10]
    #expect(
      throws: TableError.format("malformed binary property list: object 0 contains itself", at: nil)
    ) {
      try read(bytes)
    }
  }

  @Test func theCheckOfABinaryListCanBeCanceled() throws {
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: (0..<10_000).map { $0 % 2 == 0 }, format: .binary, options: 0)
    let list = try BinaryPropertyList(Array(bytes))
    let flag = Cancellation()
    func check() throws {
      try BinaryPropertyListCheck(list, limits: ReadLimits(), cancellation: flag).check()
    }
    try check()
    flag.cancel()
    #expect(throws: TableError.cancelled) { try check() }
  }

  /// An array with 40,000 references to a text of 60,000 bytes: reading a reference copies the text.
  @Test func copiesOfATextAreLimited() throws {
    func count(_ number: Int) -> [UInt8] { [0x11, UInt8(number >> 8), UInt8(number & 0xFF)] }
    func long(_ number: Int) -> [UInt8] {
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    var bytes = Array("bplist00".utf8)
    let array = bytes.count
    bytes += [0xAF] + count(40_000) + [UInt8](repeating: 1, count: 40_000)
    let text = bytes.count
    bytes += [0x5F] + count(60_000) + [UInt8](repeating: 0x78, count: 60_000)
    let table = bytes.count
    bytes += long(array) + long(text) + [UInt8](repeating: 0, count: 6) + [4, 1]
    bytes +=
      [0, 0, 0, 0, 0, 0, 0, 2] + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0] + long(table)
    do {
      _ = try read(bytes)
      Issue.record("expected a limit")
    } catch TableError.limit {
    }
  }

  /// Thirty arrays, each with ten references to the next one.
  @Test func sharedReferencesAreLimited() throws {
    var objects: [[UInt8]] = (0..<30).map { object in
      [0xAA] + [UInt8](repeating: UInt8(object + 1), count: 10)
    }
    objects.append([0x50])
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [UInt8](repeating: 0, count: 6) + [2, 1]
    bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)] + [UInt8](repeating: 0, count: 8)
    bytes += [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 0xFF)]
    do {
      _ = try read(bytes)
      Issue.record("expected a limit")
    } catch TableError.limit {
    }
  }

  @Test(arguments: [
    "<plist>" + String(repeating: "<array>", count: 100_000),
    "<plist>" + String(repeating: "<dict><key>a</key>", count: 100_000),
    String(repeating: "(", count: 100_000), String(repeating: "{a=", count: 100_000),
  ])
  func deepListsAreLimited(text: String) {
    var options = ReadOptions()
    options.format = "plist"
    do {
      _ = try read(text, options)
      Issue.record("expected a limit")
    } catch TableError.limit {
    } catch {
      Issue.record("\(error)")
    }
  }
}
