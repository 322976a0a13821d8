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

  private static final int EMPTY_OBJECT_SIZE = "{}".length();

  public ProxyView {
    transforms = Map.copyOf(transforms);
  }

  /** Returns whether the configuration has entries. */
  public boolean hasConfiguration() {
    return configuration.size() > EMPTY_OBJECT_SIZE;
  }

  /** Returns whether the proxy has a configuration or transforms, which can contain secrets. */
  public boolean hasContents() {
    return hasConfiguration() || !transforms.isEmpty();
  }
}
