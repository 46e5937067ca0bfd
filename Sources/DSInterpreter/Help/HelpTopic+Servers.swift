extension HelpTopic {
  static let servers = HelpTopic(
    name: "servers",
    lines: [
      "remote URL and paginated URL make sources of what servers (http:, https:) and files (file:)",
      "answer. Nothing is asked before a fetch, which tells will, partial (the request is out), and",
      "finished or failed. A failed or cancelled fetch leaves the old content.",
      "  paging: page     ?page=1, 2, …; page, page_size, number_of_pages, total_count are read from",
      "                   answers that have them",
      "  paging: offset   ?offset=0, 20, …",
      "  cursor: KEYPATH  the cursor, or the URL, of the next page is in the answer",
      "  paging: link     the header Link names it",
      "Pages end with an empty one, the last by number or total, or one that leads to none.",
      "headers: {Authorization: env API_TOKEN} sends what the environment has and shows it nowhere.",
      "fetch X async: true goes on while other commands run; wait X, cancel X and Ctrl-C end it. A",
      "script waits for its fetches before it ends.",
    ],
    examples: [
      "let foods = remote file:data/foods.csv | sectioned key: kind sort: kind | fetch",
      "let pages = paginated file:data/foods.csv | fetch; print pages.hasMorePages",
    ])
}
