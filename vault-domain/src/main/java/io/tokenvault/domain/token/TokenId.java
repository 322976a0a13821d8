package io.tokenvault.domain.token;

import io.tokenvault.domain.failure.ValidationException;
import java.util.Optional;
import java.util.UUID;

/**
 * Identifies a token within its tenant. It is not secret.
 *
 * <p>An id has 3 to 200 Unicode code points, none of {@code # / \ + ? [ ] | & = % < > { } ^}, no
 * quote, whitespace or control character. The id of a new token contains no invisible or unassigned
 * character either; see {@link #parseNew}. Tokens from before that rule, or from a server whose
 * Java version knows more characters, retain theirs.
 */
public record TokenId(String value) {

  public static final int MIN_LENGTH = 3;
  public static final int MAX_LENGTH = 200;

  private static final String FORBIDDEN = "#/\\+?[]|&=%<>{}^\"'`";
  public static final String SHAPE =
      "must be 3 to 200 characters long, without whitespace, quotes, invisible or unassigned"
          + " characters and # / \\ + ? [ ] | & = % < > { } ^";

  /**
   * Creates an id.
   *
   * @throws ValidationException at {@code id} if the value is invalid
   */
  public TokenId {
    if (!isValid(value)) {
      throw ValidationException.of("id", SHAPE);
    }
  }

  /** Returns a random UUID as an id. */
  public static TokenId random() {
    return new TokenId(UUID.randomUUID().toString());
  }

  /** Parses an id; empty if no token can have it. */
  public static Optional<TokenId> parse(String value) {
    return isValid(value) ? Optional.of(new TokenId(value)) : Optional.empty();
  }

  /**
   * Parses the id of a new token, which must be distinguishable from others: empty, too, for a
   * character that controls formatting (such as a bidirectional, zero-width or tag character) or is
   * unassigned, and for less than three code points.
   */
  public static Optional<TokenId> parseNew(String value) {
    return parse(value)
        .filter(id -> length(id.value) >= MIN_LENGTH)
        .filter(id -> id.value.codePoints().noneMatch(TokenId::isInvisible));
  }

  private static boolean isInvisible(int character) {
    int type = Character.getType(character);
    return type == Character.FORMAT || type == Character.UNASSIGNED;
  }

  private static boolean isValid(String value) {
    // Two code points that take four units were once accepted.
    if (value == null || value.length() < MIN_LENGTH || length(value) > MAX_LENGTH) {
      return false;
    }
    int character;
    for (int i = 0; i < value.length(); i += Character.charCount(character)) {
      character = value.codePointAt(i);
      if (isForbidden(character)) {
        return false;
      }
    }
    return true;
  }

  private static int length(String value) {
    return value.codePointCount(0, value.length());
  }

  private static boolean isForbidden(int character) {
    return FORBIDDEN.indexOf(character) >= 0
        || Character.isWhitespace(character)
        || Character.isSpaceChar(character)
        || Character.isISOControl(character)
        || Character.getType(character) == Character.SURROGATE;
  }

  @Override
  public String toString() {
    return value;
  }
}
