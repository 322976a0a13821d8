package io.tokenvault.ports.usecase;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.spi.SealedTransform;
import io.tokenvault.ports.spi.StoredProxy;
import io.tokenvault.ports.spi.TenantKeys;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a stored proxy runs, opened only if it has to be.
 *
 * @param keys asked for only then
 */
record StoredTransforms(StoredProxy stored, Supplier<TenantKeys> keys, ProxySeals seals) {

  Proxy proxy() {
    return stored.proxy();
  }

  Optional<ProxyTransform> get(TransformKind kind) {
    return Optional.ofNullable(stored.transforms().get(kind)).map(each -> transform(kind, each));
  }

  private ProxyTransform transform(TransformKind kind, SealedTransform transform) {
    return new ProxyTransform(
        proxy().tenantId(),
        proxy().id(),
        proxy().version(),
        kind,
        transform.compiler(),
        () -> seals.openTransform(keys.get(), stored, kind).orElseThrow());
  }

  SensitiveValue configuration() {
    return seals.openConfiguration(keys.get(), stored);
  }
}
