package io.tokenvault.engine.worker.compile;

import java.util.Arrays;

/**
 * Map from the lines of a compiled program to lines and columns of its source.
 *
 * <p>It is stored in the program itself, as a comment at the end: for each line the differences to
 * the line and column of the previous one, as variable-length numbers in Base64 digits, similar to
 * JavaScript source maps. Each digit has five bits and a sixth that marks that another one follows;
 * negative numbers are odd.
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

  /** The source line and column of each program line in turn; null for the identity. */
  private final int[] places;

  private LineTable(int[] places) {
    this.places = places;
  }

  /**
   * Returns a program with its line table appended.
   *
   * @param lines the source line of each program line; 0 for lines that the compiler added
   * @param columns the source column at which each program line begins
   */
  public static String appended(String code, int[] lines, int[] columns) {
    StringBuilder program = new StringBuilder(code).append(MARK);
    for (int i = 0; i < lines.length; i++) {
      appendDistance(program, lines[i] - (i == 0 ? 0 : lines[i - 1]));
      appendDistance(program, columns[i] - (i == 0 ? 0 : columns[i - 1]));
    }
    return program.toString();
  }

  private static void appendDistance(StringBuilder program, int distance) {
    append(program, distance < 0 ? -2 * distance - 1 : 2 * distance);
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
    int[] places = new int[program.length() - start + 2];
    int count = 2;
    int number = 0;
    int shift = 0;
    for (int i = start; i < program.length(); i++) {
      int digit = DIGITS.indexOf(program.charAt(i));
      number += (digit % MORE) << shift;
      shift += BITS;
      if (digit < MORE) {
        int distance = number % 2 == 0 ? number / 2 : -(number + 1) / 2;
        places[count] = places[count - 2] + distance;
        count++;
        number = 0;
        shift = 0;
      }
    }
    return Arrays.copyOfRange(places, 2, count);
  }

  /**
   * Returns a line of the source.
   *
   * @param line a line of the program, from 1
   * @return the line of the source, from 1; 0 if the compiler added the code in that line
   */
  public int source(int line) {
    return places == null ? Math.max(0, line) : place(line, 0);
  }

  /**
   * Returns the column of the source at which a line of the program begins.
   *
   * @param line a line of the program, from 1
   * @return the column, from 1; 0 if it is not known
   */
  public int column(int line) {
    return places == null ? 0 : place(line, 1);
  }

  private int place(int line, int part) {
    return line > 0 && 2 * line <= places.length ? places[2 * (line - 1) + part] : 0;
  }
}
