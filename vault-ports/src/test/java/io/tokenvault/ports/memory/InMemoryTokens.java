package io.tokenvault.ports.memory;

import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.memory.Memory.InTenant;
import io.tokenvault.ports.spi.NewToken;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.StoredToken;
import io.tokenvault.ports.spi.TokenFilter;
import io.tokenvault.ports.spi.TokenStore;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

final class InMemoryTokens implements TokenStore {

  private static final Comparator<StoredToken> NEWEST_FIRST =
      Comparator.comparing((StoredToken each) -> each.token().provenance().createdAt())
          .reversed()
          .thenComparing(each -> each.token().id().value());

  private final Memory memory;

  InMemoryTokens(Memory memory) {
    this.memory = memory;
  }

  @Override
  public Optional<Token> create(
      NewToken wanted, AuditEntry entry, Function<Token, AuditEntry> expiry) {
    return memory.change(
        () -> {
          memory.requireTenant(wanted.tenantId());
          if (memory.token(wanted.tenantId(), wanted.id()).isPresent()) {
            return Optional.empty();
          }
          memory.requireEntries();
          Token token = made(wanted);
          Optional.ofNullable(
                  memory.tokens.put(
                      new InTenant<>(wanted.tenantId(), wanted.id()),
                      new StoredToken(token, wanted.data())))
              .ifPresent(expired -> memory.add(expiry.apply(expired.token())));
          memory.add(entry);
          return Optional.of(token);
        });
  }

  private Token made(NewToken wanted) {
    Provenance provenance =
        new Provenance(
            Optional.of(wanted.createdBy()), memory.now(), Optional.empty(), Optional.empty());
    return new Token(
        wanted.id(),
        wanted.tenantId(),
        wanted.type(),
        wanted.settings(),
        provenance,
        memory.nextTokenVersion());
  }

  @Override
  public Page<StoredToken> list(
      TenantId tenantId, TokenFilter filter, TokenScope scope, PageRequest request) {
    return memory.read(
        () ->
            Memory.page(
                memory.tokens.values().stream()
                    .filter(each -> each.token().tenantId().equals(tenantId))
                    .filter(each -> !memory.isOver(each.token().settings().expiresAt()))
                    .filter(each -> matches(filter, each.token()))
                    .filter(each -> scope.contains(each.token().traits()))
                    .sorted(NEWEST_FIRST)
                    .toList(),
                request));
  }

  private static boolean matches(TokenFilter filter, Token token) {
    return (filter.ids().isEmpty() || filter.ids().contains(token.id()))
        && (filter.types().isEmpty() || filter.types().contains(token.type()))
        && filter
            .container()
            .map(container -> token.settings().containers().stream().anyMatch(container::covers))
            .orElse(true)
        && token.settings().metadata().entrySet().containsAll(filter.metadata().entrySet());
  }

  @Override
  public boolean delete(TenantId tenantId, TokenId id, long version, AuditEntry entry) {
    return memory.change(
        () -> {
          if (memory.token(tenantId, id).filter(at(version)).isEmpty()) {
            return false;
          }
          memory.requireEntries();
          memory.tokens.remove(new InTenant<>(tenantId, id));
          memory.add(entry);
          return true;
        });
  }

  private static Predicate<StoredToken> at(long version) {
    return stored -> stored.token().version() == version;
  }

  @Override
  public int deleteExpired(int limit, Function<Token, AuditEntry> entry) {
    return memory.change(
        () -> {
          List<Token> due =
              memory.tokens.values().stream()
                  .map(StoredToken::token)
                  .filter(each -> memory.isOver(each.settings().expiresAt()))
                  .limit(limit)
                  .toList();
          if (!due.isEmpty()) {
            memory.requireEntries();
          }
          due.forEach(each -> memory.tokens.remove(new InTenant<>(each.tenantId(), each.id())));
          memory.add(due.stream().map(entry).toList());
          return due.size();
        });
  }
}
