package io.tokenvault.planted.ports.store;

import io.tokenvault.planted.ports.usecase.UseCaseWithLibrary;

/** Violates: driven ports do not use use cases; packages have no cycles. */
public interface StoreUsingUseCase {
  UseCaseWithLibrary useCase();
}
