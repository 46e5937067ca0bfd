import TestSupport
import Testing

@testable import DataTables

/// Short texts of many languages in the encodings in which programs wrote them.
struct EncodingLanguageTests {
  struct Language: CustomTestStringConvertible, Sendable {
    var testDescription: String { name }
    let name: String
    let encoding: String
    let words: [String]

    init(_ name: String, _ encoding: String, _ words: String) {
      (self.name, self.encoding) = (name, encoding)
      self.words = words.split(separator: " ").map(String.init)
    }
  }

  private static let languages: [Language] = [
    Language(
      "German", "windows-1252",
      "Buchung Währung Empfänger Straße Müller Bäckerei für Köln Größe Überweisung Betrag grün 5€"),
    Language(
      "German on DOS", "ibm850", "Währung Empfänger Straße Müller Bäckerei für Köln Größe grün"),
    Language(
      "French", "windows-1252",
      "libellé débité crédit été Noël façade opération où déjà prénom élève sœur château date"),
    Language(
      "Spanish", "windows-1252",
      "año España niño mañana descripción teléfono código Málaga último nombre José Peña"),
    Language(
      "Portuguese", "windows-1252",
      "ação São não coração descrição Conceição você três código avô nome João endereço"),
    Language(
      "Italian", "windows-1252",
      "città perché qualità più martedì così unità università nome comune però"),
    Language(
      "Swedish", "windows-1252",
      "belopp mottagare Göteborg Malmö Västerås år kött kön gräns Åsa ändring namn"),
    Language(
      "Danish", "windows-1252",
      "beløb København Århus Ærø måned køb gebyr Sørensen Møller færge dato"),
    Language(
      "Czech", "windows-1250",
      "jméno město Žluťoučký Plzeň kůň Brno Dvořák příjmení částka účet měna Jiří škola"),
    Language(
      "Polish", "windows-1250",
      "imię miasto Łukasz Łódź Kraków kwota książka płatność źródło Wrocław zażółć gęślą"),
    Language(
      "Polish in ISO-8859-2", "iso-8859-2",
      "imię Łukasz Łódź Kraków książka płatność źródło Wrocław zażółć gęślą jaźń śnieg"),
    Language(
      "Hungarian", "windows-1250",
      "név összeg Győr Székesfehérvár őszi fizetés küldő időpont hűtő könyv szűrő"),
    Language(
      "Turkish", "windows-1254",
      "İsim Şehir Ayşe İstanbul Güneş Muğla Diyarbakır öğrenci ödeme açıklama tutarı yaş"),
    Language(
      "Russian", "windows-1251",
      "Дата Сумма Оплата Москва имя город Анна перевод счёт рубль январь ДАТА"),
    Language(
      "Greek", "windows-1253",
      "Όνομα Πόλη Γιώργος Αθήνα ημερομηνία ποσό Θεσσαλονίκη πληρωμή"),
    Language("Hebrew", "windows-1255", "שם עיר דוד ירושלים תאריך סכום תשלום חשבון"),
    Language(
      "Arabic", "windows-1256", "الاسم المدينة محمد القاهرة التاريخ المبلغ الحساب الدفع"),
    Language(
      "Japanese", "shift_jis",
      "日付 金額 摘要 振込 コンビニ 名前 さくら とうきょう 銀行 手数料 ありがとう"),
    Language("Japanese kana", "shift_jis", "ﾃｽﾄ ｱｲｳ ｶﾅ ｺﾝﾋﾞﾆ ﾌﾘｺﾐ ﾃｽｳﾘｮｳ ｷﾞﾝｺｳ ﾃﾞﾝｷﾀﾞｲ"),
    Language(
      "Ukrainian in KOI8-U", "koi8-u",
      "назва місто Одеса Київ Євген Львів сума платіж призначення область Полтава гривня рахунок"
    ),
    Language(
      "Arabic in ISO-8859-6", "iso-8859-6", "اسم مدينة محمد القاهرة فاطمة دمشق تاريخ مبلغ المدينة"),
    Language(
      "French on a Macintosh", "macintosh",
      "libellé débité crédit été Noël façade opération où déjà prénom élève sœur château date"),
    Language("Chinese", "gb18030", "日期 金额 摘要 工资 北京市 姓名 转账 手续费 上海 银行账户"),
    Language("Korean", "euc-kr", "날짜 금액 이름 서울 부산 급여 입금 수수료 은행 안녕하세요"),
  ]

  /// The bytes of each character of an encoding, found by decoding all bytes and pairs of bytes.
  private static func alphabet(_ name: String) throws -> [Unicode.Scalar: [UInt8]] {
    let encoding = try #require(TextEncoding(named: name))
    let isWide = ["shift_jis", "gb18030", "euc-kr"].contains(name)
    var alphabet: [Unicode.Scalar: [UInt8]] = [:]
    func take(_ bytes: [UInt8]) {
      guard case .success(let text) = encoding.utf8(of: bytes[...]) else { return }
      let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
      if scalars.count == 1, let scalar = scalars.first, alphabet[scalar] == nil {
        alphabet[scalar] = bytes
      }
    }
    for byte in UInt8.min...UInt8.max { take([byte]) }
    for lead in UInt8(0x81)...0xFE where isWide {
      for trail in UInt8(0x40)...0xFE { take([lead, trail]) }
    }
    return alphabet
  }

  @Test(arguments: languages, [UInt64(7)])
  func theUsualEncodingIsSuggested(language: Language, seed: UInt64) throws {
    let alphabet = try Self.alphabet(language.encoding)
    var random = SplitMix64(seed: seed)
    var wrong: [String] = []
    for _ in 0..<200 {
      var text = "id;name\n"
      for row in 1...2 + random.below(4) {
        text += "\(row);\(random.one(of: language.words)) \(random.one(of: language.words))\n"
      }
      let bytes = try text.unicodeScalars.flatMap { try #require(alphabet[$0]) }
      guard bytes.contains(where: { $0 >= 0x80 }) else { continue }
      // Another encoding may read the same text.
      let fits = EncodingGuess(bytes).names.prefix(2).contains { name in
        guard case .success(let read)? = TextEncoding(named: name)?.utf8(of: bytes[...]) else {
          return false
        }
        return read.elementsEqual(text.utf8)
      }
      if !fits { wrong.append("\(text) \(EncodingGuess(bytes).names)") }
    }
    #expect(wrong.isEmpty, "seed \(seed), \(wrong.count) of 200: \(wrong.prefix(3))")
  }

  private static func error(_ bytes: [UInt8]) -> TableError? {
    #expect(throws: TableError.self) {
      try FormatTable.core.read(MemoryBytes(bytes), named: "t.csv")
    }
  }

  @Test(arguments: [1, 2])
  func aTextThatIsCutOffEndsWithinACharacter(missing: Int) {
    let text = Array("name,price\ncafé,5\ntea,6 €".utf8.dropLast(missing))
    let offset = text.count - 3 + missing
    #expect(
      Self.error(text)?.message
        == "byte \(offset) is not UTF-8: the text ends within a character, so the file was probably "
        + "cut off")
  }

  /// A text that is cut within a character is not taken for one in another encoding.
  @Test(arguments: [UInt64(1), 2])
  func aTextThatIsCutWithinACharacterIsCutOff(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<40 {
      let cells = (0..<6).map { _ in String((0..<4).map { _ in random.one(of: Array("aé漢🍎")) }) }
      let text = Array("v,é\n\(cells.map { "\($0),1" }.joined(separator: "\n"))".utf8)
      for count in 4..<text.count {
        let part = Array(text.prefix(count))
        let valid = Self.validCount(part)
        if valid == part.count { continue }
        let error = try BrokenUTF8.error(in: MemoryBytes(part), at: valid)
        #expect(error?.message.hasSuffix("cut off") == true, "seed \(seed): \(part)")
      }
    }
  }

  private static func validCount(_ bytes: [UInt8]) -> Int {
    (0...3).map { bytes.count - $0 }.first {
      String(validating: bytes.prefix($0), as: UTF8.self) != nil
    } ?? 0
  }

  @Test func aMixtureIsNotOneEncoding() {
    // The first line is UTF-8, the last one is Latin-1.
    let bytes =
      Array("a,b\n1,José\n2,x\n3,".utf8) + "caf\u{E9}\n".unicodeScalars.map { UInt8($0.value) }
    #expect(
      Self.error(bytes)?.message
        == "byte 21 is not UTF-8: line 4 has another encoding than other lines, and no encoding reads "
        + "all; convert line 4, which may be in windows-1252, to UTF-8")
  }

  @Test func aLineInAnotherAlphabetIsAMixture() throws {
    let line = try #require(
      "x,\u{43E}\u{43F}\u{43B}\u{430}".unicodeScalars.map {
        $0.value < 0x80 ? UInt8($0.value) : UInt8($0.value - 0x430 + 0xE0)
      } as [UInt8]?)
    let bytes = Array("a,b\n1,Москва\n".utf8) + line + Array("\n".utf8)
    #expect(
      Self.error(bytes)?.message
        == "byte 21 is not UTF-8: line 3 has another encoding than other lines, and no encoding reads "
        + "all; convert line 3 to UTF-8")
  }

  /// In this encoding, `’é` has the bytes of one Armenian letter in UTF-8.
  @Test func aTextOfTheMacintoshIsNotAMixture() throws {
    let alphabet = try Self.alphabet("macintosh")
    let bytes = try "nom,prénom\nGarçon,Élève à l’école\nForêt,œuvre\n".unicodeScalars
      .flatMap { try #require(alphabet[$0]) }
    #expect(Self.error(bytes)?.message == "byte 6 is not UTF-8; try `encoding: macintosh`")
  }

  @Test(arguments: [
    "\u{1B}$BL>\u{1B}(B,a\n", "\u{1B}$@L>\u{1B}(J,a\n", "a,b\n\u{1B}$BL>\u{1B}(B,1\n",
  ])
  func japaneseInASCIIIsNotUTF8(text: String) throws {
    #expect(
      Self.error(Array(text.utf8))?.message
        == "the text is in ISO-2022-JP, not UTF-8; add `encoding: iso-2022-jp`")
    var options = ReadOptions()
    options.encoding = "iso-2022-jp"
    let loaded = try FormatTable.core.read(
      MemoryBytes(Array(text.utf8)), named: "t.csv", options: options)
    #expect(loaded.report.encoding == "ISO-2022-JP")
    #expect(loaded.table.keys[0] == "名" || loaded.table.keys[0] == "a")
  }

  @Test(arguments: ["utf-16", "utf-16be", "utf-32"])
  func textInUTF8IsNotUTF16(name: String) throws {
    var options = ReadOptions()
    options.encoding = name
    for text in ["a,b\n1,2\n3,4\n", "name,é\n1,漢\n"] {
      let error = #expect(throws: TableError.self) {
        try FormatTable.core.read(MemoryBytes(Array(text.utf8)), named: "t.csv", options: options)
      }
      #expect(error?.message.hasSuffix("; use `encoding: utf-8`") == true, "\(error as Any)")
    }
    let wide = Array("a,b\n1,漢字\n".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    options.encoding = "utf-16"
    let loaded = try FormatTable.core.read(MemoryBytes(wide), named: "t.csv", options: options)
    #expect(loaded.table.count == 1)
  }

  /// Texts of two-byte encodings begin with bytes that may be UTF-8.
  @Test func chineseIsNotAMixture() throws {
    let alphabet = try Self.alphabet("gb18030")
    let bytes = try "n\n联通\n中国联通\n移动\n".unicodeScalars.flatMap { try #require(alphabet[$0]) }
    #expect(EncodingGuess(bytes).names.first == "gb18030")
    if case .brokenEncoding? = Self.error(bytes) { Issue.record("a mixture") }
  }

  @Test func aGivenEncodingThatDoesNotFitHasASuggestion() {
    for (bytes, given, fitting) in [
      (Array("a\nM\u{FC}ller\n".unicodeScalars.map { UInt8($0.value) }), "utf-8", "latin1"),
      (Array("a\nGröße,日本\n".utf8), "euc-kr", "utf-8"),
    ] {
      var options = ReadOptions()
      options.encoding = given
      let error = #expect(throws: TableError.self) {
        try FormatTable.core.read(MemoryBytes(bytes), named: "t.csv", options: options)
      }
      #expect(error?.message.hasSuffix("try `encoding: \(fitting)`") == true, "\(error as Any)")
    }
  }
}
