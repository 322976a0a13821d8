package io.tokenvault.domain.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenQuery.AllOf;
import io.tokenvault.domain.token.TokenQuery.AnyOf;
import io.tokenvault.domain.token.TokenQuery.ContainerStartsWith;
import io.tokenvault.domain.token.TokenQuery.CreatedBefore;
import io.tokenvault.domain.token.TokenQuery.CreatedBy;
import io.tokenvault.domain.token.TokenQuery.CreatedFrom;
import io.tokenvault.domain.token.TokenQuery.FingerprintIs;
import io.tokenvault.domain.token.TokenQuery.IdIn;
import io.tokenvault.domain.token.TokenQuery.InContainer;
import io.tokenvault.domain.token.TokenQuery.IndexIn;
import io.tokenvault.domain.token.TokenQuery.MetadataIs;
import io.tokenvault.domain.token.TokenQuery.Not;
import io.tokenvault.domain.token.TokenQuery.TypeIn;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TokenQueryTest {

  private static final Instant CREATED_AT = Instant.parse("2026-01-02T03:04:05.000006Z");
  private static final UUID CREATOR = new UUID(1, 1);
  private static final TokenQuery YES = TokenQuery.everything();
  private static final TokenQuery NO = TokenQuery.anyOf();

  private static final Token CARD =
      token(Optional.of("print"), Optional.of(CREATOR), Map.of("k", "v", "empty", ""));
  private static final Token OLD = token(Optional.empty(), Optional.empty(), Map.of());

  static Stream<Arguments> queries() {
    return Stream.of(
        arguments(new IdIn(Set.of(new TokenId("abc"), new TokenId("card-1"))), true),
        arguments(new IdIn(Set.of(new TokenId("CARD-1"))), false),
        arguments(new IdIn(Set.of()), false),
        arguments(new TypeIn(Set.of(TokenType.TOKEN, TokenType.CARD)), true),
        arguments(new TypeIn(Set.of(TokenType.CARD_NUMBER)), false),
        arguments(new TypeIn(Set.of()), false),
        arguments(new InContainer(new Container("/PCI/high/")), true),
        arguments(new InContainer(new Container("/b/")), true),
        arguments(new InContainer(new Container("/pci/")), false),
        arguments(new ContainerStartsWith(""), true),
        arguments(new ContainerStartsWith("/pci/"), true),
        arguments(new ContainerStartsWith("/pc"), true),
        arguments(new ContainerStartsWith("/PCI/H"), true),
        arguments(new ContainerStartsWith("/pci/high/x"), false),
        arguments(new ContainerStartsWith("high"), false),
        arguments(new MetadataIs("k", "v"), true),
        arguments(new MetadataIs("k", "V"), false),
        arguments(new MetadataIs("K", "v"), false),
        arguments(new MetadataIs("empty", ""), true),
        arguments(new MetadataIs("none", ""), false),
        arguments(new CreatedBy(CREATOR), true),
        arguments(new CreatedBy(new UUID(1, 2)), false),
        arguments(new CreatedFrom(CREATED_AT), true),
        arguments(new CreatedFrom(CREATED_AT.plusNanos(1000)), false),
        arguments(new CreatedBefore(CREATED_AT), false),
        arguments(new CreatedBefore(CREATED_AT.plusNanos(1000)), true),
        arguments(new IndexIn(Set.of("other", "index-2")), true),
        arguments(new IndexIn(Set.of("other")), false),
        arguments(new IndexIn(Set.of()), false),
        arguments(new FingerprintIs("print"), true),
        arguments(new FingerprintIs("PRINT"), false));
  }

  @ParameterizedTest
  @MethodSource("queries")
  void queryMatchesExactlyDescribedTokens(TokenQuery query, boolean expected) {
    assertThat(matches(query)).isEqualTo(expected);
    assertThat(matches(new Not(query))).isEqualTo(!expected);
  }

  @Test
  void allOfRequiresEveryPartToMatch() {
    assertThat(matches(TokenQuery.allOf())).isTrue();
    assertThat(matches(TokenQuery.allOf(YES, YES))).isTrue();
    assertThat(matches(TokenQuery.allOf(YES, NO))).isFalse();
    assertThat(matches(new AllOf(List.of(NO)))).isFalse();
  }

  @Test
  void anyOfRequiresOnePartToMatch() {
    assertThat(matches(TokenQuery.anyOf())).isFalse();
    assertThat(matches(TokenQuery.anyOf(NO, YES))).isTrue();
    assertThat(matches(new AnyOf(List.of(NO, NO)))).isFalse();
  }

  @Test
  void absentAttributeDoesNotMatch() {
    for (TokenQuery query :
        List.of(
            new FingerprintIs("print"),
            new FingerprintIs(""),
            new CreatedBy(CREATOR),
            new MetadataIs("k", "v"),
            new IndexIn(Set.of("index-1")))) {
      assertThat(query.matches(OLD, Set.of())).isFalse();
      assertThat(new Not(query).matches(OLD, Set.of())).isTrue();
    }
  }

  private static boolean matches(TokenQuery query) {
    return query.matches(CARD, Set.of("index-1", "index-2"));
  }

  private static Token token(
      Optional<String> fingerprint, Optional<UUID> creator, Map<String, String> metadata) {
    return new Token(
        new TokenId("card-1"),
        new TenantId(new UUID(0, 1)),
        TokenType.CARD,
        new TokenSettings(
            List.of(new Container("/pci/high/"), new Container("/b/")), metadata, Optional.empty()),
        fingerprint,
        new Provenance(creator, CREATED_AT, Optional.empty(), Optional.empty()),
        1);
  }
}
