package io.tokenvault.adapters.http;

/** How much memory it takes at the most to work on a JSON text, by its bytes alone. */
final class JsonCost {

  /**
   * Of each byte: as text, as a value, as JSON again, sealed, on its way to the database, and in
   * the answer while that is put together.
   */
  private static final int PER_BYTE = 8;

  /** Of each item and member, with the key of a member counting as another. */
  private static final int PER_VALUE = 72;

  private JsonCost() {}

  /** In bytes, the text itself not included. It may be malformed. */
  static long of(byte[] json) {
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
    return PER_BYTE * (long) json.length + PER_VALUE * values;
  }

  /** What stands before another value, or is one that can be empty. */
  private static boolean begins(byte next) {
    return next == ',' || next == ':' || next == '[' || next == '{';
  }
}
