package io.tokenvault.ports.usecase;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.spi.JsonCodec;
import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.SealedField;
import io.tokenvault.ports.spi.Sealer;
import io.tokenvault.ports.spi.StoredProxy;
import io.tokenvault.ports.spi.TenantKeys;
import java.util.LinkedHashMap;
import java.util.Map;

/** Seals and opens the secret fields of proxies. */
final class ProxySeals {

  private final Sealer sealer;
  private final JsonCodec json;

  ProxySeals(Sealer sealer, JsonCodec json) {
    this.sealer = sealer;
    this.json = json;
  }

  Sealed sealKey(TenantKeys keys, ProxyId id, ProxyKey key) {
    return sealer.seal(keys, SealedField.proxyKey(keys.tenantId(), id), key.value());
  }

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
