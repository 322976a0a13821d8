package io.tokenvault.planted.ports.usecase;

import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.planted.ports.spi.StoreThatKnowsAUseCase;
import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.SealedField;
import io.tokenvault.ports.spi.Sealer;
import io.tokenvault.ports.spi.TenantKeys;
import java.time.Instant;
import okhttp3.OkHttpClient;
import org.slf4j.LoggerFactory;

/** Breaks: ports use domain and JDK only; who may open a seal; no ambient clock. */
public record UseCaseWithLibrary(StoreThatKnowsAUseCase store, OkHttpClient client) {

  SensitiveValue open(Sealer sealer, TenantKeys keys, SealedField field, Sealed sealed) {
    LoggerFactory.getLogger("planted").info("opened at {}", Instant.now());
    return sealer.open(keys, field, sealed);
  }
}
