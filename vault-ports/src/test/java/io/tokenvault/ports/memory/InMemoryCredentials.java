package io.tokenvault.ports.memory;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.memory.Memory.InTenant;
import io.tokenvault.ports.store.CredentialStore;
import java.util.Map;
import java.util.Optional;

final class InMemoryCredentials implements CredentialStore {

  private final Memory memory;

  InMemoryCredentials(Memory memory) {
    this.memory = memory;
  }

  @Override
  public void renew(TenantId tenantId, KeyHash from, KeyHash to) {
    memory.change(
        () -> {
          if (renew(memory.apiKeys, tenantId, from, to)) {
            Optional.ofNullable(memory.apiKeyEnds.remove(from))
                .ifPresent(end -> memory.apiKeyEnds.put(to, end));
            return true;
          }
          return renew(memory.proxyKeys, tenantId, from, to);
        });
  }

  private static <K> boolean renew(
      Map<KeyHash, InTenant<K>> hashes, TenantId tenantId, KeyHash from, KeyHash to) {
    InTenant<K> owner = hashes.get(from);
    if (owner == null || !owner.tenantId().equals(tenantId)) {
      return false;
    }
    hashes.remove(from);
    hashes.put(to, owner);
    return true;
  }
}
