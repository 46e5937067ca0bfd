import DSInterpreter
import Testing

@Suite struct NameTests {
  @Test(arguments: ["a", "Z", "_", "a-1", "_9", "byCity", "É", "aé-1", "名前", "a٣"])
  func lettersDigitsAndDashesMakeAName(text: String) { #expect(Name.isValid(text)) }

  @Test(arguments: [
    "", "9a", "-a", "a b", "a.b", "a@", "@a", "a[", "a`", "a{", "a\r\n", "\0", "a:", "٣a", "é b",
    "é.",
  ])
  func anythingElseMakesNone(text: String) { #expect(!Name.isValid(text)) }
}
