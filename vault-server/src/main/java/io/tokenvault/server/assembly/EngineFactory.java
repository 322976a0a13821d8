package io.tokenvault.server.assembly;

import io.tokenvault.engine.ProxyEngine;
import io.tokenvault.engine.ProxyEngine.Scripts;
import io.tokenvault.engine.forward.TrustedAuthorities;
import io.tokenvault.ports.runtime.Tracer;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.Configuration.Egress;
import io.tokenvault.server.config.Configuration.ProxyLimits;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.config.Setting;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Creates the engine that forwards requests to destinations, from the settings of the operator.
 *
 * <p>Failures of the engine's constructor are mapped to the setting that caused them.
 */
final class EngineFactory {

  private EngineFactory() {}

  /**
   * Checks whether {@link #engine} would succeed, without creating an engine.
   *
   * @throws ConfigurationException if a file that the settings name cannot be used
   */
  static void check(Configuration configuration) {
    try {
      Optional<Path> authorities = configuration.egress().caFile();
      if (authorities.isPresent()) {
        TrustedAuthorities.load(authorities);
      }
    } catch (IllegalArgumentException noCertificate) {
      throw noCertificates();
    }
  }

  private static ConfigurationException noCertificates() {
    return new ConfigurationException(
        Setting.EGRESS_CA_FILE.variable() + " names a file without PEM certificates");
  }

  /**
   * Creates the engine.
   *
   * @param invocations authorizes and records invocations
   * @param repeatable records invocations that carry an idempotency key
   * @param scripts runs the transforms of proxies
   * @param tracer shows the steps of invocations
   * @throws ConfigurationException if a file that the settings name cannot be used
   */
  static ProxyEngine engine(
      Configuration configuration,
      ProxyInvocations invocations,
      IdempotentInvocations repeatable,
      Scripts scripts,
      Tracer tracer) {
    ProxyEngine.Settings settings = settings(configuration);
    try {
      return new ProxyEngine(
          invocations, repeatable, configuration.egress().policy(), settings, scripts, tracer);
    } catch (IllegalArgumentException noCertificate) {
      throw noCertificates();
    }
  }

  private static ProxyEngine.Settings settings(Configuration configuration) {
    Egress egress = configuration.egress();
    ProxyLimits limits = configuration.proxyLimits();
    return new ProxyEngine.Settings(
        configuration.web().headers(),
        egress.hostOverrides(),
        egress.caFile(),
        egress.clientCertificates(),
        egress.httpProxy(),
        limits.connectTimeout(),
        limits.answerTimeout(),
        limits.idleTimeout(),
        limits.heldBodyBytes(),
        limits.heldBodiesBytes(),
        limits.destinationRequests());
  }
}
