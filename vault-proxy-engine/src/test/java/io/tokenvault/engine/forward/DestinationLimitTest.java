package io.tokenvault.engine.forward;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.engine.Refusals;
import io.tokenvault.engine.forward.Forwarder.DestinationLimit;
import org.junit.jupiter.api.Test;

/** Tests the limit of concurrent requests per destination. */
final class DestinationLimitTest {

  private final DestinationLimit limit = new DestinationLimit(2);

  private static Destination parse(String url) throws Exception {
    return Destination.parse(url);
  }

  @Test
  void excessRequestIsRejectedForItsDestinationOnly() throws Exception {
    limit.enter(parse("https://slow.test/a"));
    limit.enter(parse("https://slow.test/b"));

    Refusals.assertRefused(
        FailureCause.OVERLOADED, () -> limit.enter(parse("https://slow.test/c")));
    limit.enter(parse("https://slow.test:8443/"));
    limit.enter(parse("https://other.test/"));
  }

  @Test
  void endedRequestReleasesItsPlaceOnce() throws Exception {
    Runnable first = limit.enter(parse("https://slow.test/"));
    limit.enter(parse("https://slow.test/"));
    first.run();
    first.run();

    limit.enter(parse("https://slow.test/"));
    Refusals.assertRefused(FailureCause.OVERLOADED, () -> limit.enter(parse("https://slow.test/")));
  }
}
