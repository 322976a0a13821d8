package io.tokenvault.ports.store.document;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.store.CredentialStore;
import io.tokenvault.ports.store.KeyStore;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The wrapped keys of tenants, and the hashes of API keys and proxy keys. */
record DocumentKeys(Transactions transactions) implements KeyStore, CredentialStore {

  @Override
  public Optional<TenantKeys> find(TenantId tenantId) {
    return transactions.read(records -> records.find(Kind.KEYS, tenantId));
  }

  @Override
  public List<TenantKeys> list() {
    return transactions.read(DocumentKeys::list);
  }

  static List<TenantKeys> list(Records records) {
    return records.all(Kind.KEYS).stream()
        .sorted(Comparator.comparing(each -> each.tenantId().toString()))
        .toList();
  }

  @Override
  public boolean add(TenantId tenantId, List<WrappedKey> keys, AuditEntry entry) {
    return transactions.write(
        records -> {
          Optional<TenantKeys> known = undestroyed(records, tenantId);
          if (known.isEmpty() || keys.stream().anyMatch(key -> contains(known.get(), key))) {
            return false;
          }
          records.append(entry);
          put(records, tenantId, Stream.concat(known.get().keys().stream(), keys.stream()));
          return true;
        });
  }

  private static Optional<TenantKeys> undestroyed(Records records, TenantId tenantId) {
    return records.find(Kind.KEYS, tenantId).filter(keys -> !keys.areDestroyed());
  }

  private static boolean contains(TenantKeys known, WrappedKey key) {
    return known.version(key.purpose(), key.version()).isPresent();
  }

  private static void put(RecordChanges records, TenantId tenantId, Stream<WrappedKey> keys) {
    records.put(Kind.KEYS, tenantId, new TenantKeys(tenantId, keys.toList()));
  }

  @Override
  public boolean replace(TenantId tenantId, WrappedKey from, WrappedKey to) {
    return transactions.write(
        records -> {
          Optional<TenantKeys> known =
              undestroyed(records, tenantId).filter(all -> all.keys().contains(from));
          known.ifPresent(
              all ->
                  put(
                      records,
                      tenantId,
                      all.keys().stream().map(key -> key.equals(from) ? to : key)));
          return known.isPresent();
        });
  }

  @Override
  public boolean destroy(TenantId tenantId, AuditEntry entry) {
    return transactions.write(
        records -> {
          if (undestroyed(records, tenantId).isEmpty()) {
            return false;
          }
          records.append(entry);
          put(records, tenantId, Stream.empty());
          return true;
        });
  }

  @Override
  public void renew(TenantId tenantId, KeyHash from, KeyHash to) {
    transactions.write(
        records -> {
          Optional<Credential> known = records.find(Kind.CREDENTIAL, tenantId, Credential.id(from));
          known.ifPresent(
              each -> {
                records.delete(Kind.CREDENTIAL, tenantId, each.id());
                records.put(each.with(to));
              });
          return known;
        });
  }
}
