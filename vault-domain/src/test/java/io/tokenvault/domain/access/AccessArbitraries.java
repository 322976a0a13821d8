package io.tokenvault.domain.access;

import io.tokenvault.domain.access.TokenSelector.InContainer;
import io.tokenvault.domain.access.TokenSelector.MeetsAll;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Provide;

/** Generates rules and tokens of few containers, ids and permissions, so that they match often. */
public interface AccessArbitraries {

  @Provide
  default Arbitrary<Permission> permissions() {
    return Arbitraries.of(
        Stream.of(Permission.values()).filter(Permission::concernsTokens).toList());
  }

  /** Generates the segments of a container. */
  @Provide
  default Arbitrary<List<String>> segments() {
    return Arbitraries.of("a", "b", "ab", "a-b").list().ofMaxSize(3);
  }

  @Provide
  default Arbitrary<Container> containers() {
    return segments().map(AccessArbitraries::container);
  }

  static Container container(List<String> segments) {
    StringBuilder path = new StringBuilder("/");
    segments.forEach(segment -> path.append(segment).append('/'));
    return new Container(path.toString());
  }

  @Provide
  default Arbitrary<TokenTraits> tokens() {
    return Combinators.combine(ids(), containers().set().ofMinSize(1).ofMaxSize(3))
        .as(TokenTraits::new);
  }

  private Arbitrary<String> ids() {
    return Arbitraries.of("abc", "abd", "Abc", "abcd", "x-1");
  }

  @Provide
  default Arbitrary<AccessPolicy> policies() {
    return Combinators.combine(permissions().set().ofMaxSize(2), rules())
        .as((permissions, rules) -> new AccessPolicy(List.copyOf(permissions), rules));
  }

  private Arbitrary<List<AccessRule>> rules() {
    return Combinators.combine(
            rule().list().ofMaxSize(5),
            Arbitraries.integers().between(1, 1000).list().ofSize(5).uniqueElements())
        .as(AccessArbitraries::withPriorities);
  }

  private static List<AccessRule> withPriorities(List<AccessRule> rules, List<Integer> priorities) {
    List<AccessRule> numbered = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      AccessRule rule = rules.get(i);
      numbered.add(
          new AccessRule(
              "rule", priorities.get(i), rule.selector(), rule.transform(), rule.permissions()));
    }
    return numbered;
  }

  private Arbitrary<AccessRule> rule() {
    return Combinators.combine(
            selectors(),
            Arbitraries.of(AccessTransform.class),
            permissions().set().ofMinSize(1).ofMaxSize(4))
        .as(
            (selector, transform, permissions) ->
                new AccessRule("rule", 1, selector, transform, List.copyOf(permissions)));
  }

  private Arbitrary<TokenSelector> selectors() {
    Arbitrary<TokenSelector> inContainer = containers().map(InContainer::new);
    Arbitrary<TokenSelector> meetsAll =
        conditions().list().ofMinSize(1).ofMaxSize(3).map(MeetsAll::new);
    return Arbitraries.oneOf(inContainer, meetsAll);
  }

  @Provide
  default Arbitrary<Condition> conditions() {
    Arbitrary<String> values =
        Arbitraries.of(
            "a", "ab", "abc", "abcd", "A", "x", "/", "/a", "/a/", "/A/", "/a/b/", "/ab/");
    return Combinators.combine(
            Arbitraries.of(Condition.Attribute.class),
            Arbitraries.of(Condition.Operator.class),
            values)
        .as(Condition::new);
  }
}
