package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.SensitiveValue;
import java.util.Optional;

/** What is invoked, by an invocation or in a dry run. It grants nothing. */
public interface InvokedProxy {

  /** Returns the pre-configured proxy; empty where the caller names the destination. */
  Optional<Proxy> proxy();

  /** Returns the proxy's transform of this kind, if it has one. */
  Optional<ProxyTransform> transform(TransformKind kind);

  /** Returns what the proxy's transforms are given: a JSON object of strings, in UTF-8. */
  SensitiveValue configuration();

  /** Returns whether expressions are replaced. */
  boolean mayUseTokens();
}
