package io.tokenvault.ports.contract.token;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
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
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.model.EncryptedContent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Generates queries and tokens from few values, so that they often match. */
final class RandomQueries {

  private static final List<String> PATHS =
      List.of("/", "/a/", "/ab/", "/a/b/", "/a_/", "/a-/", "/ab/a/");
  private static final List<String> TEXTS = List.of("a", "A", "a%", "a_", "", "\"'\\", "\u00e4");
  private static final List<TokenHash> HASHES =
      Stream.of("one", "two", "three", "four").map(Samples::tokenHash).toList();

  private final Random random;

  RandomQueries(Random random) {
    this.random = random;
  }

  NewToken token(TenantId tenantId, int number) {
    Map<String, String> metadata = new HashMap<>();
    some(0, 2, this::text).forEach(key -> metadata.put("k" + key, text()));
    return Samples.token(
        tenantId,
        oneOf(List.of(TokenType.values())),
        "token-" + number,
        new TokenSettings(some(1, 3, this::container), metadata, Optional.empty()),
        new EncryptedContent(
            Samples.encrypted("data"),
            Optional.empty(),
            Optional.empty(),
            oneOf(HASHES),
            some(0, 2, () -> oneOf(HASHES)).stream().distinct().toList()));
  }

  /** Returns a query of limited depth that often matches some of these tokens. */
  TokenQuery query(int depth, List<Token> tokens) {
    return switch (random.nextInt(depth > 0 ? 14 : 10)) {
      case 10 -> new Not(query(depth - 1, tokens));
      case 11 -> new AnyOf(some(0, 3, () -> query(depth - 1, tokens)));
      case 12, 13 -> new AllOf(some(0, 3, () -> query(depth - 1, tokens)));
      default -> leaf(oneOf(tokens), tokens);
    };
  }

  private TokenQuery leaf(Token token, List<Token> tokens) {
    return switch (random.nextInt(10)) {
      case 0 -> new IdIn(new HashSet<>(some(0, 3, () -> id(tokens))));
      case 1 -> new TypeIn(new HashSet<>(some(0, 3, () -> oneOf(tokens).type())));
      case 2 -> new InContainer(container());
      case 3 -> new ContainerStartsWith(prefix());
      case 4 -> new MetadataIs("k" + text(), text());
      case 5 -> new CreatedBy(token.provenance().createdBy().orElseThrow());
      case 6 -> new CreatedFrom(token.provenance().createdAt().plusNanos(1000L * offset()));
      case 7 -> new CreatedBefore(token.provenance().createdAt().plusNanos(1000L * offset()));
      case 8 -> new IndexIn(new HashSet<>(some(0, 2, () -> oneOf(HASHES).hex())));
      default -> new FingerprintIs(oneOf(HASHES).hex());
    };
  }

  private TokenId id(List<Token> tokens) {
    return random.nextInt(4) == 0 ? new TokenId("unknown") : oneOf(tokens).id();
  }

  private String prefix() {
    String path = oneOf(PATHS);
    return random.nextBoolean() ? path : path.substring(0, random.nextInt(path.length() + 1));
  }

  private int offset() {
    return random.nextInt(3) - 1;
  }

  private Container container() {
    return new Container(oneOf(PATHS));
  }

  private String text() {
    return oneOf(TEXTS);
  }

  private <T> T oneOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private <T> List<T> some(int min, int max, Supplier<T> each) {
    return Stream.generate(each).limit(min + random.nextInt(max - min + 1)).toList();
  }
}
