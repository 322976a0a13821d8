package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.SensitiveValue;
import java.util.Optional;

/** A proxy as the engine runs it, in an invocation or a dry run. It grants no permission. */
public interface InvokedProxy {

  /** Returns the pre-configured proxy; empty if the caller names the destination. */
  Optional<Proxy> proxy();

  /** Returns the proxy's transform of this kind, if it has one. */
  Optional<ProxyTransform> transform(TransformKind kind);

  /** Returns the configuration for the proxy's transforms: a JSON object of strings, in UTF-8. */
  SensitiveValue configuration();

  /** Returns whether expressions in the request are replaced. */
  boolean mayUseTokens();
}
