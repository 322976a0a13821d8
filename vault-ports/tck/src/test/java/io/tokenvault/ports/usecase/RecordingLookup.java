package io.tokenvault.ports.usecase;

import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.RequestLookup;
import java.util.ArrayList;
import java.util.List;

/** Remembers what was looked up. */
public final class RecordingLookup implements RequestLookup {

  private final RequestLookup real;
  private final List<LookupRequest> lookups = new ArrayList<>();

  RecordingLookup(RequestLookup real) {
    this.real = real;
  }

  @Override
  public LookupResult load(LookupRequest lookup, MemoryReservation reservation) {
    lookups.add(lookup);
    return real.load(lookup, reservation);
  }

  /** What was looked up since the last time that this was asked. */
  public List<LookupRequest> taken() {
    List<LookupRequest> taken = List.copyOf(lookups);
    lookups.clear();
    return taken;
  }
}
