package io.tokenvault.planted.engine;

import com.google.crypto.tink.Aead;
import io.javalin.Javalin;
import io.tokenvault.domain.secret.SensitiveValue;

/** Breaks: web and crypto stay in their places; who may open a sensitive value. */
record EngineWithRoutes(Javalin routes, Aead aead) {

  static byte[] peek(SensitiveValue value) {
    return value.open();
  }
}
