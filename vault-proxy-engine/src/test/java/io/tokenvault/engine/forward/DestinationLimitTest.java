package io.tokenvault.engine.forward;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.engine.Refusals;
import io.tokenvault.engine.forward.Forwarder.DestinationLimit;
import org.junit.jupiter.api.Test;

/** Tests the limit of concurrent requests per destination. */
final class DestinationLimitTest {

  private final DestinationLimit limit = new DestinationLimit(2);

  private static Destination at(String url) throws Exception {
    return Destination.parse(url);
  }

  @Test
  void excessRequestIsRejectedForItsDestinationOnly() throws Exception {
    limit.enter(at("https://slow.test/a"));
    limit.enter(at("https://slow.test/b"));

    Refusals.assertRefused(FailureCause.OVERLOADED, () -> limit.enter(at("https://slow.test/c")));
    limit.enter(at("https://slow.test:8443/"));
    limit.enter(at("https://other.test/"));
  }

  @Test
  void endedRequestReleasesItsPlaceOnce() throws Exception {
    Runnable first = limit.enter(at("https://slow.test/"));
    limit.enter(at("https://slow.test/"));
    first.run();
    first.run();

    limit.enter(at("https://slow.test/"));
    Refusals.assertRefused(FailureCause.OVERLOADED, () -> limit.enter(at("https://slow.test/")));
  }
}
