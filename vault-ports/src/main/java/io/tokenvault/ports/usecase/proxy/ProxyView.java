package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import java.util.Map;

/**
 * A proxy with its decrypted fields, for a response.
 *
 * @param configuration a JSON object of strings, in UTF-8
 * @param transforms the transforms that the proxy has
 */
public record ProxyView(
    Proxy proxy,
    ProxyKey key,
    SensitiveValue configuration,
    Map<TransformKind, TransformCode> transforms) {
  public ProxyView {
    transforms = Map.copyOf(transforms);
  }
}
