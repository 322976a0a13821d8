package io.tokenvault.domain.access;

import java.util.List;
import java.util.stream.Stream;

/**
 * A set of tokens that a store can query by. A token is in the scope if every clause has at least
 * one matching selector. A scope without clauses contains every token; an empty clause matches
 * none.
 */
public record TokenScope(List<Clause> clauses) {

  private static final TokenScope EVERYTHING = new TokenScope(List.of());

  public TokenScope {
    clauses = List.copyOf(clauses);
  }

  public static TokenScope everything() {
    return EVERYTHING;
  }

  public static TokenScope nothing() {
    return selectedBy(List.of());
  }

  static TokenScope selectedBy(List<TokenSelector> selectors) {
    return new TokenScope(List.of(new Clause(selectors)));
  }

  /** Returns whether a token is in the scope. */
  public boolean contains(TokenTraits token) {
    return clauses.stream().allMatch(clause -> clause.matches(token));
  }

  /** Returns the intersection of two scopes. */
  public TokenScope and(TokenScope other) {
    return new TokenScope(Stream.concat(clauses.stream(), other.clauses.stream()).toList());
  }

  /** Returns the union of two scopes. */
  public TokenScope or(TokenScope other) {
    return new TokenScope(
        clauses.stream()
            .flatMap(mine -> other.clauses.stream().map(theirs -> mine.or(theirs)))
            .toList());
  }

  /** Selectors of which one must match. */
  public record Clause(List<TokenSelector> anyOf) {
    public Clause {
      anyOf = List.copyOf(anyOf);
    }

    boolean matches(TokenTraits token) {
      return anyOf.stream().anyMatch(selector -> selector.matches(token));
    }

    private Clause or(Clause other) {
      return new Clause(Stream.concat(anyOf.stream(), other.anyOf.stream()).toList());
    }
  }
}
