extension HelpTopic {
  static let offline = HelpTopic(
    name: "offline",
    lines: [
      "A script needs no network when its answers are in files. What is asked first:",
      "  stub URL FILE        a file, or a folder of files, in place of a server",
      "  cassette FILE        what servers answered once: requests, answers, how they failed",
      "  the network          http and https; file: URLs are always read where they are",
      "What is changed counts from the next fetch on, for all sources.",
      "",
      "A request is on a cassette when its URL is, whatever the order of the query, with the same",
      "Accept, Accept-Language and Range. One that is not is an error that names the closest and",
      "what differs; `mode: record` records anew.",
      "Times are not recorded: what was slow is fast.",
      "",
      "Of the headers only those that say what an answer is are kept. REDACTED stands for secrets:",
      "what was given by env, wherever it comes again, and what names as authorization, password,",
      "token, api_key stand for, in URLs, headers and JSON. A secret that no name tells, in a",
      "column of a CSV or in a text, is one only to those who know: look at a new cassette.",
    ],
    examples: [
      "cassette remote.cassette",
      "stub http://example.test data; stub",
    ])
}
