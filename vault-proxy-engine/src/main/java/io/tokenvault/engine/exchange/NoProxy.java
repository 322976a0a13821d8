package io.tokenvault.engine.exchange;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.usecase.proxy.InvokedProxy;
import io.tokenvault.ports.usecase.proxy.ProxyTransform;
import java.util.Optional;

/**
 * Stands for the proxy where there is none: a forwarded request, or a dry run of files.
 *
 * @param mayUseTokens whether expressions in the request are replaced
 */
public record NoProxy(SensitiveValue configuration, boolean mayUseTokens) implements InvokedProxy {

  @Override
  public Optional<Proxy> proxy() {
    return Optional.empty();
  }

  @Override
  public Optional<ProxyTransform> transform(TransformKind kind) {
    return Optional.empty();
  }
}
