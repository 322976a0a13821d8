package io.tokenvault.ports.memory;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.memory.Memory.InTenant;
import io.tokenvault.ports.store.EncryptedFields;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.StoredField;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class InMemoryEncryptedFields implements EncryptedFields {

  private static final Comparator<FieldBinding> ORDER =
      Comparator.comparing(FieldBinding::kind)
          .thenComparing(FieldBinding::recordId)
          .thenComparing(FieldBinding::field);

  private final Memory memory;

  InMemoryEncryptedFields(Memory memory) {
    this.memory = memory;
  }

  @Override
  public List<StoredField> stale(
      TenantId tenantId, int currentVersion, Optional<FieldBinding> after, int limit) {
    return memory.read(
        () ->
            fields(tenantId)
                .filter(each -> each.sealed().keyVersion() < currentVersion)
                .filter(each -> after.filter(past -> !isAfter(each.field(), past)).isEmpty())
                .sorted(Comparator.comparing(StoredField::field, ORDER))
                .limit(limit)
                .toList());
  }

  private static boolean isAfter(FieldBinding field, FieldBinding past) {
    return ORDER.compare(field, past) > 0;
  }

  @Override
  public Map<Integer, Long> countByVersion(TenantId tenantId) {
    return memory.read(
        () ->
            fields(tenantId)
                .collect(
                    Collectors.groupingBy(
                        each -> each.sealed().keyVersion(), Collectors.counting())));
  }

  private Stream<StoredField> fields(TenantId tenantId) {
    Stream<StoredField> ofTokens =
        memory.tokens.values().stream()
            .map(KeptToken::stored)
            .filter(stored -> stored.token().tenantId().equals(tenantId))
            .flatMap(InMemoryEncryptedFields::fields);
    Stream<StoredField> ofProxies =
        memory.proxies.values().stream()
            .filter(stored -> stored.proxy().tenantId().equals(tenantId))
            .flatMap(InMemoryEncryptedFields::fields);
    Stream<StoredField> ofRequests =
        memory.requests.entrySet().stream()
            .filter(each -> each.getKey().tenantId().equals(tenantId))
            .flatMap(each -> field(each.getKey(), each.getValue()).stream());
    return Stream.of(ofTokens, ofProxies, ofRequests).flatMap(Function.identity());
  }

  private static Optional<StoredField> field(InTenant<UUID> key, KeptRequest kept) {
    return kept.answer()
        .map(each -> new StoredField(FieldBinding.response(key.tenantId(), kept.id()), each));
  }

  private static Stream<StoredField> fields(StoredToken stored) {
    TenantId tenantId = stored.token().tenantId();
    TokenId id = stored.token().id();
    return Stream.of(
            field(FieldBinding.tokenData(tenantId, id), Optional.of(stored.data())),
            field(FieldBinding.tokenShortLivedData(tenantId, id), stored.shortLived()),
            field(FieldBinding.tokenExpressions(tenantId, id), stored.expressions()))
        .flatMap(Optional::stream);
  }

  private static Stream<StoredField> fields(StoredProxy stored) {
    TenantId tenantId = stored.proxy().tenantId();
    ProxyId id = stored.proxy().id();
    return Stream.concat(
        Stream.of(
            new StoredField(FieldBinding.proxyKey(tenantId, id), stored.key()),
            new StoredField(FieldBinding.proxyConfiguration(tenantId, id), stored.configuration())),
        stored.transforms().entrySet().stream()
            .map(
                each ->
                    new StoredField(
                        FieldBinding.proxyTransform(tenantId, id, each.getKey()),
                        each.getValue().content())));
  }

  private static Optional<StoredField> field(FieldBinding field, Optional<EncryptedValue> value) {
    return value.map(present -> new StoredField(field, present));
  }

  @Override
  public boolean replace(StoredField from, EncryptedValue to) {
    return memory.change(
        () -> {
          FieldBinding field = from.field();
          if (fields(field.tenantId()).noneMatch(from::equals)) {
            return false;
          }
          if (field.kind().equals("token")) {
            replaceInToken(field, with(from, to));
          } else if (field.kind().equals("keyed_request")) {
            memory.requests.computeIfPresent(
                new InTenant<>(field.tenantId(), UUID.fromString(field.recordId())),
                (key, kept) -> kept.with(Optional.of(to)));
          } else {
            replaceInProxy(field, with(from, to));
          }
          return true;
        });
  }

  private static Function<FieldBinding, UnaryOperator<EncryptedValue>> with(
      StoredField from, EncryptedValue to) {
    return field -> present -> field.equals(from.field()) ? to : present;
  }

  private void replaceInToken(
      FieldBinding field, Function<FieldBinding, UnaryOperator<EncryptedValue>> replacing) {
    TenantId tenantId = field.tenantId();
    TokenId id = new TokenId(field.recordId());
    memory.tokens.computeIfPresent(
        new InTenant<>(tenantId, id),
        (key, kept) -> {
          StoredToken stored = kept.stored();
          return new KeptToken(
              new StoredToken(
                  stored.token(),
                  replacing.apply(FieldBinding.tokenData(tenantId, id)).apply(stored.data()),
                  stored
                      .shortLived()
                      .map(replacing.apply(FieldBinding.tokenShortLivedData(tenantId, id))),
                  stored
                      .expressions()
                      .map(replacing.apply(FieldBinding.tokenExpressions(tenantId, id)))),
              kept.searchIndexes(),
              kept.partExpiresAt());
        });
  }

  private static Map<TransformKind, EncryptedTransform> transforms(
      StoredProxy stored, Function<FieldBinding, UnaryOperator<EncryptedValue>> replacing) {
    Map<TransformKind, EncryptedTransform> replaced = new LinkedHashMap<>();
    Proxy proxy = stored.proxy();
    stored
        .transforms()
        .forEach(
            (kind, transform) ->
                replaced.put(
                    kind,
                    new EncryptedTransform(
                        replacing
                            .apply(FieldBinding.proxyTransform(proxy.tenantId(), proxy.id(), kind))
                            .apply(transform.content()),
                        transform.compiler())));
    return replaced;
  }

  private void replaceInProxy(
      FieldBinding field, Function<FieldBinding, UnaryOperator<EncryptedValue>> replacing) {
    TenantId tenantId = field.tenantId();
    ProxyId id = new ProxyId(UUID.fromString(field.recordId()));
    memory.proxies.computeIfPresent(
        new InTenant<>(tenantId, id),
        (key, stored) ->
            new StoredProxy(
                stored.proxy(),
                replacing.apply(FieldBinding.proxyKey(tenantId, id)).apply(stored.key()),
                replacing
                    .apply(FieldBinding.proxyConfiguration(tenantId, id))
                    .apply(stored.configuration()),
                transforms(stored, replacing)));
  }
}
