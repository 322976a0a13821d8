package io.tokenvault.ports.usecase;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyProof;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.MasterKeyId.Use;
import io.tokenvault.ports.crypto.MasterKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.memory.FakeKeyWrapper;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/** Master keys without cryptography; each id names one key of each use. */
record FakeMasterKeys(Set<Integer> held, int primary, String content) implements MasterKeys {

  static FakeMasterKeys of(int id) {
    return new FakeMasterKeys(Set.of(id), id, "right");
  }

  FakeMasterKeys and(int id) {
    Set<Integer> more = new HashSet<>(held);
    more.add(id);
    return new FakeMasterKeys(Set.copyOf(more), primary, content);
  }

  FakeMasterKeys promoted(int id) {
    return new FakeMasterKeys(held, id, content);
  }

  FakeMasterKeys withContent(String other) {
    return new FakeMasterKeys(held, primary, other);
  }

  @Override
  public Set<MasterKeyId> ids() {
    Set<MasterKeyId> ids = new HashSet<>();
    for (Use use : Use.values()) {
      held.forEach(id -> ids.add(new MasterKeyId(use, id)));
    }
    return ids;
  }

  @Override
  public MasterKeyId primary(Use use) {
    return new MasterKeyId(use, primary);
  }

  @Override
  public KeyProof prove(MasterKeyId key) {
    return new KeyProof(key, (key + content).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public boolean confirms(KeyProof proof) {
    return held.contains(proof.key().id()) && prove(proof.key()).equals(proof);
  }

  @Override
  public boolean unwraps(TenantId tenantId, WrappedKey key) {
    return held.contains(wrapping(key).id());
  }

  @Override
  public MasterKeyId wrapping(WrappedKey key) {
    return new MasterKeyId(Use.WRAPPING, new FakeKeyWrapper().masterKeyId(key));
  }
}
