package io.tokenvault.domain.token;

import io.tokenvault.domain.access.Container;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What tokens to find, as something that a store can query by. */
public sealed interface TokenQuery {

  /**
   * Whether a token is meant.
   *
   * @param searchIndexes the token's search indexes, as they are stored
   */
  boolean matches(Token token, Set<String> searchIndexes);

  static TokenQuery everything() {
    return new AllOf(List.of());
  }

  static TokenQuery allOf(TokenQuery... queries) {
    return new AllOf(Arrays.asList(queries));
  }

  static TokenQuery anyOf(TokenQuery... queries) {
    return new AnyOf(Arrays.asList(queries));
  }

  /** Tokens that all queries mean; without any, every token. */
  record AllOf(List<TokenQuery> queries) implements TokenQuery {
    public AllOf {
      queries = List.copyOf(queries);
    }

    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return queries.stream().allMatch(query -> query.matches(token, searchIndexes));
    }
  }

  /** Tokens that at least one query means; without any, none. */
  record AnyOf(List<TokenQuery> queries) implements TokenQuery {
    public AnyOf {
      queries = List.copyOf(queries);
    }

    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return queries.stream().anyMatch(query -> query.matches(token, searchIndexes));
    }
  }

  /** Tokens that the query does not mean. */
  record Not(TokenQuery query) implements TokenQuery {
    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return !query.matches(token, searchIndexes);
    }
  }

  /** One of these ids; without any, none. */
  record IdIn(Set<TokenId> ids) implements TokenQuery {
    public IdIn {
      ids = Set.copyOf(ids);
    }

    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return ids.contains(token.id());
    }
  }

  /** One of these types; without any, none. */
  record TypeIn(Set<TokenType> types) implements TokenQuery {
    public TypeIn {
      types = Set.copyOf(types);
    }

    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return types.contains(token.type());
    }
  }

  /** One of the token's containers is this one. */
  record InContainer(Container container) implements TokenQuery {
    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return token.settings().containers().contains(container);
    }
  }

  /** One of the token's containers starts with this text; upper case counts as lower case. */
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

  /** The token's metadata has exactly this entry. */
  record MetadataIs(String key, String value) implements TokenQuery {
    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return value.equals(token.settings().metadata().get(key));
    }
  }

  /** The token was made by this application. */
  record CreatedBy(UUID applicationId) implements TokenQuery {
    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return token.provenance().createdBy().equals(Optional.of(applicationId));
    }
  }

  /** The token was made at this moment or later. */
  record CreatedFrom(Instant time) implements TokenQuery {
    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return !token.provenance().createdAt().isBefore(time);
    }
  }

  /** The token was made before this moment. */
  record CreatedBefore(Instant time) implements TokenQuery {
    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return token.provenance().createdAt().isBefore(time);
    }
  }

  /** One of the token's search indexes is one of these; without any, none. */
  record IndexIn(Set<String> hashes) implements TokenQuery {
    public IndexIn {
      hashes = Set.copyOf(hashes);
    }

    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return searchIndexes.stream().anyMatch(hashes::contains);
    }
  }

  /** The token has this fingerprint. */
  record FingerprintIs(String fingerprint) implements TokenQuery {
    @Override
    public boolean matches(Token token, Set<String> searchIndexes) {
      return token.fingerprint().equals(Optional.of(fingerprint));
    }
  }
}
