package io.tokenvault.ports.usecase.memory;

/** How much memory it takes at the most to work on a JSON text, by its bytes alone. */
public final class JsonCost {

  /**
   * Of each byte: as text, as a value, as JSON again, encrypted, on its way to the database, and in
   * the response while that is put together.
   */
  private static final int PER_BYTE = 8;

  /** Of each item and property, with the name of a property counting as another. */
  private static final int PER_VALUE = 72;

  private JsonCost() {}

  /** Of a request's text, in bytes, the text itself not included. It may be malformed. */
  public static long of(byte[] json) {
    return PER_BYTE * (long) json.length + ofValues(json);
  }

  /** Of the values alone, where what is in them is counted already. */
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

  /** What stands before another value, or is one that can be empty. */
  private static boolean begins(byte next) {
    return next == ',' || next == ':' || next == '[' || next == '{';
  }
}
