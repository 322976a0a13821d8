package io.tokenvault.engine.worker.node;

import java.util.ArrayList;
import java.util.List;

/** IPv6 addresses of URLs. */
final class Ipv6 {

  private static final int PIECES = 8;

  private Ipv6() {}

  /**
   * @return the shortest form in brackets, or null if this is no address
   */
  static String parse(String text) {
    int gap = text.indexOf("::");
    if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
      return null;
    }
    List<Integer> head = pieces(gap < 0 ? text : text.substring(0, gap), gap < 0);
    List<Integer> tail = gap < 0 ? List.of() : pieces(text.substring(gap + 2), true);
    if (head == null || tail == null) {
      return null;
    }
    int missing = PIECES - head.size() - tail.size();
    if (gap < 0 ? missing != 0 : missing < 1) {
      return null;
    }
    List<Integer> all = new ArrayList<>(head);
    for (int i = 0; i < missing; i++) {
      all.add(0);
    }
    all.addAll(tail);
    return "[" + text(all) + "]";
  }

  private static List<Integer> pieces(String text, boolean last) {
    List<Integer> pieces = new ArrayList<>();
    if (text.isEmpty()) {
      return pieces;
    }
    String[] parts = text.split(":", -1);
    for (int i = 0; i < parts.length; i++) {
      boolean dotted = last && i == parts.length - 1 && parts[i].indexOf('.') > 0;
      if (!(dotted ? dotted(parts[i], pieces) : piece(parts[i], pieces))) {
        return null;
      }
    }
    return pieces;
  }

  private static boolean piece(String part, List<Integer> pieces) {
    if (part.isEmpty() || part.length() > 4 || !part.chars().allMatch(c -> Percent.digit(c) >= 0)) {
      return false;
    }
    pieces.add(Integer.parseInt(part, 16));
    return true;
  }

  private static boolean dotted(String part, List<Integer> pieces) {
    if (!part.matches("(?:(?:0|[1-9]\\d{0,2})(?:\\.(?!$)|$)){4}")) {
      return false;
    }
    String[] numbers = part.split("\\.");
    for (int i = 0; i < 4; i += 2) {
      int high = Integer.parseInt(numbers[i]);
      int low = Integer.parseInt(numbers[i + 1]);
      if (high > 255 || low > 255) {
        return false;
      }
      pieces.add(high << 8 | low);
    }
    return true;
  }

  private static String text(List<Integer> pieces) {
    int start = -1;
    int length = 1;
    for (int i = 0; i < PIECES; i++) {
      int end = i;
      while (end < PIECES && pieces.get(end) == 0) {
        end++;
      }
      if (end - i > length) {
        start = i;
        length = end - i;
      }
    }
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < PIECES; i++) {
      if (i == start) {
        out.append(i == 0 ? "::" : ":");
        i += length - 1;
        continue;
      }
      out.append(Integer.toHexString(pieces.get(i))).append(i < PIECES - 1 ? ":" : "");
    }
    return out.toString();
  }
}
