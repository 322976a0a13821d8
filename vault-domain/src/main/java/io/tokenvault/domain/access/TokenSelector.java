package io.tokenvault.domain.access;

import io.tokenvault.domain.access.Condition.Attribute;
import java.util.List;

/** Which tokens an access rule is about. */
public sealed interface TokenSelector {

  boolean matches(TokenTraits token);

  /** How many characters its texts have. */
  int length();

  /** Whether nothing but an id is missing for a match, where no particular token is meant. */
  default boolean dependsOnId(TokenTraits token) {
    return false;
  }

  /** Tokens in the container or under it; a token in several matches if one of them does. */
  record InContainer(Container container) implements TokenSelector {
    @Override
    public boolean matches(TokenTraits token) {
      return token.containers().stream().anyMatch(container::covers);
    }

    @Override
    public int length() {
      return container.path().length();
    }
  }

  /** Tokens that meet all conditions, of which there is at least one. */
  record MeetsAll(List<Condition> conditions) implements TokenSelector {

    public static final int MAX_CONDITIONS = 20;

    public MeetsAll {
      conditions = List.copyOf(conditions);
      if (conditions.isEmpty() || conditions.size() > MAX_CONDITIONS) {
        throw new IllegalArgumentException("1 to " + MAX_CONDITIONS + " conditions");
      }
    }

    @Override
    public boolean matches(TokenTraits token) {
      return conditions.stream().allMatch(condition -> condition.matches(token));
    }

    @Override
    public int length() {
      return conditions.stream().mapToInt(condition -> condition.value().length()).sum();
    }

    @Override
    public boolean dependsOnId(TokenTraits token) {
      return !token.isOfAToken()
          && !matches(token)
          && conditions.stream()
              .allMatch(each -> each.attribute() == Attribute.ID || each.matches(token));
    }
  }
}
