package io.tokenvault.planted.ports.usecase;

import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.planted.ports.store.StoreUsingUseCase;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.TenantKeys;
import java.time.Instant;
import okhttp3.OkHttpClient;
import org.slf4j.LoggerFactory;

/** Violates: ports use domain and JDK only; few classes decrypt; no access to the clock. */
public record UseCaseWithLibrary(StoreUsingUseCase store, OkHttpClient client) {

  SensitiveValue open(
      FieldCipher cipher, TenantKeys keys, FieldBinding field, EncryptedValue encrypted) {
    LoggerFactory.getLogger("planted").info("opened at {}", Instant.now());
    return cipher.decrypt(keys, field, encrypted);
  }
}
