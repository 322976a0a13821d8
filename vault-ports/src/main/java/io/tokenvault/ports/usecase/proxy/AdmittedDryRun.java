package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.usecase.authorization.Caller;
import java.util.Optional;

/** A dry run that may proceed. Only {@link DryRunProxies} creates instances. */
public final class AdmittedDryRun implements InvokedProxy {

  private final Caller caller;
  private final StoredTransforms transforms;
  private final Optional<ApplicationId> invoker;

  AdmittedDryRun(Caller caller, StoredTransforms transforms, Optional<ApplicationId> invoker) {
    this.caller = caller;
    this.transforms = transforms;
    this.invoker = invoker;
  }

  @Override
  public Optional<Proxy> proxy() {
    return Optional.of(transforms.proxy());
  }

  /** Returns whether the dry run has an invoker, for whom expressions would be replaced. */
  @Override
  public boolean mayUseTokens() {
    return invoker.isPresent();
  }

  @Override
  public Optional<ProxyTransform> transform(TransformKind kind) {
    return transforms.get(kind);
  }

  @Override
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
