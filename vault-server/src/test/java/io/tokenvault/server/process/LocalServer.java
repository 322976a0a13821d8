package io.tokenvault.server.process;

import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.StartPreparation;
import io.tokenvault.server.assembly.Vault;
import io.tokenvault.server.config.Configuration;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;

/**
 * A server in this JVM, which spares the start of another. What only a process shows, such as its
 * output and its end, is shown with {@link VaultProcess#serve}.
 */
record LocalServer(Vault vault, Backend backend) implements AutoCloseable {

  /** Starts one on a free port of the loopback interface, unless the settings name a port. */
  static LocalServer serve(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.putIfAbsent("VAULT_PORT", "0");
    // A worker is started when one is needed.
    all.putIfAbsent("VAULT_TRANSFORM_SPARE_WORKERS", "0");
    Configuration configuration = Configuration.from(all);
    Backend backend = Backend.forServer(configuration, new SecureRandom());
    return new LocalServer(Vault.start(StartPreparation.of(configuration), backend), backend);
  }

  String url() {
    return vault.url();
  }

  @Override
  public void close() {
    vault.close();
    backend.close();
  }
}
