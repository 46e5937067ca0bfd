import Testing

@testable import DSInterpreter

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("leters", "letters"), ("sectoins", "sections"), ("nme", "name"), ("NAME", "name"),
    ("namee", "name"), ("sectionTitle", "sectionTitles"),
  ])
  func theMostSimilarNameIsSuggested(word: String, name: String) {
    let names = ["fetch", "name", "letters", "sections", "sectionTitles"]
    #expect(Suggestion.nearest(to: word, among: names) == name)
  }

  @Test(arguments: ["x", "na", "tetch-it", "zebra", "", "letterbox!"])
  func aDistantNameIsNotSuggested(word: String) {
    #expect(Suggestion.nearest(to: word, among: ["fetch", "name", "letters"]) == nil)
  }
}
