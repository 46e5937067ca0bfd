/// A way of drawing pictures.
public protocol Drawing: Sendable {
  /// The word for it in commands: `svg`.
  static var name: String { get }
  /// A noun phrase for help.
  static var summary: String { get }
  init()
  /// A whole document with the picture, which ends with a line end.
  ///
  /// Texts of the picture are data: no text adds an element, a statement or a control character.
  func document(_ picture: Picture) -> String
}

/// The ways of drawing, in the order of help.
public enum Drawings {
  public static let all: [any Drawing.Type] = [
    SVGDrawing.self, HTMLDrawing.self, MermaidDrawing.self, DOTDrawing.self, TextDrawing.self,
  ]

  public static func named(_ name: String) -> (any Drawing.Type)? { all.first { $0.name == name } }
}
