package io.tokenvault.ports.spi;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.ports.contract.Samples;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class LookupTest {

  @Test
  void whoActsWithoutAKeyHasNone() {
    ActingApplication acting =
        new ActingApplication(Samples.tenantId(), new ApplicationId(UUID.randomUUID()));

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Lookup(List.of(Samples.hash()), Optional.of(acting), List.of(), Set.of()));
  }
}
