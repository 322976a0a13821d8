package io.tokenvault.ports.usecase;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.SensitiveValue;
import java.util.Optional;

/** A dry run that may go on. Made by {@link RehearseProxies} only. */
public final class Rehearsal {

  private final Caller caller;
  private final StoredTransforms transforms;
  private final Optional<ApplicationId> invoker;

  Rehearsal(Caller caller, StoredTransforms transforms, Optional<ApplicationId> invoker) {
    this.caller = caller;
    this.transforms = transforms;
    this.invoker = invoker;
  }

  public Proxy proxy() {
    return transforms.proxy();
  }

  /** The proxy's transform of this kind, if it has one. */
  public Optional<ProxyTransform> transform(TransformKind kind) {
    return transforms.get(kind);
  }

  /** What the proxy's transforms are given: a JSON object of strings, in UTF-8. */
  public SensitiveValue configuration() {
    return transforms.configuration();
  }

  Caller caller() {
    return caller;
  }

  Optional<ApplicationId> invoker() {
    return invoker;
  }
}
