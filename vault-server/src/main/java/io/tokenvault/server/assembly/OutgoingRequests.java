package io.tokenvault.server.assembly;

import io.tokenvault.engine.ProxyEngine;
import io.tokenvault.engine.ProxyEngine.Scripts;
import io.tokenvault.engine.forward.ClientCertificates;
import io.tokenvault.engine.forward.ForwardProxy;
import io.tokenvault.ports.usecase.ProxyInvocations;
import io.tokenvault.ports.usecase.RepeatableInvocations;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.Configuration.ClientKeys;
import io.tokenvault.server.config.Configuration.Credentials;
import io.tokenvault.server.config.Configuration.Egress;
import io.tokenvault.server.config.Configuration.HttpProxy;
import io.tokenvault.server.config.Configuration.ProxyLimits;
import io.tokenvault.server.config.Setting;
import java.nio.charset.StandardCharsets;

/** Makes the engine that sends requests to destinations, as the operator has set it up. */
final class OutgoingRequests {

  private OutgoingRequests() {}

  /**
   * @throws StartException if a file that the settings name cannot be used
   */
  static ProxyEngine engine(
      Configuration configuration,
      ProxyInvocations invocations,
      RepeatableInvocations repeatable,
      Scripts scripts) {
    ProxyEngine.Settings settings = settings(configuration);
    try {
      return new ProxyEngine(
          invocations, repeatable, configuration.egress().policy(), settings, scripts);
    } catch (IllegalArgumentException noCertificate) {
      throw new StartException(
          Setting.EGRESS_CA_FILE.variable() + " names a file that holds no certificates (PEM).");
    }
  }

  private static ProxyEngine.Settings settings(Configuration configuration) {
    Egress egress = configuration.egress();
    ProxyLimits limits = configuration.proxyLimits();
    return new ProxyEngine.Settings(
        configuration.web().headers(),
        egress.hostOverrides(),
        egress.caFile(),
        egress.clientKeys().map(OutgoingRequests::certificates).orElseGet(ClientCertificates::none),
        egress.httpProxy().map(OutgoingRequests::forwardProxy),
        limits.connectTimeout(),
        limits.answerTimeout(),
        limits.idleTimeout(),
        limits.heldBodyBytes(),
        limits.heldBodiesBytes(),
        limits.destinationRequests());
  }

  private static ClientCertificates certificates(ClientKeys keys) {
    try {
      return ClientCertificates.of(
          keys.keystore(),
          new String(keys.password().open(), StandardCharsets.UTF_8).toCharArray());
    } catch (IllegalArgumentException unusable) {
      throw new StartException(
          Setting.EGRESS_KEYSTORE_FILE.variable()
              + " cannot be used: "
              + unusable.getMessage()
              + ".");
    }
  }

  private static ForwardProxy forwardProxy(HttpProxy proxy) {
    ForwardProxy anonymous = ForwardProxy.at(proxy.host(), proxy.port(), proxy.tls());
    return proxy
        .credentials()
        .map(credentials -> authenticated(anonymous, credentials))
        .orElse(anonymous);
  }

  private static ForwardProxy authenticated(ForwardProxy proxy, Credentials credentials) {
    return proxy.authenticatedBy(
        credentials.user(), new String(credentials.password().open(), StandardCharsets.UTF_8));
  }
}
