package io.tokenvault.engine.worker.compile;

import java.util.Arrays;

/**
 * Map from the lines of a compiled program to those of its source.
 *
 * <p>It is stored in the program itself, as a comment at the end: for each line the difference to
 * the previous one, as a variable-length number in Base64 digits, similar to JavaScript source
 * maps. Each digit has five bits and a sixth that marks that another one follows; negative numbers
 * are odd.
 */
public final class LineTable {

  /** The start of the comment. */
  private static final String MARK = "\n//# lines=";

  private static final String DIGITS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  private static final int BITS = 5;

  /** The bit of a digit that marks that another one follows. */
  private static final int MORE = 1 << BITS;

  /** The identity, for programs that were not compiled. */
  private static final LineTable SAME = new LineTable(null);

  /** The source line of each program line; null for the identity. */
  private final int[] lines;

  private LineTable(int[] lines) {
    this.lines = lines;
  }

  /**
   * Returns a program with its line table appended.
   *
   * @param lines the source line of each program line; 0 for lines that the compiler added
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

  /** Appends a number, its lowest digit first. */
  private static void append(StringBuilder program, int number) {
    int rest = number;
    while (rest >= MORE) {
      program.append(DIGITS.charAt(rest % MORE + MORE));
      rest /= MORE;
    }
    program.append(DIGITS.charAt(rest));
  }

  /** Returns the line table of a program; the identity if it has none. */
  public static LineTable of(String program) {
    int mark = program.lastIndexOf(MARK);
    if (mark < 0 || program.indexOf('\n', mark + 1) >= 0) {
      return SAME;
    }
    return new LineTable(read(program, mark + MARK.length()));
  }

  /** Decodes the table. */
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

  /**
   * Returns a line of the source.
   *
   * @param line a line of the program, from 1
   * @return the line of the source, from 1; 0 if the compiler added the code in that line
   */
  public int source(int line) {
    if (lines == null) {
      return Math.max(0, line);
    }
    return line > 0 && line <= lines.length ? lines[line - 1] : 0;
  }
}
