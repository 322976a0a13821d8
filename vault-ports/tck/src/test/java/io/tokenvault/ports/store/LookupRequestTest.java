package io.tokenvault.ports.store;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.store.model.ActingApplication;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class LookupRequestTest {

  @Test
  void actingApplicationCannotBeCombinedWithKeyHashes() {
    ActingApplication acting =
        new ActingApplication(Samples.tenantId(), new ApplicationId(UUID.randomUUID()));

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new LookupRequest(
                    List.of(Samples.hash()), Optional.of(acting), List.of(), Set.of()));
  }
}
