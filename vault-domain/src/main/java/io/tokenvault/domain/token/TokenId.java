package io.tokenvault.domain.token;

import io.tokenvault.domain.failure.ValidationException;
import java.util.Optional;
import java.util.UUID;

/**
 * Identifies a token within its tenant: 3 to 200 characters, none of {@code # / \ + ? [ ] | & = % <
 * > { } ^}, no quote, whitespace or control character. Not secret.
 */
public record TokenId(String value) {

  public static final int MIN_LENGTH = 3;
  public static final int MAX_LENGTH = 200;

  private static final String FORBIDDEN = "#/\\+?[]|&=%<>{}^\"'`";
  public static final String SHAPE =
      "must be 3 to 200 characters long, without whitespace, quotes and # / \\ + ? [ ] | & = % < >"
          + " { } ^";

  /**
   * @throws ValidationException at {@code id}, if the value has another shape
   */
  public TokenId {
    if (!isValid(value)) {
      throw ValidationException.of("id", SHAPE);
    }
  }

  public static TokenId random() {
    return new TokenId(UUID.randomUUID().toString());
  }

  /** Empty if no token can have this id. */
  public static Optional<TokenId> parse(String value) {
    return isValid(value) ? Optional.of(new TokenId(value)) : Optional.empty();
  }

  private static boolean isValid(String value) {
    return value != null
        && value.length() >= MIN_LENGTH
        && value.length() <= MAX_LENGTH
        && value.codePoints().noneMatch(TokenId::isForbidden);
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
