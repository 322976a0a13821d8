package io.tokenvault.ports.store.document;

import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.store.EncryptedFields;
import io.tokenvault.ports.store.EncryptedFields.StoredField;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.StoredProxy;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** The encrypted values of tokens, proxies and recorded responses. */
record DocumentFields(Transactions transactions) implements EncryptedFields {

  private static final Comparator<FieldBinding> ORDER =
      Comparator.comparing(FieldBinding::kind)
          .thenComparing(FieldBinding::recordId)
          .thenComparing(FieldBinding::field);

  private static final List<Holder<?>> HOLDERS =
      List.of(
          new Holder<>("token", Kind.TOKEN, DocumentFields::mapped),
          new Holder<>("proxy", Kind.PROXY, DocumentFields::mapped),
          new Holder<>("keyed_request", Kind.REQUEST, DocumentFields::mapped));

  /**
   * A kind of document with encrypted values.
   *
   * @param name its name in bindings
   * @param mapping returns a copy of a record with each value replaced by its mapping
   */
  private record Holder<T extends Record>(
      String name, Kind<T> kind, BiFunction<T, ValueMapping, T> mapping) {

    void visit(Records records, TenantId tenantId, Consumer<StoredField> visitor) {
      ValueMapping visiting =
          (field, value) -> {
            visitor.accept(new StoredField(field, value));
            return value;
          };
      records.visit(
          kind,
          tenantId,
          each -> {
            T unused = mapping.apply(each, visiting);
            return true;
          });
    }

    boolean replace(RecordChanges records, StoredField from, EncryptedValue to) {
      TenantId tenantId = from.field().tenantId();
      String id = from.field().recordId();
      Optional<T> known = records.find(kind, tenantId, id);
      ValueMapping replacing =
          (field, value) -> new StoredField(field, value).equals(from) ? to : value;
      Optional<T> changed = known.map(each -> mapping.apply(each, replacing));
      if (changed.equals(known)) {
        return false;
      }
      records.put(kind, tenantId, id, changed.orElseThrow());
      return true;
    }
  }

  /** Maps a field and its value to a value. */
  private interface ValueMapping {
    EncryptedValue apply(FieldBinding field, EncryptedValue value);
  }

  private static TokenRecord mapped(TokenRecord stored, ValueMapping mapping) {
    TenantId tenantId = stored.token().tenantId();
    TokenId id = stored.token().id();
    return new TokenRecord(
        stored.token(),
        mapping.apply(FieldBinding.tokenData(tenantId, id), stored.data()),
        stored
            .shortLived()
            .map(value -> mapping.apply(FieldBinding.tokenShortLivedData(tenantId, id), value)),
        stored.partExpiresAt(),
        stored
            .expressions()
            .map(value -> mapping.apply(FieldBinding.tokenExpressions(tenantId, id), value)),
        stored.searchIndexes());
  }

  private static StoredProxy mapped(StoredProxy stored, ValueMapping mapping) {
    TenantId tenantId = stored.proxy().tenantId();
    ProxyId id = stored.proxy().id();
    Map<TransformKind, EncryptedTransform> transforms = new HashMap<>();
    stored
        .transforms()
        .forEach(
            (kind, old) -> {
              FieldBinding field = FieldBinding.proxyTransform(tenantId, id, kind);
              EncryptedValue content = mapping.apply(field, old.content());
              transforms.put(kind, new EncryptedTransform(content, old.compiler()));
            });
    return new StoredProxy(
        stored.proxy(),
        mapping.apply(FieldBinding.proxyKey(tenantId, id), stored.key()),
        mapping.apply(FieldBinding.proxyConfiguration(tenantId, id), stored.configuration()),
        transforms);
  }

  private static RequestRecord mapped(RequestRecord stored, ValueMapping mapping) {
    return stored.with(
        stored
            .answer()
            .map(
                value ->
                    mapping.apply(FieldBinding.response(stored.tenantId(), stored.id()), value)));
  }

  @Override
  public List<StoredField> stale(
      TenantId tenantId, int currentVersion, Optional<FieldBinding> after, int limit) {
    return transactions.read(
        records -> {
          TreeMap<FieldBinding, StoredField> stale = new TreeMap<>(ORDER);
          visit(
              records,
              tenantId,
              each -> {
                if (each.encrypted().keyVersion() < currentVersion
                    && after.map(past -> ORDER.compare(each.field(), past) > 0).orElse(true)) {
                  stale.put(each.field(), each);
                }
                if (stale.size() > limit) {
                  stale.pollLastEntry();
                }
              });
          return List.copyOf(stale.values());
        });
  }

  private static void visit(Records records, TenantId tenantId, Consumer<StoredField> visitor) {
    HOLDERS.forEach(each -> each.visit(records, tenantId, visitor));
  }

  @Override
  public boolean replace(StoredField from, EncryptedValue to) {
    return transactions.write(
        records ->
            HOLDERS.stream()
                .filter(each -> each.name().equals(from.field().kind()))
                .anyMatch(each -> each.replace(records, from, to)));
  }

  @Override
  public Map<Integer, Long> countByVersion(TenantId tenantId) {
    return transactions.read(
        records -> {
          Map<Integer, Long> counts = new HashMap<>();
          visit(
              records,
              tenantId,
              each -> counts.merge(each.encrypted().keyVersion(), 1L, Long::sum));
          return counts;
        });
  }
}
