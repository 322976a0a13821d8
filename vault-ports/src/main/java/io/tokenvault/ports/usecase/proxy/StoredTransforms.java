package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.store.model.StoredProxy;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The transforms and configuration of a stored proxy, decrypted on demand.
 *
 * @param keys supplies the keys when a field is decrypted
 */
record StoredTransforms(StoredProxy stored, Supplier<TenantKeys> keys, ProxyCipher proxyCipher) {

  Proxy proxy() {
    return stored.proxy();
  }

  Optional<ProxyTransform> get(TransformKind kind) {
    return stored.transforms().containsKey(kind)
        ? Optional.of(new ProxyTransform(this, kind))
        : Optional.empty();
  }

  CheckedTransform decrypt(TransformKind kind) {
    return proxyCipher.decryptTransform(keys.get(), stored, kind).orElseThrow();
  }

  SensitiveValue configuration() {
    return proxyCipher.decryptConfiguration(keys.get(), stored);
  }
}
