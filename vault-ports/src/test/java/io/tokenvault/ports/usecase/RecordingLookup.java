package io.tokenvault.ports.usecase;

import io.tokenvault.ports.spi.Loaded;
import io.tokenvault.ports.spi.Lookup;
import io.tokenvault.ports.spi.MemoryReservation;
import io.tokenvault.ports.spi.RequestLookup;
import java.util.ArrayList;
import java.util.List;

/** Remembers what was looked up. */
final class RecordingLookup implements RequestLookup {

  private final RequestLookup real;
  private final List<Lookup> lookups = new ArrayList<>();

  RecordingLookup(RequestLookup real) {
    this.real = real;
  }

  @Override
  public Loaded load(Lookup lookup, MemoryReservation room) {
    lookups.add(lookup);
    return real.load(lookup, room);
  }

  /** What was looked up since the last time that this was asked. */
  List<Lookup> taken() {
    List<Lookup> taken = List.copyOf(lookups);
    lookups.clear();
    return taken;
  }
}
