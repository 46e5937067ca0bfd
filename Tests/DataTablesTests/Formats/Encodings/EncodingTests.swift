import Foundation
import TestSupport
import Testing

@testable import DataTables

/// Texts in other encodings than UTF-8: the encoding that is suggested, and the conversion.
struct EncodingTests {
  /// Names of encodings with texts in them, in Base64.
  private static let texts: [(name: String, base64: String, text: String)] = [
    (
      "shift_jis",
      "lryRTyyUTpfuLI9aj4oKk2OShpG+mFksMzQsk4yLnpNzkFaPaIvmCpfpltiJ1I5xLDI4LJHljeOVe5HljeOOcwqCs4LGgqQsNDEsgtCC54KqgsiCzILcgr8K",
      "名前,年齢,住所\n田中太郎,34,東京都新宿区\n鈴木花子,28,大阪府大阪市\nさとう,41,ひらがなのまち\n"
    ),
    (
      "euc-jp",
      "zL7BsCzHr87wLL27veoKxcTD5sLAz7osMzQsxey1/sXUv7e9ybboCs7rzNqy1rvSLDI4LMLnuuXJ3MLnuuW71AqktaTIpKYsNDEspNKk6aSspMqkzqTepMEK",
      "名前,年齢,住所\n田中太郎,34,東京都新宿区\n鈴木花子,28,大阪府大阪市\nさとう,41,ひらがなのまち\n"
    ),
    (
      "gb18030",
      "0NXD+yzE6sHkLLPHytAK1cXI/SwzNCyxsb6pytCzr9H0x/gKwO7LxCwyOCzJz7qjytDG1rar0MLH+ArN9c7lLDIyLLnj1t3K0MzsutPH+Ao=",
      "姓名,年龄,城市\n张三,34,北京市朝阳区\n李四,28,上海市浦东新区\n王五,22,广州市天河区\n"
    ),
    (
      "big5",
      "qW2mVyymfsTWLKuwpasKsWmkVCwzNCy7T6VfpaukaqZ3sM8Kp/WlfCwyOCywqravpaulqsDnsM8KpP2kcKn6LDMwLLtPpKSlq6bopNmwzwo=",
      "姓名,年齡,城市\n張三,34,臺北市大安區\n李四,28,高雄市左營區\n王小明,30,臺中市西屯區\n"
    ),
    (
      "euc-kr",
      "wMy4pyyzqsDMLLW1vcMKsejDtrz2LDM0LLytv+/Gr7qwvcMKwMy/tcjxLDI4LLrOu+qxpL+qvcMK",
      "이름,나이,도시\n김철수,34,서울특별시\n이영희,28,부산광역시\n"
    ),
    (
      "windows-1251",
      "6Oz/LOPu8O7kLOLu5/Dg8fIKyOLg7SDP5fLw7uIszO7x6uLgLDM0Cszg8Oj/INHo5O7w7uLgLNHg7eryLc/l8uXw4fPw4ywyOArO6/zj4CzN7uLu8ejh6PDx6iw0NQo=",
      "имя,город,возраст\nИван Петров,Москва,34\nМария Сидорова,Санкт-Петербург,28\nОльга,Новосибирск,45\n"
    ),
    (
      "koi8-r",
      "yc3RLMfP0s/ELNfP2tLB09QK6dfBziDwxdTSz9cs7c/Ty9fBLDM0Cu3B0snRIPPJxM/Sz9fBLPPBzsvULfDF1MXSwtXSxywyOArvzNjHwSzuz9fP08nCydLTyyw0NQo=",
      "имя,город,возраст\nИван Петров,Москва,34\nМария Сидорова,Санкт-Петербург,28\nОльга,Новосибирск,45\n"
    ),
    (
      "iso-8859-5",
      "2NzvLNPe4N7ULNLe1+DQ4eIKuNLQ3SC/1eLg3tIsvN7h2tLQLDM0CrzQ4NjvIMHY1N7g3tLQLMHQ3driLb/V4tXg0ePg0ywyOAq+2+zT0Cy93tLe4djR2ODh2iw0NQo=",
      "имя,город,возраст\nИван Петров,Москва,34\nМария Сидорова,Санкт-Петербург,28\nОльга,Новосибирск,45\n"
    ),
    (
      "ibm866",
      "qKzvLKOu4K6kLKKup+Cg4eIKiKKgrSCPpeLgrqIsjK7hqqKgLDM0Coyg4KjvIJGopK7grqKgLJGgrariLY+l4qXgoePgoywyOAqOq+yjoCyNrqKu4aihqODhqiw0NQo=",
      "имя,город,возраст\nИван Петров,Москва,34\nМария Сидорова,Санкт-Петербург,28\nОльга,Новосибирск,45\n"
    ),
    (
      "windows-1250",
      "aW1p6ixtaWFzdG8KWmR6aXOzYXcgr/Oz5iyj82SfCkdyYb95bmEsR2Rh8XNrCktyenlzenRvZiCMd2nqY2lja2ksQ3rqc3RvY2hvd2EK",
      "imię,miasto\nZdzisław Żółć,Łódź\nGrażyna,Gdańsk\nKrzysztof Święcicki,Częstochowa\n"
    ),
    (
      "iso-8859-2",
      "aW1p6ixtaWFzdG8KWmR6aXOzYXcgr/Oz5iyj82S8CkdyYb95bmEsR2Rh8XNrCktyenlzenRvZiCmd2nqY2lja2ksQ3rqc3RvY2hvd2EK",
      "imię,miasto\nZdzisław Żółć,Łódź\nGrażyna,Gdańsk\nKrzysztof Święcicki,Częstochowa\n"
    ),
    (
      "windows-1250",
      "am3pbm8sbexzdG8KSmn47SBOb3bhayxQbHpl8grYZWhv+CBEdm/44Wss2nN07SBuYWQgTGFiZW0KVG9t4Zogip1hc3Ru/SxE7Ojtbgo=",
      "jméno,město\nJiří Novák,Plzeň\nŘehoř Dvořák,Ústí nad Labem\nTomáš Šťastný,Děčín\n"
    ),
    (
      "windows-1256",
      "x9PjLOPP7eTJCuPN488gw83jzyzH4d7H5dHJCt3H2OPJINrh7SzH4dHtx9YK",
      "اسم,مدينة\nمحمد أحمد,القاهرة\nفاطمة علي,الرياض\n"
    ),
    (
      "windows-874",
      "qtfozSzgwdfNpwrKwarSwiDjqLTVLKHD2Kfgt77By9K5pMMKysHLrdSnLOCq1cKn48vB6Ao=",
      "ชื่อ,เมือง\nสมชาย ใจดี,กรุงเทพมหานคร\nสมหญิง,เชียงใหม่\n"
    ),
    (
      "latin1",
      "bm9tLHZpbGxlClJlbukgTOl26nF1ZSxCZXNhbudvbgpDaGxv6SBN/GxsZXIsT3Js6WFucwpGcmFu529pcyxO7m1lcwo=",
      "nom,ville\nRené Lévêque,Besançon\nChloé Müller,Orléans\nFrançois,Nîmes\n"
    ),
    (
      "latin1",
      "bmFtZQpDYWbpCg==",
      "name\nCafé\n"
    ),
    (
      "latin1",
      "RW1wZuRuZ2VyO1fkaHJ1bmcKQuRja2VyZWkgTfxsbGVyO0VVUgo=",
      "Empfänger;Währung\nBäckerei Müller;EUR\n"
    ),
    (
      "latin1",
      "VW1z5HR6ZQo1Cg==",
      "Umsätze\n5\n"
    ),
    (
      "latin1",
      "QfFvO0VzcGHxYQoxOzIK",
      "Año;España\n1;2\n"
    ),
    (
      "latin1",
      "QmVs+GI7S/hiZW5oYXZuCjM7NAo=",
      "Beløb;København\n3;4\n"
    ),
    (
      "latin1",
      "T3J0LDIwsEMKQmVybiw1Cg==",
      "Ort,20°C\nBern,5\n"
    ),
    (
      "windows-1252",
      "bmFtZSxwcmljZQpDYWbpIJNib26ULDUggAo=",
      "name,price\nCafé “bon”,5 €\n"
    ),
  ]

  private static func bytes(_ base64: String) -> [UInt8] {
    Array(Data(base64Encoded: base64) ?? Data())
  }

  @Test(arguments: texts.indices)
  func theFittingEncodingIsSuggested(index: Int) {
    let (name, base64, _) = Self.texts[index]
    let names = EncodingGuess(Self.bytes(base64)).names
    #expect(names.first == name)
    // A letter of Western languages may be one of other languages in theirs.
    #expect(names.count == 1 || name == "latin1")
  }

  @Test(arguments: texts.indices)
  func aTextIsConverted(index: Int) throws {
    let (name, base64, text) = Self.texts[index]
    let bytes = Self.bytes(base64)
    let encoding = try #require(TextEncoding(named: name))
    guard case .success(let converted) = encoding.utf8(of: bytes[...]) else {
      Issue.record("\(name) does not fit")
      return
    }
    #expect(String(decoding: converted, as: UTF8.self) == text)
    // The offset of each character is the length of the conversion of the bytes before it.
    for (position, byte) in converted.enumerated() where byte & 0xC0 != 0x80 {
      let offset = encoding.offset(ofPosition: position, in: bytes[...])
      guard case .success(let prefix) = encoding.utf8(of: bytes[..<offset]) else {
        Issue.record("\(name): offset \(offset)")
        continue
      }
      #expect(prefix.count == position, "\(name)")
    }
  }

  @Test(arguments: [
    // "name\n서울\n" and "name;town\nJán;Dvořák\n".
    (["euc-kr", "gb18030", "big5", "euc-jp"], "bmFtZQq8rb/vCg=="),
    (["windows-1250", "windows-1257", "latin1"], "bmFtZTt0b3duCkrhbjtEdm/44WsK"),
  ])
  func severalEncodingsMayFit(names: [String], base64: String) {
    let bytes = Self.bytes(base64)
    #expect(EncodingGuess(bytes).names == names)
    let offset = bytes.firstIndex { $0 >= 0x80 } ?? 0
    #expect(throws: TableError.undecidedEncoding(offset: offset, fitting: names)) {
      try FormatTable.core.read(MemoryBytes(bytes), named: "t.csv")
    }
  }

  @Test(arguments: ["utf-16le", "utf-16be"])
  func utf16WithoutAMarkIsRecognized(name: String) throws {
    // The low byte of 一 (U+4E00) is zero, like the high byte of ASCII.
    let units = Array("a,b\r\nž,名前一\r\n".utf16)
    let bytes = units.flatMap { unit -> [UInt8] in
      let pair = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
      return name == "utf-16le" ? pair : pair.reversed()
    }
    #expect {
      try FormatTable.core.read(MemoryBytes(bytes), named: "t.csv")
    } throws: { error in
      guard case .encoding("UTF-8", _, let fitting)? = error as? TableError else { return false }
      return fitting == name
    }
    var options = ReadOptions()
    options.encoding = name
    let table = try FormatTable.core.read(MemoryBytes(bytes), named: "t.csv", options: options)
      .table
    #expect(try table.object(at: 0).json == #"{"a":"ž","b":"名前一"}"#)
  }

  @Test(arguments: ["UTF-32LE", "UTF-32BE"])
  func utf32WithAMarkIsRead(name: String) throws {
    let bytes = "\u{FEFF}a,b\r\nž,🍎\r\n".unicodeScalars.flatMap { scalar -> [UInt8] in
      let places = stride(from: 0, to: 32, by: 8).map { UInt8(scalar.value >> $0 & 0xFF) }
      return name == "UTF-32LE" ? places : places.reversed()
    }
    let loaded = try FormatTable.core.read(MemoryBytes(bytes), named: "t.csv")
    #expect(try loaded.table.object(at: 0).json == #"{"a":"ž","b":"🍎"}"#)
    #expect(loaded.report.encoding == "\(name) with BOM")
  }

  @Test func everyNameIsKnown() {
    for name in TextEncoding.names {
      let encoding = TextEncoding(named: name)
      #expect(encoding != nil, "\(name)")
      if name.hasPrefix("utf-16") || name.hasPrefix("utf-32") { continue }
      guard case .success(let text)? = encoding?.utf8(of: Array("a,1\n".utf8)[...]) else {
        Issue.record("\(name) cannot be read")
        continue
      }
      #expect(text == Array("a,1\n".utf8))
    }
    #expect(TextEncoding(named: "klingon") == nil)
  }

  @Test(arguments: [
    ("shift_jis", [0x61, 0x82, 0xFF], 1), ("gb18030", [0x61, 0x61, 0x81, 0x30], 2),
  ])
  func aBrokenCharacterHasItsOffset(name: String, bytes: [UInt8], offset: Int) throws {
    let encoding = try #require(TextEncoding(named: name))
    guard case .failure(let fault) = encoding.utf8(of: bytes[...]) else {
      Issue.record("\(name) fits")
      return
    }
    #expect(fault.offset == offset)
  }

  /// Random bytes convert in parts as they do in one piece, and nothing crashes.
  @Test(arguments: [UInt64(1), 2])
  func randomBytesAreConvertedOrRejected(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<400 {
      let bytes = (0..<random.below(60)).map { _ in
        UInt8(
          truncatingIfNeeded: random.below(4) == 0 ? random.below(256) : 0x61 + random.below(26))
      }
      let encoding = TextEncoding(named: random.one(of: TextEncoding.names))
      switch encoding?.utf8(of: bytes[...]) {
      case .success(let text): #expect(text.count >= bytes.count / 2, "seed \(seed)")
      case .failure(let fault): #expect(fault.offset < bytes.count, "seed \(seed)")
      case nil: Issue.record("no encoding")
      }
      _ = EncodingGuess(bytes).names
    }
  }
}
