package io.tokenvault.domain.token;

import io.tokenvault.domain.access.Container;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Criteria for finding tokens, in a form that a store can query by. For example: {@code
 * TokenQuery.allOf(new TypeIn(types), new MetadataIs("order", "17"))}.
 */
public sealed interface TokenQuery {

  /**
   * Returns whether a token matches.
   *
   * @param searchIndexes the token's search indexes as they are stored
   */
  boolean matches(Token token, Set<String> searchIndexes);

  /** Returns a query that matches every token. */
  static TokenQuery everything() {
    return new AllOf(List.of());
  }

  /** Returns a query that matches tokens that match all queries. */
  static TokenQuery allOf(TokenQuery... queries) {
    return new AllOf(Arrays.asList(queries));
  }

  /** Returns a query that matches tokens that match at least one query. */
  static TokenQuery anyOf(TokenQuery... queries) {
    return new AnyOf(Arrays.asList(queries));
  }

  /** Matches tokens that match all queries; without queries, every token. */
  record AllOf(List<TokenQuery> queries) implements TokenQuery {
    public AllOf {
      queries = List.copyOf(queries);
    }

    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return queries.stream().allMatch(query -> query.matches(token, searchIndexes));
    }
  }

  /** Matches tokens that match at least one query; without queries, none. */
  record AnyOf(List<TokenQuery> queries) implements TokenQuery {
    public AnyOf {
      queries = List.copyOf(queries);
    }

    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return queries.stream().anyMatch(query -> query.matches(token, searchIndexes));
    }
  }

  /** Matches tokens that the query does not match. */
  record Not(TokenQuery query) implements TokenQuery {
    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return !query.matches(token, searchIndexes);
    }
  }

  /** Matches tokens with one of these ids; without ids, none. */
  record IdIn(Set<TokenId> ids) implements TokenQuery {
    public IdIn {
      ids = Set.copyOf(ids);
    }

    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return ids.contains(token.id());
    }
  }

  /** Matches tokens of one of these types; without types, none. */
  record TypeIn(Set<TokenType> types) implements TokenQuery {
    public TypeIn {
      types = Set.copyOf(types);
    }

    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return types.contains(token.type());
    }
  }

  /** Matches tokens that are directly in this container. */
  record InContainer(Container container) implements TokenQuery {
    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return token.settings().containers().contains(container);
    }
  }

  /** Matches tokens with a container that starts with this prefix, ignoring case. */
  record ContainerStartsWith(String prefix) implements TokenQuery {
    public ContainerStartsWith {
      prefix = prefix.toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return token.settings().containers().stream()
          .anyMatch(container -> container.path().startsWith(prefix));
    }
  }

  /** Matches tokens whose metadata has exactly this entry. */
  record MetadataIs(String key, String value) implements TokenQuery {
    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return value.equals(token.settings().metadata().get(key));
    }
  }

  /** Matches tokens that this application created. */
  record CreatedBy(UUID applicationId) implements TokenQuery {
    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return token.provenance().createdBy().equals(Optional.of(applicationId));
    }
  }

  /** Matches tokens that were created at this time or later. */
  record CreatedFrom(Instant time) implements TokenQuery {
    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return !token.provenance().createdAt().isBefore(time);
    }
  }

  /** Matches tokens that were created before this time. */
  record CreatedBefore(Instant time) implements TokenQuery {
    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return token.provenance().createdAt().isBefore(time);
    }
  }

  /** Matches tokens with a search index among these hashes; without hashes, none. */
  record IndexIn(Set<String> hashes) implements TokenQuery {
    public IndexIn {
      hashes = Set.copyOf(hashes);
    }

    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return searchIndexes.stream().anyMatch(hashes::contains);
    }
  }

  /** Matches tokens with this fingerprint. */
  record FingerprintIs(String fingerprint) implements TokenQuery {
    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return token.fingerprint().equals(Optional.of(fingerprint));
    }
  }
}
