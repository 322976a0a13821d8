package io.tokenvault.ports.usecase;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.spi.JsonCodec;
import io.tokenvault.ports.spi.KeyHash;
import io.tokenvault.ports.spi.KeyHasher;
import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.SealedField;
import io.tokenvault.ports.spi.Sealer;
import io.tokenvault.ports.spi.StoredProxy;
import io.tokenvault.ports.spi.TenantKeys;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Makes, seals and opens the secret fields of proxies: their keys and configurations. */
public final class ProxySeals {

  private final Sealer sealer;
  private final JsonCodec json;
  private final KeyHasher hasher;
  private final RandomGenerator randomness;

  /**
   * @param randomness a cryptographically strong source, for keys
   */
  public ProxySeals(Sealer sealer, JsonCodec json, KeyHasher hasher, RandomGenerator randomness) {
    this.sealer = sealer;
    this.json = json;
    this.hasher = hasher;
    this.randomness = randomness;
  }

  SealedKey newKey(TenantKeys keys, ProxyId id) {
    ProxyKey key = ProxyKey.generate(randomness);
    Sealed sealed = sealer.seal(keys, SealedField.proxyKey(keys.tenantId(), id), key.value());
    return new SealedKey(sealed, hasher.hash(key));
  }

  /** A proxy's key as it is stored, and the hash that it is found by. */
  record SealedKey(Sealed sealed, KeyHash hash) {}

  Sealed sealConfiguration(TenantKeys keys, ProxyId id, Map<String, String> configuration) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    configuration.forEach((name, value) -> members.put(name, JsonValue.of(value)));
    SensitiveValue text = SensitiveValue.of(json.write(new JsonObject(members)));
    return sealer.seal(keys, SealedField.proxyConfiguration(keys.tenantId(), id), text);
  }

  ProxyView open(TenantKeys keys, StoredProxy stored) {
    ProxyId id = stored.proxy().id();
    SensitiveValue key = sealer.open(keys, SealedField.proxyKey(keys.tenantId(), id), stored.key());
    SensitiveValue configuration =
        sealer.open(
            keys, SealedField.proxyConfiguration(keys.tenantId(), id), stored.configuration());
    return new ProxyView(stored.proxy(), ProxyKey.of(key), configuration);
  }
}
