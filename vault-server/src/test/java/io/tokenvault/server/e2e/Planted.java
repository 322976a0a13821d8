package io.tokenvault.server.e2e;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A secret that is searched for afterwards, in every form in which it might have got out. */
final class Planted {

  private static final int BASE64_GROUP = 3;

  private final String name;
  private final String value;
  private final Set<String> forms = new LinkedHashSet<>();

  /**
   * @param name what it is, for messages
   */
  Planted(String name, String value) {
    this.name = name;
    this.value = value;
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    String hex = HexFormat.of().formatHex(bytes);
    // As text whose bytes are the characters, which is how all that is searched is read.
    forms.add(new String(bytes, StandardCharsets.ISO_8859_1));
    forms.add(jsonEscaped(value));
    forms.add(URLEncoder.encode(value, StandardCharsets.UTF_8));
    forms.add(hex);
    forms.add(hex.toUpperCase(Locale.ROOT));
    for (int shift = 0; shift < BASE64_GROUP; shift++) {
      String base64 = base64Core(bytes, shift);
      forms.add(base64);
      forms.add(base64.replace('+', '-').replace('/', '_'));
    }
  }

  private static String jsonEscaped(String value) {
    StringBuilder escaped = new StringBuilder();
    value
        .chars()
        .forEach(
            each -> {
              if (each == '"' || each == '\\') {
                escaped.append('\\').append((char) each);
              } else if (each > '~') {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", each));
              } else {
                escaped.append((char) each);
              }
            });
    return escaped.toString();
  }

  /** What is the same in base64 whatever stands before and after, for one alignment. */
  private static String base64Core(byte[] bytes, int shift) {
    byte[] shifted = new byte[shift + bytes.length];
    System.arraycopy(bytes, 0, shifted, shift, bytes.length);
    String encoded = Base64.getEncoder().withoutPadding().encodeToString(shifted);
    return encoded.substring(shift == 0 ? 0 : shift + 1, encoded.length() - 2);
  }

  String name() {
    return name;
  }

  String value() {
    return value;
  }

  /** The form in which it stands in these bytes. */
  Optional<String> in(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return forms.stream().filter(text::contains).findFirst();
  }

  Optional<String> in(String text) {
    return in(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return name;
  }
}
