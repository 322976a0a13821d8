package io.tokenvault.domain.failure;

import java.util.Map;

/**
 * Limits on the size of a map of strings.
 *
 * @param entries the maximum number of entries
 * @param keyLength the maximum length of a key, from 1, in Unicode code points
 * @param valueLength the maximum length of a value, from 0, in Unicode code points
 */
public record TextMapLimits(int entries, int keyLength, int valueLength) {

  /**
   * Adds a violation for everything invalid in a map at a path; its keys and values may be null.
   */
  public void check(String path, Map<String, String> map, Violations violations) {
    if (map.size() > entries) {
      violations.add(path, "must have at most " + entries + " entries");
      return;
    }
    map.forEach((key, value) -> checkEntry(path, key, value, violations));
  }

  private void checkEntry(String path, String key, String value, Violations violations) {
    if (key == null || key.isEmpty() || length(key) > keyLength) {
      violations.add(path, "must have keys of 1 to " + keyLength + " characters");
    } else if (value == null || length(value) > valueLength) {
      violations.add(
          path + "." + ShownName.inPath(key),
          "must be a string of at most " + valueLength + " characters");
    }
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
