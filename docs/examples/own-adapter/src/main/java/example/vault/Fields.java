package example.vault;

import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.store.EncryptedFields;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.StoredField;
import io.tokenvault.ports.store.model.StoredProxy;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The encrypted fields of tokens and proxies, for re-encryption under new keys. */
final class Fields implements EncryptedFields {

  private static final Comparator<FieldBinding> ORDER =
      Comparator.comparing(FieldBinding::kind)
          .thenComparing(FieldBinding::recordId)
          .thenComparing(FieldBinding::field);

  private final Contents contents;
  private final Database database;

  Fields(Contents contents) {
    this.contents = contents;
    this.database = contents.database;
  }

  @Override
  public List<StoredField> stale(
      TenantId tenantId, int currentVersion, Optional<FieldBinding> after, int limit) {
    return database.read(
        () ->
            fields(tenantId)
                .filter(each -> each.sealed().keyVersion() < currentVersion)
                .filter(each -> after.map(past -> isAfter(each.field(), past)).orElse(true))
                .sorted(Comparator.comparing(StoredField::field, ORDER))
                .limit(limit)
                .toList());
  }

  private static boolean isAfter(FieldBinding field, FieldBinding past) {
    return ORDER.compare(field, past) > 0;
  }

  @Override
  public Map<Integer, Long> countByVersion(TenantId tenantId) {
    return database.read(
        () ->
            fields(tenantId)
                .collect(
                    Collectors.groupingBy(
                        each -> each.sealed().keyVersion(), Collectors.counting())));
  }

  private Stream<StoredField> fields(TenantId tenantId) {
    return Stream.concat(
        contents.tokens.of(tenantId).stream().flatMap(Fields::ofToken),
        contents.proxies.of(tenantId).stream().flatMap(Fields::ofProxy));
  }

  private static Stream<StoredField> ofToken(KeptToken kept) {
    TenantId tenantId = kept.token().tenantId();
    TokenId id = kept.token().id();
    return Stream.of(
            field(FieldBinding.tokenData(tenantId, id), Optional.of(kept.data())),
            field(FieldBinding.tokenShortLivedData(tenantId, id), kept.shortLived()),
            field(FieldBinding.tokenExpressions(tenantId, id), kept.expressions()))
        .flatMap(Optional::stream);
  }

  private static Optional<StoredField> field(FieldBinding field, Optional<EncryptedValue> value) {
    return value.map(present -> new StoredField(field, present));
  }

  private static Stream<StoredField> ofProxy(StoredProxy stored) {
    TenantId tenantId = stored.proxy().tenantId();
    ProxyId id = stored.proxy().id();
    Stream<StoredField> transforms =
        stored.transforms().entrySet().stream()
            .map(
                each ->
                    new StoredField(
                        FieldBinding.proxyTransform(tenantId, id, each.getKey()),
                        each.getValue().content()));
    return Stream.concat(
        Stream.of(
            new StoredField(FieldBinding.proxyKey(tenantId, id), stored.key()),
            new StoredField(FieldBinding.proxyConfiguration(tenantId, id), stored.configuration())),
        transforms);
  }

  @Override
  public boolean replace(StoredField from, EncryptedValue to) {
    return database.change(
        () -> {
          FieldBinding field = from.field();
          if (fields(field.tenantId()).noneMatch(from::equals)) {
            return false;
          }
          if (field.kind().equals("token")) {
            replaceInToken(field, to);
          } else {
            replaceInProxy(field, to);
          }
          return true;
        });
  }

  private void replaceInToken(FieldBinding field, EncryptedValue to) {
    TenantId tenantId = field.tenantId();
    TokenId id = new TokenId(field.recordId());
    KeptToken kept = contents.tokens.find(tenantId, id.value()).orElseThrow();
    KeptToken changed =
        kept.with(
            chosen(field, FieldBinding.tokenData(tenantId, id), kept.data(), to),
            kept.shortLived()
                .map(old -> chosen(field, FieldBinding.tokenShortLivedData(tenantId, id), old, to)),
            kept.expressions()
                .map(old -> chosen(field, FieldBinding.tokenExpressions(tenantId, id), old, to)));
    contents.tokens.put(tenantId, id.value(), changed);
  }

  private static EncryptedValue chosen(
      FieldBinding wanted, FieldBinding field, EncryptedValue old, EncryptedValue to) {
    return field.equals(wanted) ? to : old;
  }

  private void replaceInProxy(FieldBinding field, EncryptedValue to) {
    TenantId tenantId = field.tenantId();
    ProxyId id = new ProxyId(UUID.fromString(field.recordId()));
    StoredProxy stored = contents.proxy(tenantId, id).orElseThrow();
    Map<TransformKind, EncryptedTransform> transforms = new HashMap<>();
    stored
        .transforms()
        .forEach(
            (kind, old) ->
                transforms.put(
                    kind,
                    new EncryptedTransform(
                        chosen(
                            field,
                            FieldBinding.proxyTransform(tenantId, id, kind),
                            old.content(),
                            to),
                        old.compiler())));
    StoredProxy changed =
        new StoredProxy(
            stored.proxy(),
            chosen(field, FieldBinding.proxyKey(tenantId, id), stored.key(), to),
            chosen(
                field, FieldBinding.proxyConfiguration(tenantId, id), stored.configuration(), to),
            transforms);
    contents.proxies.put(tenantId, id.toString(), changed);
  }
}
