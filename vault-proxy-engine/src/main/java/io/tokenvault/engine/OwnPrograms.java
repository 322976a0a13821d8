package io.tokenvault.engine;

import io.tokenvault.ports.spi.TransformRuntime.Compilation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What this node compiled from what another compiler had made, up to a number of programs and of
 * characters: those that were not run for longest go first. While nodes with different compilers
 * are at work, each of them runs its own again, in place of replacing the other's with each
 * invocation.
 */
final class OwnPrograms {

  private static final int MAX_PROGRAMS = 64;
  private static final long MAX_CHARACTERS = 16L << 20;
  private static final float LOAD_FACTOR = 0.75f;

  private final Map<String, Compilation.Compiled> byKey =
      new LinkedHashMap<>(16, LOAD_FACTOR, true);
  private long characters;

  /** By {@link io.tokenvault.ports.usecase.ProxyTransform#key()} of what was compiled anew. */
  synchronized Optional<Compilation> find(String key) {
    return Optional.ofNullable(byKey.get(key));
  }

  synchronized void keep(String key, Compilation.Compiled compiled) {
    Compilation.Compiled before = byKey.put(key, compiled);
    characters += length(compiled) - (before == null ? 0 : length(before));
    var eldest = byKey.values().iterator();
    while (byKey.size() > MAX_PROGRAMS || characters > MAX_CHARACTERS) {
      characters -= length(eldest.next());
      eldest.remove();
    }
  }

  private static long length(Compilation.Compiled compiled) {
    return compiled.transform().program().length();
  }
}
