import Testing

@testable import DataTables

struct SuggestedLabelsTests {
  @Test(arguments: [
    ("NA", "NA"), ("n/a", "n/a"), ("-", "-"), ("-999", "-999"), ("?", "?"), ("false", "false"),
    ("#N/A", "\"#N/A\""), ("", "\"\""), ("1,492", "\"1,492\""), ("no data", "\"no data\""),
    (";", "\";\""), ("|", "\"|\""), ("null", "\"null\""), ("env", "\"env\""),
    ("\\N", "\"\\\\N\""), ("\t", "\"\\t\""), ("say \"hi\"", "\"say \\\"hi\\\"\""),
    ("a:", "\"a:\""), ("`", "\"\\u0060\""), ("é", "\"é\""), ("$v", "\"$v\""),
  ])
  func aWordIsQuotedUnlessItMeansItself(word: String, written: String) {
    #expect(SuggestedLabels("nulls", word).description == "`nulls: \(written)`")
  }

  @Test func listsRecordsAndSeveralLabelsAreWritten() {
    #expect(SuggestedLabels("nulls", ["NA"]).description == "`nulls: NA`")
    #expect(SuggestedLabels("nulls", ["NA", "no data"]).text == "nulls: [NA, \"no data\"]")
    let types = SuggestedLabels("types", [("zip", "string"), ("unit price", "real")])
    #expect(types.text == "types: {zip: string, \"unit price\": real}")
    let both = SuggestedLabels("delimiter", ";") + SuggestedLabels("header", "false")
    #expect(both.description == "`delimiter: \";\" header: false`")
  }
}
