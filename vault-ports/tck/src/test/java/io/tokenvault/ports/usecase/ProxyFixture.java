package io.tokenvault.ports.usecase;

import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.ProxyDraft;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.proxy.ProxyView;
import java.util.Map;
import java.util.Optional;

/** A proxy, optionally with an application for its transforms, and an API key to invoke it. */
public final class ProxyFixture {

  public static final Destination BANK = destination("api.bank.example");
  public static final Destination ELSEWHERE = destination("echo.example.net");

  private final VaultFixture vault;
  private final ProxyView proxy;
  private final ApiKey invokerKey;

  public ProxyFixture(VaultFixture vault, Caller acting) {
    this(vault, acting.application().id(), Map.of());
  }

  /** Creates a proxy without an application. */
  public ProxyFixture(VaultFixture vault) {
    this(vault, null, Map.of());
  }

  /** Creates a proxy whose transforms act as an application; null for none. */
  public ProxyFixture(
      VaultFixture vault, ApplicationId acting, Map<TransformKind, String> transforms) {
    this.vault = vault;
    this.proxy = vault.proxies.create(vault.manager(), draft(acting, transforms), new Violations());
    this.invokerKey = vault.key(Permission.TOKEN_USE);
  }

  public static Destination destination(String host) {
    return new Destination(host, 443, "", Optional.empty());
  }

  static ProxyDraft draft(ApplicationId acting, Map<TransformKind, String> transforms) {
    return new ProxyDraft(
        "p", "https://api.bank.example", acting, Map.of("k", "v"), false, null, null, transforms);
  }

  public ProxyId id() {
    return proxy.proxy().id();
  }

  public ApiKey invokerKey() {
    return invokerKey;
  }

  public void update(ApplicationId acting, Map<TransformKind, String> transforms) {
    vault.proxies.update(vault.manager(), id(), draft(acting, transforms), new Violations());
  }

  public Admission admit() {
    return vault.invocations.admit(Optional.of(VaultFixture.text(invokerKey)), key());
  }

  public Admission admitAnonymous() {
    return vault.invocations.admit(Optional.empty(), key());
  }

  private Optional<String> key() {
    return Optional.of(VaultFixture.text(proxy.key().value()));
  }
}
