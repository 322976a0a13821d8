package io.tokenvault.planted.engine;

import com.google.crypto.tink.Aead;
import io.javalin.Javalin;
import io.tokenvault.domain.secret.SensitiveValue;

/** Violates: web and crypto libraries stay in their packages; few classes open secrets. */
record EngineWithWebLibrary(Javalin routes, Aead aead) {

  static byte[] peek(SensitiveValue value) {
    return value.open();
  }
}
