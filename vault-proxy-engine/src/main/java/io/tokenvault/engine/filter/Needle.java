package io.tokenvault.engine.filter;

/**
 * A text to look for. Looking takes time by the sum of both lengths and not by their product,
 * whatever the texts are (Knuth, Morris and Pratt). Immutable.
 */
final class Needle {

  private final String text;

  /** How much of the text ends each beginning of it and is shorter, by the beginning's length. */
  private final int[] borders;

  /**
   * @param text not empty
   */
  Needle(String text) {
    this.text = text;
    this.borders = new int[text.length() + 1];
    int border = 0;
    for (int i = 1; i < text.length(); i++) {
      border = longer(border, text.charAt(i));
      borders[i + 1] = border;
    }
  }

  /** How much of the text is found with one more character, where so much of it was found. */
  private int longer(int found, char next) {
    int rest = found;
    while (rest > 0 && text.charAt(rest) != next) {
      rest = borders[rest];
    }
    return text.charAt(rest) == next ? rest + 1 : rest;
  }

  int length() {
    return text.length();
  }

  /** Where the text begins at or after a place; negative if it does not. */
  int find(String searched, int from) {
    int found = 0;
    for (int i = from; i < searched.length(); i++) {
      found = longer(found, searched.charAt(i));
      if (found == text.length()) {
        return i + 1 - found;
      }
    }
    return -1;
  }
}
