package io.tokenvault.engine.expression;

/**
 * Classifies the characters of XML one by one. Malformed XML is classified as far as possible. An
 * instance serves one document.
 */
final class XmlLexer {

  /** The region that a character belongs to. Adjacent runs are always of different regions. */
  enum Region {
    /** Text, including the {@code <} that ends it. */
    TEXT,
    /** The value of an attribute, without its quotes. */
    ATTRIBUTE,
    /** A CDATA section, including the brackets that end it. */
    CDATA,
    /** The rest of a tag. Nothing is replaced there, and a brace is malformed. */
    TAG,
    /** Comments, processing instructions and declarations, in which braces are text. */
    OPAQUE
  }

  /** State of the lexer, named after the construct that it is reading. */
  private enum State {
    TEXT,
    LESS_THAN,
    EXCLAMATION,
    TAG,
    ATTRIBUTE,
    CDATA,
    COMMENT,
    INSTRUCTION,
    DECLARATION,
    DECLARED_LITERAL,
    SUBSET_LESS_THAN
  }

  private static final String COMMENT = "--";
  private static final String CDATA = "[CDATA[";
  private static final int FIRST_NON_ASCII = 0x80;

  private final StringBuilder opening = new StringBuilder();
  private State state = State.TEXT;
  private char quote;
  private int closing;
  private boolean inDeclaration;
  private boolean inSubset;
  private boolean subsetSeen;

  /** Consumes a character and returns its region. */
  Region next(char next) {
    return switch (state) {
      case TEXT -> text(next);
      case LESS_THAN -> afterLessThan(next);
      case EXCLAMATION -> afterExclamation(next);
      case TAG -> tag(next);
      case ATTRIBUTE -> attribute(next);
      case CDATA -> closes(next, ']', 2) ? end() : Region.CDATA;
      case COMMENT -> closes(next, '-', 2) ? end() : Region.OPAQUE;
      case INSTRUCTION -> closes(next, '?', 1) ? end() : Region.OPAQUE;
      case DECLARATION -> declaration(next);
      case DECLARED_LITERAL -> declaredLiteral(next);
      case SUBSET_LESS_THAN -> inSubset(next);
    };
  }

  /** Returns whether a document type declaration with an internal subset has started. */
  boolean hasInternalSubset() {
    return subsetSeen;
  }

  private Region text(char next) {
    state = next == '<' ? State.LESS_THAN : State.TEXT;
    return Region.TEXT;
  }

  private Region afterLessThan(char next) {
    if (next == '!' || next == '?') {
      return opaque(next);
    }
    if (next == '/' || next == '_' || next == ':' || isLetter(next)) {
      state = State.TAG;
      return Region.TAG;
    }
    return text(next);
  }

  /** Returns whether a character may start a name; every non-ASCII character is accepted. */
  private static boolean isLetter(char next) {
    return next >= FIRST_NON_ASCII || Character.isLetter(next);
  }

  /** Starts a comment, a CDATA section, a declaration or a processing instruction. */
  private Region opaque(char next) {
    state = next == '!' ? State.EXCLAMATION : State.INSTRUCTION;
    opening.setLength(0);
    closing = 0;
    return Region.OPAQUE;
  }

  /** Distinguishes comments, CDATA sections and declarations by their opening characters. */
  private Region afterExclamation(char next) {
    opening.append(next);
    String written = opening.toString();
    if (written.equals(COMMENT)) {
      state = State.COMMENT;
    } else if (written.equals(CDATA) && !inDeclaration) {
      state = State.CDATA;
    } else if (!COMMENT.startsWith(written) && !CDATA.startsWith(written)) {
      inDeclaration = true;
      return declaration(next);
    }
    return Region.OPAQUE;
  }

  private Region tag(char next) {
    if (isQuote(next)) {
      quote = next;
      state = State.ATTRIBUTE;
    } else if (next == '>') {
      state = State.TEXT;
    }
    return Region.TAG;
  }

  private static boolean isQuote(char next) {
    return next == '"' || next == '\'';
  }

  private Region attribute(char next) {
    if (next == quote) {
      state = State.TAG;
      return Region.TAG;
    }
    return Region.ATTRIBUTE;
  }

  /**
   * Returns whether a character ends a construct, after enough repetitions of the one before it.
   */
  private boolean closes(char next, char repeated, int times) {
    boolean closes = next == '>' && closing >= times;
    closing = next == repeated ? closing + 1 : 0;
    return closes;
  }

  /** Returns to the declaration or the text that surrounds the construct. */
  private Region end() {
    state = inDeclaration ? State.DECLARATION : State.TEXT;
    return Region.OPAQUE;
  }

  /** Consumes a character of a document type declaration. */
  private Region declaration(char next) {
    state = State.DECLARATION;
    if (isQuote(next)) {
      quote = next;
      state = State.DECLARED_LITERAL;
    } else if (next == '[') {
      inSubset = true;
      subsetSeen = true;
    } else if (next == ']') {
      inSubset = false;
    } else if (next == '<' && inSubset) {
      state = State.SUBSET_LESS_THAN;
    } else if (next == '>' && !inSubset) {
      inDeclaration = false;
      state = State.TEXT;
    }
    return Region.OPAQUE;
  }

  private Region declaredLiteral(char next) {
    if (next == quote) {
      state = State.DECLARATION;
    }
    return Region.OPAQUE;
  }

  private Region inSubset(char next) {
    return next == '!' || next == '?' ? opaque(next) : declaration(next);
  }
}
