package io.tokenvault.ports.contract.token;

import io.tokenvault.domain.access.Condition;
import io.tokenvault.domain.access.Condition.Attribute;
import io.tokenvault.domain.access.Condition.Operator;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.access.TokenScope.Clause;
import io.tokenvault.domain.access.TokenSelector;
import io.tokenvault.domain.access.TokenSelector.InContainer;
import io.tokenvault.domain.access.TokenSelector.MeetsAll;
import io.tokenvault.domain.token.TokenSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Generates scopes and tokens from few values, so that they often match. */
final class RandomScopes {

  private static final List<String> SEGMENTS = List.of("a", "ab", "a_", "a-");
  private static final List<String> TEXTS = List.of("abc", "ab_", "aBc", "a.c", "*bc", "\u00e4bc");

  private final Random random;

  RandomScopes(Random random) {
    this.random = random;
  }

  TokenScope scope() {
    return new TokenScope(some(0, 2, () -> new Clause(some(0, 3, this::selector))));
  }

  private TokenSelector selector() {
    return random.nextBoolean()
        ? new InContainer(container())
        : new MeetsAll(some(1, 2, this::condition));
  }

  private Condition condition() {
    Operator operator = oneOf(List.of(Operator.values()));
    return random.nextBoolean()
        ? new Condition(
            Attribute.ID, operator, random.nextInt(30) + (random.nextBoolean() ? text() : ""))
        : new Condition(Attribute.CONTAINER, operator, containerPrefix());
  }

  private String containerPrefix() {
    String path = container().path();
    return random.nextBoolean() ? path : path.substring(0, 1 + random.nextInt(path.length()));
  }

  TokenSettings settings() {
    return new TokenSettings(some(1, 3, this::container), Map.of(), Optional.empty());
  }

  private Container container() {
    return new Container("/" + String.join("", some(0, 3, () -> oneOf(SEGMENTS) + "/")));
  }

  String text() {
    return oneOf(TEXTS);
  }

  private <T> T oneOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private <T> List<T> some(int min, int max, Supplier<T> each) {
    return Stream.generate(each).limit(min + random.nextInt(max - min + 1)).toList();
  }
}
