package io.tokenvault.engine.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.engine.forward.Forwarder.DestinationLimit;
import org.junit.jupiter.api.Test;

/** One destination that does not answer, beside others. */
final class DestinationLimitTest {

  private final DestinationLimit limit = new DestinationLimit(2);

  private static Destination at(String url) throws Exception {
    return Destination.parse(url);
  }

  @Test
  void excessRequestIsRejectedForItsDestinationOnly() throws Exception {
    limit.enter(at("https://slow.test/a"));
    limit.enter(at("https://slow.test/b"));

    assertThatThrownBy(() -> limit.enter(at("https://slow.test/c")))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.failure()).isEqualTo(FailureCause.OVERLOADED));
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
    assertThatThrownBy(() -> limit.enter(at("https://slow.test/")))
        .isInstanceOf(RefusedException.class);
  }
}
