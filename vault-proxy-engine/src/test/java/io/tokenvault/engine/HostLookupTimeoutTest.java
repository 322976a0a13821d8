package io.tokenvault.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.InvalidDestinationException;
import io.tokenvault.engine.forward.ClientCertificates;
import io.tokenvault.engine.forward.ForwardProxy;
import io.tokenvault.engine.forward.ForwardTimeouts;
import io.tokenvault.engine.forward.Forwarder;
import io.tokenvault.engine.forward.Forwarder.NetworkAccess;
import io.tokenvault.engine.forward.OutgoingRequest;
import io.tokenvault.engine.forward.StalledHostResolver;
import io.tokenvault.engine.forward.TrustedAuthorities;
import io.tokenvault.ports.api.CallerPresence;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Timeouts and cancellation of slow host lookups. */
class HostLookupTimeoutTest {

  private static final String OTHER_HOST = "private.example.test";
  private static final String PROXY = "proxy.example.test";
  private static final Duration SHORT_TIMEOUT = Duration.ofMillis(300);
  private static final Duration LONG_TIMEOUT = Duration.ofSeconds(60);

  private final EngineFixture fixture = new EngineFixture();
  private final StalledHostResolver names = new StalledHostResolver(EngineFixture.HOST::equals);

  @AfterEach
  void stop() {
    names.release();
    fixture.close();
  }

  private Forwarder forwarder(Duration connect) {
    return forwarder(connect, names, Optional.empty());
  }

  private Forwarder forwarder(
      Duration connect, StalledHostResolver resolver, Optional<ForwardProxy> proxy) {
    return new Forwarder(
        new EgressPolicy(Optional.empty(), Set.of(EngineFixture.HOST, OTHER_HOST), Set.of()),
        new NetworkAccess(
            resolver,
            TrustedAuthorities.load(fixture.settings().extraAuthorities()),
            ClientCertificates.none(),
            proxy,
            false),
        new ForwardTimeouts(connect, LONG_TIMEOUT, LONG_TIMEOUT),
        100);
  }

  private static OutgoingRequest request(String host, int port, Optional<Duration> timeout)
      throws InvalidDestinationException {
    return new OutgoingRequest(
        "GET",
        Destination.parse("https://" + host + ":" + port),
        "/",
        Optional.empty(),
        List.of(),
        Optional.empty(),
        timeout,
        Optional.empty());
  }

  private OutgoingRequest slowRequest(Optional<Duration> timeout)
      throws InvalidDestinationException {
    return request(EngineFixture.HOST, fixture.destination.port(), timeout);
  }

  private static void assertSucceeds(Forwarder forwarder, OutgoingRequest request)
      throws IOException {
    try (ProxyResponse response = forwarder.send(request, CallerPresence.UNWATCHED)) {
      assertThat(response.body().readAllBytes()).asString().isEqualTo("ok");
    }
  }

  private static void assertTimesOut(
      Forwarder forwarder, OutgoingRequest request, StalledHostResolver resolver) {
    Refusals.assertRefused(
        FailureCause.CONNECT_TIMEOUT, () -> forwarder.send(request, CallerPresence.UNWATCHED));
    assertThat(resolver.completedLookups()).as("finished lookups").isZero();
  }

  @Test
  void lookupWaitsNoLongerThanConnectTimeout() throws Exception {
    try (Forwarder forwarder = forwarder(SHORT_TIMEOUT)) {
      assertTimesOut(forwarder, slowRequest(Optional.empty()), names);
    }
  }

  @Test
  void lookupIsAbandonedWhenCallerDisconnects() throws Exception {
    CallerPresence disconnecting =
        onDisconnect ->
            new Thread(
                    () -> {
                      try {
                        names.takeRequestedName();
                        onDisconnect.run();
                      } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                      }
                    })
                .start();
    try (Forwarder forwarder = forwarder(LONG_TIMEOUT)) {
      Refusals.assertRefused(
          FailureCause.CALLER_GONE,
          () -> forwarder.send(slowRequest(Optional.empty()), disconnecting));
      assertThat(names.completedLookups()).isZero();
    }
  }

  @Test
  void slowLookupDoesNotDelayOtherNames() throws Exception {
    try (Forwarder forwarder = forwarder(LONG_TIMEOUT);
        RawDestination other =
            new RawDestination(fixture.serverCertificates(OTHER_HOST).sslContext())) {
      assertTimesOut(forwarder, slowRequest(Optional.of(SHORT_TIMEOUT)), names);

      assertSucceeds(forwarder, request(OTHER_HOST, other.port(), Optional.empty()));
      assertThat(names.completedLookups()).isZero();
    }
  }

  @Test
  void destinationIsReachedOnceNameIsResolved() throws Exception {
    try (Forwarder forwarder = forwarder(LONG_TIMEOUT)) {
      assertTimesOut(forwarder, slowRequest(Optional.of(SHORT_TIMEOUT)), names);
      names.release();

      assertSucceeds(forwarder, slowRequest(Optional.empty()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {EngineFixture.HOST, PROXY})
  void timeoutAppliesToNamesOfForwardProxyAndDestination(String slowHost) throws Exception {
    StalledHostResolver resolver = new StalledHostResolver(slowHost::equals);
    try (Forwarder forwarder =
        forwarder(LONG_TIMEOUT, resolver, Optional.of(ForwardProxy.at(PROXY, 1, false)))) {
      assertTimesOut(forwarder, slowRequest(Optional.of(SHORT_TIMEOUT)), resolver);
    } finally {
      resolver.release();
    }
  }
}
