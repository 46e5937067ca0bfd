import Testing

@testable import DSInterpreter

@Suite struct IncompleteTests {
  @Test(arguments: [
    "simple [1,", "simple [1", "simple {a: 1", "print (count", "print \"abc", "print 'abc\n",
    "sectioned foods key: a,", "sectioned foods key: a, # more", "load a |", "load a \\",
    "load a \\\n", "load a\nsimple [", "simple [1,\n2,\n", "load a | # then\n",
  ])
  func whatGoesOnInTheNextLine(text: String) {
    #expect(Interpreter.isIncomplete(text))
  }

  @Test(arguments: [
    "", "fetch a", "simple [1, 2]", "simple [1\n, 2]", "print \"a, [\"", "fetch )",
    "# comment [ \\",
    "print 'don\"t'", "expect throws syntax: simple [1, \"", "load a # |", "print \"\\q\"",
    "fetch a; ", "load C:\\data\n",
  ])
  func whatIsComplete(text: String) {
    #expect(!Interpreter.isIncomplete(text))
  }
}
