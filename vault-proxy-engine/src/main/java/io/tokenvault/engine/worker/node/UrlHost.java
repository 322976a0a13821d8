package io.tokenvault.engine.worker.node;

import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;

/** Hosts of the URL standard, in their serialised form. */
final class UrlHost {

  private static final String FORBIDDEN = "\0\t\n\r #/:<>?@[\\]^|";

  /** Newer and older rules for names differ in these: refused rather than sent elsewhere. */
  private static final String DEVIATIONS = "\u00df\u1e9e\u03c2\u200c\u200d";

  private UrlHost() {}

  /**
   * @return null if this is no host
   */
  static String parse(String text, boolean special) {
    if (text.startsWith("[")) {
      return text.endsWith("]") ? Ipv6.parse(text.substring(1, text.length() - 1)) : null;
    }
    return special ? domain(text) : opaque(text);
  }

  private static String opaque(String text) {
    boolean forbidden = text.chars().anyMatch(c -> FORBIDDEN.indexOf(c) >= 0);
    return forbidden ? null : Percent.encode(text, Percent.CONTROL);
  }

  private static String domain(String text) {
    String decoded = new String(Percent.decode(text), StandardCharsets.UTF_8);
    String ascii = ascii(decoded);
    if (ascii == null || ascii.isEmpty() || !ascii.chars().allMatch(UrlHost::allowed)) {
      return null;
    }
    return endsInNumber(ascii) ? ipv4(ascii) : ascii;
  }

  private static boolean allowed(int character) {
    return character > 0x1f
        && character < 0x7f
        && character != '%'
        && FORBIDDEN.indexOf(character) < 0;
  }

  private static String ascii(String text) {
    if (text.chars().allMatch(c -> c < 0x80)) {
      return text.toLowerCase(Locale.ROOT);
    }
    if (text.indexOf('\uFFFD') >= 0 || text.chars().anyMatch(c -> DEVIATIONS.indexOf(c) >= 0)) {
      return null;
    }
    String plain = Normalizer.normalize(text, Normalizer.Form.NFKC).replace("\u00ad", "");
    try {
      return IDN.toASCII(plain, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean endsInNumber(String host) {
    String[] parts = host.split("\\.", -1);
    int last = parts.length - 1;
    if (last > 0 && parts[last].isEmpty()) {
      last--;
    }
    String part = parts[last];
    boolean decimal = !part.isEmpty() && part.chars().allMatch(c -> c >= '0' && c <= '9');
    return decimal || (part.startsWith("0x") && number(part) >= 0);
  }

  private static String ipv4(String host) {
    String[] parts =
        (host.endsWith(".") ? host.substring(0, host.length() - 1) : host).split("\\.", -1);
    if (parts.length > 4) {
      return null;
    }
    long[] numbers = Arrays.stream(parts).mapToLong(UrlHost::number).toArray();
    long address = 0;
    for (int i = 0; i < numbers.length; i++) {
      boolean last = i == numbers.length - 1;
      int shift = 8 * (3 - i);
      long limit = last ? 1L << (8 * (5 - numbers.length)) : 256;
      if (numbers[i] < 0 || numbers[i] >= limit) {
        return null;
      }
      address += last ? numbers[i] : numbers[i] << shift;
    }
    return (address >> 24)
        + "."
        + (address >> 16 & 255)
        + "."
        + (address >> 8 & 255)
        + "."
        + (address & 255);
  }

  /**
   * @return less than 0 if this is no number
   */
  private static long number(String part) {
    boolean hex = part.startsWith("0x");
    boolean octal = !hex && part.length() > 1 && part.startsWith("0");
    String digits = hex ? part.substring(2) : part;
    if (digits.isEmpty()) {
      return hex ? 0 : -1;
    }
    try {
      boolean signed = digits.startsWith("+") || digits.startsWith("-");
      return signed ? -1 : Long.parseLong(digits, hex ? 16 : octal ? 8 : 10);
    } catch (NumberFormatException e) {
      // Too long for any address, or no digits of this base.
      return -1;
    }
  }
}
