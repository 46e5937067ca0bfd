import Glibc

// Times parts of the libraries within one process, without its start:
//   swift run -c release InProcess data/full/people.csv last_name
//   swift run -c release InProcess order
//   swift run -c release InProcess changes
//   swift run -c release InProcess edits [WORK]
//   swift run -c release InProcess lookups data/full/people.csv last_name
//   swift run -c release InProcess pages
//   swift run -c release InProcess transport

let arguments = Array(CommandLine.arguments.dropFirst())
do {
  switch (arguments.first, arguments.count) {
  case ("order", 1): try measureCollation(names: 1_000_000)
  case ("changes", 1): try measureChanges(rows: 1_000_000)
  case ("edits", 1...2): try await measureEdits(rows: 2_000_000, arguments.dropFirst().first)
  case ("lookups", 3): try await measureLookups(path: arguments[1], key: arguments[2])
  case ("pages", 1): try measurePages()
  case ("transport", 1): try await measureTransfers()
  case ("serve", 1): try PageServer.serve()
  case (_, 2): try measureTable(path: arguments[0], key: arguments[1])
  default:
    print(
      """
      usage: InProcess FILE KEY | order | changes | edits [WORK] | lookups FILE KEY | pages \
      | transport
      """)
    exit(2)
  }
} catch {
  print("failed: \(error)")
  exit(1)
}
