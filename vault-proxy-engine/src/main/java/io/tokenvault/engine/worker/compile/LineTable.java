package io.tokenvault.engine.worker.compile;

import java.util.Arrays;

/**
 * The lines of the source from which the lines of a compiled program come. It is kept in the
 * program itself, as a comment at its end: for each line the distance from the one before, in
 * digits of five bits and a sixth that says that another follows.
 */
public final class LineTable {

  private static final String MARK = "\n//# lines=";
  private static final String DIGITS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  private static final int BITS = 5;
  private static final int MORE = 1 << BITS;

  /** Lines of programs that were not compiled are their own. */
  private static final LineTable SAME = new LineTable(null);

  private final int[] lines;

  private LineTable(int[] lines) {
    this.lines = lines;
  }

  /**
   * A program that tells its lines.
   *
   * @param lines of the source; 0 for those that come from none
   */
  static String appended(String code, int[] lines) {
    StringBuilder program = new StringBuilder(code).append(MARK);
    int last = 0;
    for (int line : lines) {
      int distance = line - last;
      append(program, distance < 0 ? -2 * distance - 1 : 2 * distance);
      last = line;
    }
    return program.toString();
  }

  private static void append(StringBuilder program, int number) {
    int rest = number;
    while (rest >= MORE) {
      program.append(DIGITS.charAt(rest % MORE + MORE));
      rest /= MORE;
    }
    program.append(DIGITS.charAt(rest));
  }

  public static LineTable of(String program) {
    int mark = program.lastIndexOf(MARK);
    if (mark < 0 || program.indexOf('\n', mark + 1) >= 0) {
      return SAME;
    }
    return new LineTable(read(program, mark + MARK.length()));
  }

  private static int[] read(String program, int start) {
    int[] lines = new int[program.length() - start];
    int count = 0;
    int line = 0;
    int number = 0;
    int shift = 0;
    for (int i = start; i < program.length(); i++) {
      int digit = DIGITS.indexOf(program.charAt(i));
      number += (digit % MORE) << shift;
      shift += BITS;
      if (digit < MORE) {
        line += number % 2 == 0 ? number / 2 : -(number + 1) / 2;
        lines[count++] = line;
        number = 0;
        shift = 0;
      }
    }
    return Arrays.copyOf(lines, count);
  }

  /** The line of the source, or 0 if the code there comes from none. */
  public int source(int line) {
    if (lines == null) {
      return Math.max(0, line);
    }
    return line > 0 && line <= lines.length ? lines[line - 1] : 0;
  }
}
