package io.tokenvault.domain.access;

import io.tokenvault.domain.access.Condition.Attribute;
import java.util.List;

/** Selects the tokens that an access rule applies to. */
public sealed interface TokenSelector {

  boolean matches(TokenTraits token);

  /** Returns the number of characters in its strings. */
  int length();

  /**
   * Returns whether only the lack of a token id prevents a match, when no particular token is
   * given.
   */
  default boolean dependsOnId(TokenTraits token) {
    return false;
  }

  /**
   * Selects tokens in the container or below it; of several containers of a token, one suffices.
   */
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

  /** Selects tokens that meet all conditions, of which there are 1 to 20. */
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
