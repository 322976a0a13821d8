package io.tokenvault.engine.exchange;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.ServiceHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Rules for the headers that are forwarded in either direction. Connection headers (RFC 9110,
 * section 7.6.1), lengths and the service's own headers never are.
 *
 * <p>At the port, a header value has one character for each byte (ISO 8859-1); within the engine,
 * and in requests to destinations, values are UTF-8.
 */
public final class HeaderRules {

  private final ServiceHeaders own;

  public HeaderRules(ServiceHeaders own) {
    this.own = own;
  }

  /** Returns the headers that may be sent to a destination, in order. */
  public List<HeaderField> toDestination(List<HeaderField> fields) {
    List<HeaderField> outgoing = new ArrayList<>(fields.size());
    for (HeaderField field : endToEnd(fields)) {
      // Both are about the caller's connection; the server has responded to an expectation already.
      if (!field.is("Host") && !field.is("Expect") && field.isNamedPlainly()) {
        outgoing.add(field);
      }
    }
    return outgoing;
  }

  /** Returns the headers that are neither of the connection nor the vault's own, in order. */
  public List<HeaderField> endToEnd(List<HeaderField> fields) {
    Set<String> named = namedInConnection(fields);
    List<HeaderField> passing = new ArrayList<>(fields.size());
    for (HeaderField field : fields) {
      if (!field.isOfConnection()
          && (named.isEmpty() || !named.contains(lowerCase(field.name())))
          && !own.owns(field.name())) {
        passing.add(field);
      }
    }
    return passing;
  }

  /**
   * Returns the headers of a caller's request that may be sent to a destination, decoded to UTF-8.
   *
   * @throws ValidationException if a value is not valid UTF-8 and could not be sent unchanged
   */
  public List<HeaderField> fromCaller(List<HeaderField> fields) {
    List<HeaderField> outgoing = toDestination(fields);
    outgoing.replaceAll(HeaderRules::decode);
    return outgoing;
  }

  /**
   * Returns the headers that may be returned to the caller, encoded with a character for each byte.
   */
  public List<HeaderField> toCaller(List<HeaderField> fields) {
    List<HeaderField> returning = endToEnd(fields);
    returning.replaceAll(HeaderRules::encode);
    return returning;
  }

  /**
   * Decodes a value with a character for each byte as UTF-8.
   *
   * @throws ValidationException if the bytes are not valid UTF-8
   */
  public static HeaderField decode(HeaderField field) {
    if (isAscii(field.value())) {
      return field;
    }
    byte[] bytes = field.value().getBytes(StandardCharsets.ISO_8859_1);
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return new HeaderField(field.name(), text);
    } catch (CharacterCodingException notUtf8) {
      throw ValidationException.of(
          "error", "The values of headers for the destination must be ASCII or UTF-8.");
    }
  }

  /** Encodes a value as UTF-8, with a character for each byte. */
  public static HeaderField encode(HeaderField field) {
    if (isAscii(field.value())) {
      return field;
    }
    byte[] bytes = field.value().getBytes(StandardCharsets.UTF_8);
    return new HeaderField(field.name(), new String(bytes, StandardCharsets.ISO_8859_1));
  }

  /** Returns whether a value is ASCII, so that both representations are identical. */
  private static boolean isAscii(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the lower-case names that {@code Connection} declares as belonging to the connection.
   */
  private static Set<String> namedInConnection(List<HeaderField> fields) {
    Set<String> named = Set.of();
    for (HeaderField field : fields) {
      if (field.is("Connection")) {
        named = named.isEmpty() ? new HashSet<>() : named;
        for (String name : field.value().split(",")) {
          named.add(lowerCase(name.strip()));
        }
      }
    }
    return named;
  }

  private static String lowerCase(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
