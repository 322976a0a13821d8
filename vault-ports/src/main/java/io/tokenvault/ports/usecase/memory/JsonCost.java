package io.tokenvault.ports.usecase.memory;

/** Estimates an upper bound of the memory for processing JSON, by its bytes alone. */
public final class JsonCost {

  /**
   * The cost of each byte: as a string, as a value, as JSON again, encrypted, on its way to the
   * database, and in the response while it is written.
   */
  private static final int PER_BYTE = 8;

  /** The cost of each item and property; the name of a property counts as another value. */
  private static final int PER_VALUE = 72;

  private JsonCost() {}

  /**
   * Returns the cost of processing a request body, without the body itself. The JSON may be
   * malformed.
   */
  public static long of(byte[] json) {
    return PER_BYTE * (long) json.length + ofValues(json);
  }

  /** Returns the cost of the values alone, where their content is counted already. */
  public static long ofValues(byte[] json) {
    long values = 1;
    boolean inString = false;
    for (int i = 0; i < json.length; i++) {
      byte next = json[i];
      if (inString && next == '\\') {
        i++;
      } else if (next == '"') {
        inString = !inString;
      } else if (!inString && begins(next)) {
        values++;
      }
    }
    return PER_VALUE * values;
  }

  /** Returns whether the byte precedes another value, or begins one that can be empty. */
  private static boolean begins(byte next) {
    return next == ',' || next == ':' || next == '[' || next == '{';
  }
}
