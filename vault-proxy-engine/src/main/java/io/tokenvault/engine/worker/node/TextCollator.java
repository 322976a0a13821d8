package io.tokenvault.engine.worker.node;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The order of texts of {@code localeCompare} and {@code Intl.Collator}: white space, punctuation,
 * symbols, digits, letters; then accents; then lower before upper case. It is that of American
 * English in Node.js for the texts of Western languages. Other letters follow in the order of the
 * code points that they decompose into.
 *
 * @param numeric whether numbers are compared by their values
 * @param ignorePunctuation whether punctuation and white space are ignored
 * @param upperFirst whether upper case precedes lower case
 */
record TextCollator(boolean numeric, boolean ignorePunctuation, boolean upperFirst) {

  /** The usual characters that precede digits and letters. */
  private static final String FIRST =
      "\t\n\u000b\f\r\u0085\u2028\u2029 _-\u2010\u2012\u2013\u2014\u2015,;:!\u00a1?\u00bf.\u00b7"
          + "'\u2018\u2019\u201a\u2039\u203a\"\u201c\u201d\u201e\u00ab\u00bb()[]{}\u00a7\u00b6@*/\\&#%"
          + "\u2030\u2020\u2021\u2022`^\u00b0\u00a9\u00ae+\u00b1\u00f7\u00d7<=>\u00ac|\u00a6~"
          + "\u00a4\u00a2$\u00a3\u00a5\u20a9\u20aa\u20ac\u20b9\u20bd\u20bf";

  /** The positions in {@link #FIRST} by code point; -1 for other characters. */
  private static final short[] PLACES = places();

  /** Where the currencies begin, which other symbols precede. */
  private static final int FIRST_CURRENCY = FIRST.indexOf('\u00a4');

  /** The marks of accents in their order. */
  private static final String ACCENTS =
      "\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0338\u0335\u0328\u0327\u0304";

  /** Letters that Unicode does not decompose, as others with a mark. */
  private static final Map<Character, String> LETTERS =
      Map.of(
          '\u00df', "ss\u0335",
          '\u00e6', "ae\u0335",
          '\u0153', "oe\u0335",
          '\u00f8', "o\u0338",
          '\u0142', "l\u0335",
          '\u0111', "d\u0335",
          '\u00f0', "d\u0338",
          '\u0127', "h\u0335");

  /** The characters that {@code ignorePunctuation} ignores. */
  private static final Pattern IGNORED = Pattern.compile("[\\p{P}\\p{Z}\t-\r\u0085]");

  // The kinds of elements, each of which has the code points from here on.
  private static final int SYMBOLS = 0x10000;
  private static final int CURRENCIES = 0x20000;
  private static final int DIGITS = 0x30000;
  private static final int LENGTHS = 0x30010;
  private static final int OTHERS = 0x40000;

  /** The end of the characters that have no decomposition. */
  private static final int ASCII_END = 128;

  /** The greatest length of a number that makes a difference. */
  private static final int LONGEST = 0xffef;

  /**
   * Compares two texts.
   *
   * @param sensitivity which differences count: {@code base}, {@code accent}, {@code case} or
   *     {@code variant}
   * @return -1, 0 or 1
   */
  int compare(String left, String right, String sensitivity) {
    Key one = new Key(left);
    Key other = new Key(right);
    int order = one.letters.compareTo(other.letters);
    if (order == 0 && (sensitivity.equals("accent") || sensitivity.equals("variant"))) {
      order = one.accents.compareTo(other.accents);
    }
    if (order == 0 && (sensitivity.equals("case") || sensitivity.equals("variant"))) {
      order = one.cases.compareTo(other.cases);
    }
    return Integer.signum(order);
  }

  private static short[] places() {
    short[] places = new short[FIRST.chars().max().orElseThrow() + 1];
    Arrays.fill(places, (short) -1);
    for (int i = 0; i < FIRST.length(); i++) {
      places[FIRST.charAt(i)] = (short) i;
    }
    return places;
  }

  /** The parts of a text that are compared. */
  private final class Key {

    private final StringBuilder letters = new StringBuilder();
    private final StringBuilder accents = new StringBuilder();
    private final StringBuilder cases = new StringBuilder();

    Key(String text) {
      String decomposed = Normalizer.normalize(text, Normalizer.Form.NFD);
      int at = 0;
      while (at < decomposed.length()) {
        int end = numeric ? endOfNumber(decomposed, at) : at;
        if (end > at) {
          addNumber(decomposed.substring(at, end));
        } else {
          add(decomposed.charAt(at));
        }
        at = Math.max(end, at + 1);
      }
    }

    private static int endOfNumber(String text, int start) {
      int end = start;
      while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
        end++;
      }
      return end;
    }

    /** Adds the length of a number without its leading zeros, then its digits. */
    private void addNumber(String digits) {
      String number = digits.replaceFirst("^0+", "");
      letters.appendCodePoint(LENGTHS + Math.min(number.length(), LONGEST));
      number.chars().forEach(digit -> add((char) digit));
    }

    private void add(char unit) {
      char lower = Character.toLowerCase(unit);
      int upper = (unit == lower) == upperFirst ? 1 : 0;
      if (unit < ASCII_END) {
        addPart(lower, (char) upper);
        return;
      }
      String same = String.valueOf(lower);
      String plain = Normalizer.normalize(same, Normalizer.Form.NFKD);
      int variant = plain.equals(same) ? 0 : 2;
      for (char part : LETTERS.getOrDefault(lower, plain).toCharArray()) {
        addPart(part, (char) (variant + upper));
      }
    }

    private void addPart(char part, char caseOrVariant) {
      int type = Character.getType(part);
      int first = part < PLACES.length ? PLACES[part] : -1;
      if (ignorePunctuation && IGNORED.matcher(String.valueOf(part)).matches()) {
        return;
      }
      if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
        int accent = ACCENTS.indexOf(part);
        accents.append(accent < 0 ? part : (char) (1 + accent));
      } else if (first >= 0 || (type != Character.CONTROL && type != Character.FORMAT)) {
        addElement(part, first);
        accents.append('\0');
        cases.append(caseOrVariant);
      }
    }

    private void addElement(char part, int first) {
      if (first >= 0) {
        letters.appendCodePoint(first < FIRST_CURRENCY ? 1 + first : CURRENCIES + first);
      } else if (Character.isDigit(part)) {
        letters.appendCodePoint(DIGITS + Character.digit(part, 10));
      } else {
        letters.appendCodePoint((Character.isLetter(part) ? OTHERS : SYMBOLS) + part);
      }
    }
  }
}
