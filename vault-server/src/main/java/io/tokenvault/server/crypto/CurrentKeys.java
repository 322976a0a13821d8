package io.tokenvault.server.crypto;

import io.tokenvault.domain.audit.LogTag;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.spi.CheckpointKeys;
import io.tokenvault.ports.spi.KeyHash;
import io.tokenvault.ports.spi.KeyHasher;
import io.tokenvault.ports.spi.KeyPurpose;
import io.tokenvault.ports.spi.KeyWrapper;
import io.tokenvault.ports.spi.LogKeys;
import io.tokenvault.ports.spi.MasterKeys;
import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.SealedField;
import io.tokenvault.ports.spi.Sealer;
import io.tokenvault.ports.spi.TenantKeys;
import io.tokenvault.ports.spi.TokenHash;
import io.tokenvault.ports.spi.TokenHasher;
import io.tokenvault.ports.spi.WrappedKey;
import java.util.List;

/**
 * All that works with the master keyset, with the keyset of the moment: each call works with one,
 * whole.
 */
public final class CurrentKeys
    implements Sealer, KeyWrapper, KeyHasher, TokenHasher, LogKeys, CheckpointKeys {

  private volatile Keys keys;

  public CurrentKeys(MasterKeyset keyset) {
    this.keys = Keys.of(keyset);
  }

  /** From now on, this keyset. */
  public void use(MasterKeyset keyset) {
    keys = Keys.of(keyset);
  }

  /** What others may know of the keyset of this moment. */
  public MasterKeys masterKeys() {
    return keys.masterKeys();
  }

  @Override
  public Sealed seal(TenantKeys tenantKeys, SealedField field, SensitiveValue value) {
    return keys.sealer().seal(tenantKeys, field, value);
  }

  @Override
  public SensitiveValue open(TenantKeys tenantKeys, SealedField field, Sealed ciphertext) {
    return keys.sealer().open(tenantKeys, field, ciphertext);
  }

  @Override
  public Sealed reseal(TenantKeys tenantKeys, SealedField field, Sealed ciphertext) {
    return keys.sealer().reseal(tenantKeys, field, ciphertext);
  }

  @Override
  public WrappedKey create(TenantId tenantId, KeyPurpose purpose, int version) {
    return keys.wrapper().create(tenantId, purpose, version);
  }

  @Override
  public WrappedKey rewrap(TenantId tenantId, WrappedKey key) {
    return keys.wrapper().rewrap(tenantId, key);
  }

  @Override
  public int masterKeyId(WrappedKey key) {
    return keys.wrapper().masterKeyId(key);
  }

  @Override
  public List<KeyHash> hashes(ApiKey key) {
    return keys.keyHasher().hashes(key);
  }

  @Override
  public List<KeyHash> hashes(ProxyKey key) {
    return keys.keyHasher().hashes(key);
  }

  @Override
  public List<TokenHash> fingerprints(TenantKeys tenantKeys, TokenType type, String content) {
    return keys.tokenHasher().fingerprints(tenantKeys, type, content);
  }

  @Override
  public List<TokenHash> searchIndexes(TenantKeys tenantKeys, String content) {
    return keys.tokenHasher().searchIndexes(tenantKeys, content);
  }

  @Override
  public List<TokenHash> requests(TenantKeys tenantKeys, String content) {
    return keys.tokenHasher().requests(tenantKeys, content);
  }

  @Override
  public TokenHash fingerprint(TenantKeys tenantKeys, TokenType type, String content) {
    return keys.tokenHasher().fingerprint(tenantKeys, type, content);
  }

  @Override
  public TokenHash searchIndex(TenantKeys tenantKeys, String content) {
    return keys.tokenHasher().searchIndex(tenantKeys, content);
  }

  @Override
  public LogTag authenticate(LogKeys.Use use, byte[] content) {
    return keys.logKeys().authenticate(use, content);
  }

  @Override
  public boolean confirms(LogKeys.Use use, byte[] content, LogTag mac) {
    return keys.logKeys().confirms(use, content, mac);
  }

  @Override
  public LogTag sign(byte[] content) {
    return keys.checkpointKeys().sign(content);
  }

  @Override
  public boolean confirmsSignature(byte[] content, LogTag signature) {
    return keys.checkpointKeys().confirmsSignature(content, signature);
  }

  private record Keys(
      Sealer sealer,
      KeyWrapper wrapper,
      KeyHasher keyHasher,
      TokenHasher tokenHasher,
      LogKeys logKeys,
      CheckpointKeys checkpointKeys,
      MasterKeys masterKeys) {

    static Keys of(MasterKeyset keyset) {
      return new Keys(
          new TinkSealer(keyset),
          new TinkKeyWrapper(keyset),
          new TinkKeyHasher(keyset),
          new TinkTokenHasher(keyset),
          new TinkLogKeys(keyset),
          new TinkCheckpointKeys(keyset),
          new TinkMasterKeys(keyset));
    }
  }
}
