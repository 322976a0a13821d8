package io.tokenvault.server.assembly;

import io.tokenvault.adapters.http.VaultRoutes;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.engine.ProxyEngine;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.JsonCodec;
import io.tokenvault.ports.usecase.Gate;
import io.tokenvault.ports.usecase.ManageApplications;
import io.tokenvault.ports.usecase.ManageProxies;
import io.tokenvault.ports.usecase.OpenTokens;
import io.tokenvault.ports.usecase.ProxyInvocations;
import io.tokenvault.ports.usecase.ReadLogs;
import io.tokenvault.ports.usecase.SweepExpired;
import io.tokenvault.ports.usecase.VaultTokens;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.json.JacksonJson;

/** A running vault: everything that answers requests, on top of a {@link Backend}. */
public final class Vault implements AutoCloseable {

  private final ProxyEngine engine;
  private final VaultRoutes routes;
  private final Housekeeping housekeeping;

  private Vault(ProxyEngine engine, VaultRoutes routes, Housekeeping housekeeping) {
    this.engine = engine;
    this.routes = routes;
    this.housekeeping = housekeeping;
  }

  /** Starts answering requests; the backend stays the caller's to close, after this. */
  public static Vault start(Configuration configuration, Backend backend) {
    JdbiStores stores = backend.stores();
    JsonCodec json = new JacksonJson();
    AuditRecorder recorder = stores.recorder();
    Gate gate = new Gate(stores.lookup(), backend.hasher(), recorder);
    OpenTokens door =
        new OpenTokens(stores.lookup(), stores.tokens(), backend.sealer(), gate, recorder);
    throw new IllegalStateException();
  }

  /** The base URL under which it answers. */
  public String url() {
    return "";
  }

  @Override
  public void close() {}
}
