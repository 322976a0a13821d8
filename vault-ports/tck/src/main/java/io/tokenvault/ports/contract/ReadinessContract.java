package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Contract tests for {@link io.tokenvault.ports.store.Readiness}. */
public abstract class ReadinessContract extends StoreContract {

  @Test
  void storesThatCanBeReachedAreReady() {
    assertThat(stores.readiness().isReady()).isTrue();
  }

  @Test
  void storesThatCannotBeReachedAreNotReadyAndThrowNothing() {
    fixture.breakConnection();

    assertThat(fixture.stores().readiness().isReady()).isFalse();
  }
}
